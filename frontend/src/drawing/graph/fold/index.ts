/** Folding of levels that are too large to read. Small ones come back as they are. */
import type { Grouping } from "../../scene.ts";
import type { Level } from "../level.ts";
import { assemble, type Unit } from "./assemble.ts";
import { type Item, MOST_SHOWN } from "./items.ts";
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
  const lanes = level.twoLanes ? [inner.filter((v) => !level.nodes[v]!.back), inner.filter((v) => level.nodes[v]!.back)] : [inner];
  const paired = new Set(level.pairs.flatMap(({ forward, backward }) => [forward, backward]));
  return assemble(
    level,
    lanes.flatMap((lane) => foldLane(level, lane, paired, by)),
    path,
    open,
    unit,
  );
}

/** Twins are seen where they are, unless they are too many. */
function foldLane(level: Level, lane: readonly number[], paired: ReadonlySet<number>, by: Grouping): Item[] {
  if (by === "auto" && lane.length <= MOST_SHOWN / 2) return [...lane];
  const twins = lane.filter((v) => paired.has(v));
  return foldSequence(level.nodes, lane, by, MOST_SHOWN, twins.length > MOST_SHOWN / 4 ? null : new Set(twins));
}
