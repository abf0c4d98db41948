/** The folding of one sequence: by what is alike, by names, by repetition, and what is still too long by cuts; then each group by itself. */
import type { LevelNode } from "../level.ts";
import { foldChunks, stretches } from "./chunks.ts";
import { foldComponents } from "./components.ts";
import { type Group, type Item, MOST_SHOWN } from "./items.ts";
import { foldRuns } from "./runs.ts";
import { commonScope, foldScopes } from "./scopes.ts";

/** `members` in program order. At most about `most` items, the groups among which hold at most `MOST_SHOWN` each, and so on. */
export function foldSequence(nodes: readonly LevelNode[], members: readonly number[], most = MOST_SHOWN): Item[] {
  return members.length <= most ? [...members] : shrink(nodes, foldComponents(nodes, members), most);
}

function shrink(nodes: readonly LevelNode[], whole: readonly Item[], most: number): Item[] {
  let items = [...whole];
  if (items.length > most) items = foldScopes(nodes, items, commonScope(nodes, items));
  if (items.length > most) items = foldRuns(nodes, items);
  while (items.length > most) items = foldChunks(nodes, items, most);
  return items.map((item) => deeper(nodes, item));
}

/** The inside of a group, folded by itself: what is repeated is only cut into stretches, for it has its shape already. */
function inner(nodes: readonly LevelNode[], group: Group): Group {
  const { kind, items } = group;
  if (kind === "run" || kind === "alike") return { ...group, items: stretches(items).map((item) => deeper(nodes, item)) };
  if (items.length <= MOST_SHOWN) return { ...group, items: items.map((item) => deeper(nodes, item)) };
  const plain = items.every((item) => typeof item === "number");
  return { ...group, items: plain ? foldSequence(nodes, items) : shrink(nodes, items, MOST_SHOWN) };
}

function deeper(nodes: readonly LevelNode[], item: Item): Item {
  return typeof item === "number" ? item : inner(nodes, item);
}
