/** What has no shape to go by is cut where the fewest values cross, near equal lengths. */
import type { LevelNode } from "../level.ts";
import { counted, group, type Item, leavesOf, MOST_SHOWN, sizeOf, words } from "./items.ts";

const CHUNK = 40;
/** How far a cut may move from its place to cross fewer values, as a share of the chunk. */
const SLACK = 0.3;

export function foldChunks(nodes: readonly LevelNode[], items: readonly Item[], most: number): Item[] {
  const pieces = Math.min(Math.ceil(most / 2), CHUNK, Math.ceil(items.length / CHUNK));
  const length = items.length / pieces;
  const crossing = crossings(nodes, items);
  const cuts = [0];
  for (let i = 1; i < pieces; i++) {
    const middle = Math.round(i * length);
    const slack = Math.floor(SLACK * length);
    let cut = middle;
    for (let at = Math.max(cuts[i - 1]! + 1, middle - slack); at <= Math.min(items.length - 1, middle + slack); at++)
      if (crossing[at]! < crossing[cut]! || (crossing[at] === crossing[cut] && Math.abs(at - middle) < Math.abs(cut - middle))) cut = at;
    cuts.push(cut);
  }
  cuts.push(items.length);
  return cuts.slice(0, -1).map((from, i) => {
    const inside = items.slice(from, cuts[i + 1]);
    const size = inside.reduce<number>((sum, item) => sum + sizeOf(item), 0);
    // A module without a main function is a level of functions, as their titles say.
    const noun = inside.every((item) => leavesOf(item).every((v) => nodes[v]!.title.startsWith("@"))) ? "functions" : "ops";
    return group("chunk", `${counted(size)} ${noun}: ${words(nodes, inside)}`, inside);
  });
}

/** Things that do not read each other stand side by side: more than this are too wide to read. */
export const BESIDE = 16;

/** Repeated things by number: `1 to 40`, and so on; again where there are too many of those. */
export function stretches(
  items: readonly Item[],
  most = MOST_SHOWN,
  numbered: readonly string[] = items.map((_, i) => counted(i + 1)),
): readonly Item[] {
  if (items.length <= most) return items;
  const chunk = Math.min(CHUNK, most);
  const length = Math.ceil(items.length / Math.min(chunk, Math.ceil(items.length / chunk)));
  const cut: Item[] = [];
  for (let from = 0; from < items.length; from += length) {
    const until = Math.min(items.length, from + length);
    const title = `${numbered[from]} to ${numbered[until - 1]}`;
    cut.push(group("stretch", title, stretches(items.slice(from, until), most, numbered.slice(from, until))));
  }
  return cut;
}

/** Per place between two items: how many values made before it are read after it. */
function crossings(nodes: readonly LevelNode[], items: readonly Item[]): Int32Array {
  const at = new Map<number, number>();
  items.forEach((item, i) => {
    for (const v of leavesOf(item)) at.set(v, i);
  });
  const last = new Map<string, [number, number]>();
  items.forEach((item, i) => {
    for (const v of leavesOf(item))
      for (const feed of nodes[v]!.feeds) {
        const made = feed.kind === "node" ? at.get(feed.node) : undefined;
        if (feed.kind === "node" && made !== undefined && made < i) last.set(`${feed.node} ${feed.port}`, [made, i]);
      }
  });
  const change = new Int32Array(items.length + 2);
  for (const [made, read] of last.values()) {
    change[made + 1]!++;
    change[read + 1]!--;
  }
  for (let i = 1; i < change.length; i++) change[i]! += change[i - 1]!;
  return change;
}
