/** Overlays of a lowered module: the same amounts and kinds as of its jaxprs, of ops. Paths are those of ops (`o3/o9`). */
import type { Module, Op } from "../../model/types.ts";
import { heldInside, regionLive } from "../cost/ops/live.ts";
import { bytesOfValue } from "../cost/ops/types.ts";
import { opWork, regionWork } from "../cost/ops/work.ts";
import { sum, type Work } from "../cost/work.ts";
import { everyOp, insideOf, rootsOf } from "../graph/ops/context.ts";
import { functionsByName, keyOf } from "../graph/ops/names.ts";
import type { OpPlaces } from "../graph/written.ts";
import { kinds } from "./kinds.ts";
import { bytesLegend, bytesMark, flopsLegend, flopsMark, memoryLegend, memoryMark, together, total } from "./scales.ts";
import type { Overlay, OverlayKind } from "./types.ts";

const known = new WeakMap<Module, Map<OverlayKind, { places: OpPlaces | undefined; overlay: Overlay }>>();

/** Of a lowered module; `places` say where its ops come from. */
export function moduleOverlayOf(module: Module, kind: OverlayKind, places: OpPlaces | undefined): Overlay {
  const overlays = known.get(module) ?? new Map<OverlayKind, { places: OpPlaces | undefined; overlay: Overlay }>();
  known.set(module, overlays);
  const last = overlays.get(kind);
  if (last !== undefined && last.places === places) return last.overlay;
  const overlay = opsOverlay(module, kind, places);
  overlays.set(kind, { places, overlay });
  return overlay;
}

/** Where the ops of a module stand: the block of each, and its own regions. */
class Ops {
  readonly of: ReadonlyMap<string, Op>;
  readonly #functions: ReturnType<typeof functionsByName>;

  constructor(readonly module: Module) {
    this.of = new Map([...everyOp(module)].map((op) => [op.id, op]));
    this.#functions = functionsByName(module);
  }

  at(path: string): Op | null {
    return this.of.get(path.slice(path.lastIndexOf("/") + 1)) ?? null;
  }

  /** The ops around one, outermost first. */
  around(path: string): Op[] {
    return path
      .split("/")
      .slice(0, -1)
      .flatMap((id) => this.of.get(id) ?? []);
  }

  inside(op: Op): ReturnType<typeof insideOf> {
    return insideOf(op, this.#functions);
  }
}

function opsOverlay(module: Module, kind: OverlayKind, places: OpPlaces | undefined): Overlay {
  const ops = new Ops(module);
  if (kind === "bytes") return bytes(ops);
  if (kind === "flops") return flops(ops);
  if (kind === "memory") return memory(ops);
  const order = [...ops.of.keys()];
  if (kind === "lines") {
    const line = (path: string): string | null => {
      const span = ops.at(path)?.span ?? null;
      return span === null ? null : `line ${span.line}`;
    };
    return kinds(order, "lines", "Line of the paste", line, "What has no line comes from a library or from JAX itself.", "op");
  }
  const scope = (path: string): string | null => {
    const names = places?.get(path.slice(path.lastIndexOf("/") + 1))?.scope ?? [];
    return names.length === 0 ? null : names.join("/");
  };
  return kinds(order, "scopes", "Name scope", scope, "Scopes are those of the equations that ops were lowered from.", "op");
}

function bytes(ops: Ops): Overlay {
  const { module } = ops;
  let most = 0;
  let unknown = false;
  for (const id of Object.keys(module.values)) {
    const size = bytesOfValue(module, id);
    if (size === null) unknown = true;
    else most = Math.max(most, size);
  }
  const made = (path: string): number | null => {
    const op = ops.at(path);
    if (op === null || op.results.length === 0) return null;
    const sizes = op.results.map((id) => bytesOfValue(module, id));
    return sizes.some((size) => size === null) ? null : total(sizes);
  };
  return {
    legend: bytesLegend(most, unknown),
    eqn: (path) => bytesMark(made(path), most),
    group: (paths) => bytesMark(total(paths.map(made)), most),
    value: (key) => {
      const id = key.slice(key.lastIndexOf("|") + 1);
      return module.values[id] === undefined ? null : bytesMark(bytesOfValue(module, id), most);
    },
  };
}

function flops(ops: Ops): Overlay {
  const { module } = ops;
  const all = sum(rootsOf(module).map(({ region }) => regionWork(module, region)));
  const work = (path: string): Work | null => {
    const op = ops.at(path);
    if (op === null) return null;
    const own = opWork(module, op);
    const loops = ops.around(path).filter(({ name }) => keyOf(name) === "while");
    const times = loops.reduce((product, { trips }) => product * (trips ?? 1), 1);
    const open = loops.some(({ trips }) => trips == null);
    return { flops: own.flops * times, uncounted: own.uncounted, perTurn: own.perTurn || (open && own.flops > 0) };
  };
  return {
    legend: flopsLegend(all),
    eqn: (path) => {
      const found = work(path);
      return found === null ? null : flopsMark(found, all.flops);
    },
    group: (paths) => {
      const found = paths.map(work).filter((each) => each !== null);
      return found.length === 0 ? null : flopsMark(together(found), all.flops);
    },
    value: () => null,
  };
}

function memory(ops: Ops): Overlay {
  const { module } = ops;
  const lives = rootsOf(module).map(({ region }) => regionLive(module, region));
  const top = lives.reduce((most, live) => (live.peak > most.peak ? live : most), lives[0] ?? { peak: 0, at: null });
  const peaks = peakOps(ops, top.at);
  const regionsOf = (op: Op): number => ops.inside(op).reduce((most, region) => Math.max(most, regionLive(module, region).inputs), 0);
  /** Live while it runs: what its surroundings hold, and in a region what that holds beyond its arguments. */
  const during = (path: string): number | null => {
    const op = ops.at(path);
    if (op === null) return null;
    let found = 0;
    for (const outer of ops.around(path)) found += (holder(outer)?.get(outer.id) ?? 0) - regionsOf(outer);
    const own = holder(op)?.get(op.id);
    return own === undefined ? null : found + own + heldInside(module, op);
  };
  const holders = new Map<string, ReadonlyMap<string, number>>();
  const note = (region: Parameters<typeof regionLive>[1]): void => {
    const live = regionLive(module, region).during;
    for (const id of live.keys()) holders.set(id, live);
  };
  for (const { region } of module.functions) note(region);
  for (const op of ops.of.values()) for (const region of op.regions) note(region);
  const holder = (op: Op): ReadonlyMap<string, number> | undefined => holders.get(op.id);
  const isPeak = (path: string): boolean => peaks.has(path.slice(path.lastIndexOf("/") + 1));
  return {
    legend: memoryLegend(top.peak, "module"),
    eqn: (path) => memoryMark(during(path), isPeak(path), top.peak),
    group: (paths) => {
      const found = paths.map(during).filter((size) => size !== null);
      return found.length === 0
        ? null
        : memoryMark(
            found.reduce((most, size) => Math.max(most, size), 0),
            paths.some(isPeak),
            top.peak,
          );
    },
    value: () => null,
  };
}

/** The op of the peak, and those in its regions that the peak is at. */
function peakOps(ops: Ops, top: Op | null): Set<string> {
  const found = new Set<string>();
  for (let at = top; at !== null && !found.has(at.id); ) {
    found.add(at.id);
    if (heldInside(ops.module, at) === 0) break;
    const lives = ops.inside(at).map((region) => regionLive(ops.module, region));
    at =
      lives.reduce<(typeof lives)[number] | null>((most, live) => (most === null || live.peak > most.peak ? live : most), null)?.at ?? null;
  }
  return found;
}
