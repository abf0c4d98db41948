/** Folding of levels that are too large to read. Small ones come back as they are. */
import type { Grouping } from "../../scene.ts";
import type { Level } from "../level.ts";
import { assemble, type Unit } from "./assemble.ts";
import { entry, type Item, MOST_SHOWN } from "./items.ts";
import { wayOf } from "./scopes.ts";
import { foldSequences, type Sequence } from "./sequence.ts";

/** Fewer boxes are not grouped, whatever is asked for. */
const LEAST_GROUPED = 8;

/** More arguments or results than this are no row that is read. */
const MOST_PILLS = 16;

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
  if (by === "none") return level;
  // What has few boxes and very many arguments is read by their trees alone.
  if (inner.length <= (by === "auto" ? MOST_SHOWN : LEAST_GROUPED))
    return isWide(level) ? assemble(level, ownOf(level, inner), path, open, unit) : level;
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

function isWide({ inputs, outputs }: Level): boolean {
  return Math.max(inputs.length, outputs.length) > MOST_PILLS && inputs.every(({ outer }) => outer < 0);
}

/** The same list each time: what is known of a level is known by it. */
function ownOf(level: Level, inner: readonly number[]): readonly Item[] {
  return entry(plain, level.closed ?? level, () => inner);
}

const plain = new WeakMap<Level, readonly Item[]>();

/** What a level is folded into does not depend on what is open, but for what is open beside its twin. */
const shapes = new WeakMap<Level, Map<string, readonly Item[]>>();

function shapeOf(level: Level, inner: readonly number[], by: Grouping, needed: ReadonlySet<number>): Item[] {
  const lanes = level.twoLanes ? [inner.filter((v) => !level.nodes[v]!.back), inner.filter((v) => level.nodes[v]!.back)] : [inner];
  // The transpose goes by what its forward pass goes by, or the two would not fit together.
  const way = by === "auto" ? wayOf(level.nodes, lanes[0]!) : by;
  const sequences = lanes.map((members): Sequence => {
    const seen = members.filter((v) => needed.has(v));
    return { members, needed: seen.length > MOST_NEEDED ? null : new Set(seen) };
  });
  return foldSequences(level.nodes, sequences, { by: way, fitted: by === "auto" }).flat();
}

/** More loops with a twin than this are not all worth a place of their own. */
const MOST_NEEDED = 8;

/** Loops and what is open are read beside their twins; the two sides of a closed helper function are not. */
function isLoop({ nodes }: Level, v: number): boolean {
  const { call } = nodes[v]!;
  return call !== null && (call.kind !== "call" || call.open);
}
