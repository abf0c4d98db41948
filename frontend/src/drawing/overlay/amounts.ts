/** Overlays that are amounts: bytes of values, operations of equations, live memory. All from shapes alone, so all are estimates. */

import { sitesOf } from "../../model/sites.ts";
import type { Program, Var } from "../../model/types.ts";
import { bytesOf } from "../cost/bytes.ts";
import { inside, liveOf } from "../cost/live.ts";
import { eqnWork, type Work, workOf } from "../cost/work.ts";
import { idsOf, runsOf, siteOf } from "./places.ts";
import { bytesLegend, bytesMark, flopsLegend, flopsMark, memoryLegend, memoryMark, together, total } from "./scales.ts";
import type { Mark, Overlay } from "./types.ts";

export function bytesOverlay(program: Program): Overlay {
  const vars = new Map<string, Var>();
  let most = 0;
  let unknown = false;
  for (const jaxpr of Object.values(program.jaxprs)) {
    for (const [id, variable] of Object.entries(jaxpr.vars)) {
      vars.set(id, variable);
      const bytes = bytesOf(variable);
      if (bytes === null) unknown = true;
      else most = Math.max(most, bytes);
    }
  }
  const sites = sitesOf(program);
  const made = (path: string): number | null => {
    const site = siteOf(sites, path);
    if (site === null) return null;
    const sizes = site.eqn.results.map(({ var: id }) => (vars.has(id) ? bytesOf(vars.get(id)!) : null));
    return sizes.some((size) => size === null) ? null : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  };
  const mark = (bytes: number | null): Mark | null => bytesMark(bytes, most);
  return {
    legend: bytesLegend(most, unknown),
    eqn: (path) => mark(made(path)),
    group: (paths) => mark(total(paths.map(made))),
    value: (key) => {
      const variable = vars.get(key.slice(key.lastIndexOf("|") + 1));
      return variable === undefined ? null : mark(bytesOf(variable));
    },
  };
}

export function flopsOverlay(program: Program): Overlay {
  const sites = sitesOf(program);
  const whole = program.entry === null ? 0 : workOf(program, program.entry).flops;
  const work = (path: string): Work | null => {
    const site = siteOf(sites, path);
    if (site === null) return null;
    const own = eqnWork(program, site.jaxpr, site.eqn);
    const { times, perTurn } = runsOf(sites, path);
    return { flops: own.flops * times, uncounted: own.uncounted, perTurn: own.perTurn || (perTurn && own.flops > 0) };
  };
  return {
    legend: flopsLegend(program.entry === null ? null : workOf(program, program.entry)),
    eqn: (path) => {
      const found = work(path);
      return found === null ? null : flopsMark(found, whole);
    },
    group: (paths) => {
      const found = paths.map(work).filter((each) => each !== null);
      return found.length === 0 ? null : flopsMark(together(found), whole);
    },
    value: () => null,
  };
}

export function memoryOverlay(program: Program): Overlay {
  const sites = sitesOf(program);
  const entry = program.entry === null ? null : liveOf(program, program.entry);
  const peak = entry?.peak ?? 0;
  const peaks = peakPaths(program);
  /** Live while it runs: what its surroundings hold, and in a body what that holds beyond its inputs. */
  const during = (path: string): number | null => {
    let bytes = 0;
    for (const [depth, id] of idsOf(path).entries()) {
      const site = sites.get(id);
      const live = site && liveOf(program, site.jaxpr.id);
      if (!site || !live) return null;
      bytes += (live.during.get(id) ?? 0) - (depth === 0 ? 0 : live.inputs);
    }
    const last = siteOf(sites, path);
    return last === null ? null : bytes + inside(program, last.jaxpr, last.eqn);
  };
  const mark = (bytes: number | null, isPeak: boolean): Mark | null => memoryMark(bytes, isPeak, peak);
  return {
    legend: memoryLegend(peak, "jaxpr"),
    eqn: (path) => mark(during(path), peaks.has(path)),
    group: (paths) => {
      const at = paths.map(during).filter((bytes) => bytes !== null);
      return at.length === 0
        ? null
        : mark(
            at.reduce((top, bytes) => Math.max(top, bytes), 0),
            paths.some((path) => peaks.has(path)),
          );
    },
    value: () => null,
  };
}

/** The equation of the peak, and those in its bodies that the peak is at. */
function peakPaths(program: Program): Set<string> {
  const found = new Set<string>();
  const sites = sitesOf(program);
  let jaxpr = program.entry;
  let before = "";
  while (jaxpr !== null) {
    const at: string | null = liveOf(program, jaxpr).at;
    const site = at === null ? undefined : sites.get(at);
    if (at === null || site === undefined || found.has(`${before}${at}`)) break;
    found.add(`${before}${at}`);
    const beyond = (call: { jaxpr: string }): number => liveOf(program, call.jaxpr).peak - liveOf(program, call.jaxpr).inputs;
    const { nested } = site.eqn;
    const most = nested.reduce((top, call, i) => (i > 0 && beyond(call) > beyond(nested[top]!) ? i : top), 0);
    if (inside(program, site.jaxpr, site.eqn) === 0 || nested[most] === undefined) break;
    before = `${before}${at}${most > 0 ? `:${most}` : ""}/`;
    jaxpr = nested[most].jaxpr;
  }
  return found;
}
