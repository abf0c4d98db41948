/** Folding of levels that are too large to read. Small ones come back as they are. */
import type { Level } from "../level.ts";
import { assemble, type Unit } from "./assemble.ts";
import { type Item, MOST_SHOWN } from "./items.ts";
import { foldSequence } from "./sequence.ts";

/** `path` names the level; `open` holds the keys of the groups that are open, beside the paths of equations. `unit`: a level of a module has ops. */
export function foldLevel(level: Level, path: string, open: ReadonlySet<string>, unit: Unit = "equation"): Level {
  const inner = level.nodes.flatMap((node, v) => (node.kind === "op" || node.kind === "call" ? [v] : []));
  if (inner.length <= MOST_SHOWN) return level;
  const lanes = level.twoLanes ? [inner.filter((v) => !level.nodes[v]!.back), inner.filter((v) => level.nodes[v]!.back)] : [inner];
  const paired = new Set(level.pairs.flatMap(({ forward, backward }) => [forward, backward]));
  return assemble(
    level,
    lanes.flatMap((lane) => foldLane(level, lane, paired)),
    path,
    open,
    unit,
  );
}

const LEAST_ROOM = 10;

/** Twins stand where they are: what is between them is folded. */
function foldLane(level: Level, lane: readonly number[], paired: ReadonlySet<number>): Item[] {
  if (lane.length <= MOST_SHOWN / 2) return [...lane];
  const twins = lane.filter((v) => paired.has(v));
  if (twins.length > MOST_SHOWN / 4) return foldSequence(level.nodes, lane);
  const stretches: number[][] = [[]];
  for (const v of lane) {
    if (paired.has(v)) stretches.push([]);
    else stretches[stretches.length - 1]!.push(v);
  }
  // The room is shared out by length, and nothing is folded to save a handful of boxes.
  return stretches.flatMap((stretch, i) => {
    const room = Math.max(LEAST_ROOM, Math.floor((MOST_SHOWN * stretch.length) / lane.length));
    const items = foldSequence(level.nodes, stretch, room);
    return i === 0 ? items : [twins[i - 1]!, ...items];
  });
}
