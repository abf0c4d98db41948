/** Folding of levels that are too large to read. Small ones come back as they are. */
import type { Grouping } from "../../scene.ts";
import type { Level } from "../level.ts";
import { assemble, type Unit } from "./assemble.ts";
import { entry, type Item, MOST_SHOWN } from "./items.ts";
import { wayOf } from "./scopes.ts";
import { foldSequence } from "./sequence.ts";

/** Fewer boxes are not grouped, whatever is asked for. */
const LEAST_GROUPED = 8;

export interface Folding {
  /** The keys of the groups that are open, beside the paths of equations. */
  open: ReadonlySet<string>;
  by?: Grouping | undefined;
  /** What the level has: a level of a module has ops. */
  unit?: Unit;
}

/** `path` names the level. */
export function foldLevel(level: Level, path: string, { open, by = "auto", unit = "equation" }: Folding): Level {
  const inner = level.nodes.flatMap((node, v) => (node.kind === "op" || node.kind === "call" ? [v] : []));
  if (by === "none" || inner.length <= (by === "auto" ? MOST_SHOWN : LEAST_GROUPED)) return level;
  const known = entry(shapes, level.closed ?? level, () => new Map<string, readonly Item[]>());
  const needed = level.pairs.flatMap(({ forward, backward }) => (isLoop(level, forward) ? [forward, backward] : []));
  return assemble(
    level,
    entry(known, `${by} ${needed.join(" ")}`, () => shapeOf(level, inner, by, new Set(needed))),
    path,
    open,
    unit,
  );
}

/** What a level is folded into does not depend on what is open, but for what is open beside its twin. */
const shapes = new WeakMap<Level, Map<string, readonly Item[]>>();

function shapeOf(level: Level, inner: readonly number[], by: Grouping, needed: ReadonlySet<number>): Item[] {
  const lanes = level.twoLanes ? [inner.filter((v) => !level.nodes[v]!.back), inner.filter((v) => level.nodes[v]!.back)] : [inner];
  // The transpose goes by what its forward pass goes by, or the two would not fit together.
  const way = by === "auto" ? wayOf(level.nodes, lanes[0]!) : by;
  return lanes.flatMap((lane): Item[] => {
    if (by === "auto" && lane.length <= MOST_SHOWN / 2) return [...lane];
    const seen = lane.filter((v) => needed.has(v));
    return foldSequence(level.nodes, lane, { by: way, fitted: by === "auto", needed: seen.length > MOST_NEEDED ? null : new Set(seen) });
  });
}

/** More loops with a twin than this are not all worth a place of their own. */
const MOST_NEEDED = 8;

/** Loops and what is open are read beside their twins; the two sides of a closed helper function are not. */
function isLoop({ nodes }: Level, v: number): boolean {
  const { call } = nodes[v]!;
  return call !== null && (call.kind !== "call" || call.open);
}
