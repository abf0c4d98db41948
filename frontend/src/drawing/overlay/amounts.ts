/** Overlays that are amounts: bytes of values, operations of equations, live memory. All from shapes alone, so all are estimates. */

import { sitesOf } from "../../model/sites.ts";
import type { Program, Var } from "../../model/types.ts";
import { bytesOf } from "../cost/bytes.ts";
import { bytesText, flopsText } from "../cost/format.ts";
import { inside, liveOf } from "../cost/live.ts";
import { eqnWork, type Work, workOf } from "../cost/work.ts";
import { idsOf, runsOf, siteOf } from "./places.ts";
import type { Fill, Mark, Overlay, Swatch } from "./types.ts";

/** Shares of the whole from which on a box has the next colour; `words` is what the legend says of the step. */
interface Scale {
  readonly from: readonly number[];
  readonly words: readonly string[];
}

const FLOPS: Scale = { from: [0, 0.01, 0.05, 0.2, 0.5], words: ["less", "1 %", "5 %", "20 %", "half or more"] };
const MEMORY: Scale = { from: [0, 0.25, 0.5, 0.75, 0.95], words: ["less", "25 %", "50 %", "75 %", "95 % or more"] };
const BYTES: Scale = { from: [0, 0.004, 0.016, 0.06, 0.25], words: ["less", "0.4 %", "1.6 %", "6 %", "a quarter or more"] };

function fillOf({ from }: Scale, amount: number, whole: number): Fill | null {
  if (amount <= 0 || whole <= 0) return null;
  const share = Math.min(1, amount / whole);
  return `heat${from.findLastIndex((least) => share >= least) as 0 | 1 | 2 | 3 | 4}`;
}

function swatches({ words }: Scale): Swatch[] {
  return words.map((text, i): Swatch => ({ fill: `heat${i as 0 | 1 | 2 | 3 | 4}`, text })).reverse();
}

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
  const mark = (bytes: number | null): Mark | null =>
    bytes === null ? null : { text: bytesText(bytes), fill: fillOf(BYTES, bytes, most), peak: false };
  return {
    legend: {
      kind: "bytes",
      title: `Bytes made, against the largest value (${bytesText(most)}):`,
      swatches: swatches(BYTES),
      notes: unknown ? ["Values without a known size have no number."] : [],
    },
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
  const mark = ({ flops, uncounted, perTurn }: Work): Mark => {
    const counted = `${uncounted.size > 0 ? "\u2265 " : ""}${flopsText(flops)}${perTurn ? " a turn" : ""}`;
    const text = flops > 0 ? counted : uncounted.size > 0 ? "not counted" : "";
    return { text, fill: fillOf(FLOPS, flops, whole), peak: false };
  };
  const all = program.entry === null ? null : workOf(program, program.entry);
  const notes = [
    "Estimated from shapes, as XLA counts: one for each element, two for each multiply-add; loops times their steps, of branches the costliest.",
  ];
  if (all?.perTurn === true) notes.push("Loops of unknown length, and kernels, are counted for one turn.");
  if (all !== null && all.uncounted.size > 0) notes.push(`Not counted: ${some([...all.uncounted])}.`);
  return {
    legend: {
      kind: "flops",
      title: `Operations, against all of them (${least(all)}${flopsText(whole)}):`,
      swatches: swatches(FLOPS),
      notes,
    },
    eqn: (path) => {
      const found = work(path);
      return found === null ? null : mark(found);
    },
    group: (paths) => {
      const found = paths.map(work).filter((each) => each !== null);
      if (found.length === 0) return null;
      return mark({
        flops: found.reduce((sum, { flops }) => sum + flops, 0),
        uncounted: new Set(found.flatMap(({ uncounted }) => [...uncounted])),
        perTurn: found.some(({ perTurn }) => perTurn),
      });
    },
    value: () => null,
  };
}

function least(work: Work | null): string {
  return work !== null && (work.perTurn || work.uncounted.size > 0) ? "at least " : "";
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
  const mark = (bytes: number | null, isPeak: boolean): Mark | null => {
    if (bytes === null) return null;
    const most = Math.min(bytes, peak);
    return { text: isPeak ? `peak ${bytesText(peak)}` : `${bytesText(most)} live`, fill: fillOf(MEMORY, most, peak), peak: isPeak };
  };
  return {
    legend: {
      kind: "memory",
      title: `Bytes live, against the peak (${bytesText(peak)}):`,
      swatches: swatches(MEMORY),
      notes: ["Estimated: inputs stay, a value is freed after its last reader, in the order of the jaxpr; XLA fuses, reuses and reorders."],
    },
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

function total(sizes: readonly (number | null)[]): number | null {
  const found = sizes.filter((size) => size !== null);
  return found.length === 0 ? null : found.reduce((sum, size) => sum + size, 0);
}

const NAMED = 4;

function some(names: readonly string[]): string {
  const shown = [...names].sort().slice(0, NAMED).join(", ");
  return names.length > NAMED ? `${shown} and ${names.length - NAMED} more` : shown;
}
