/** Neighbours under one name of the name stack: the modules of flax, `jax.named_scope`. */
import type { LevelNode } from "../level.ts";
import { group, type Item, times } from "./items.ts";

const LEAST = 3;
/** As many neighbours whose names differ by a number (`layers_3`) are one thing many times. */
const MANY = 6;

/** Folds what has no name at a depth, and what is inside of the innermost names; `context` is all that stands there. */
type Rest = (members: readonly number[], context: readonly number[]) => readonly Item[];

export function foldScopes(nodes: readonly LevelNode[], members: readonly number[], rest: Rest): Item[] {
  return byNames(nodes, members, commonScope(nodes, members), rest);
}

function byNames(nodes: readonly LevelNode[], members: readonly number[], depth: number, rest: Rest): Item[] {
  const stretches: { name: string; members: number[] }[] = [];
  for (const v of members) {
    const name = nodes[v]!.scope[depth] ?? "";
    const last = stretches[stretches.length - 1];
    if (last?.name === name) last.members.push(v);
    else stretches.push({ name, members: [v] });
  }
  if (stretches.every(({ name }) => name === "")) return [...rest(members, members)];
  const path = nodes[members[0]!]!.scope.slice(0, depth).join("/");
  const items: Item[] = [];
  // What has no name, or too little under one, is one stretch to the calls it was made in.
  let plain: number[] = [];
  const flush = (): void => {
    if (plain.length > 0) items.push(...rest(plain, members));
    plain = [];
  };
  for (const { name, members: inner } of stretches) {
    if (name === "" || inner.length < LEAST) plain.push(...inner);
    else {
      flush();
      items.push(group("scope", name, byNames(nodes, inner, depth + 1, rest), `scope ${path}/${name}`));
    }
  }
  flush();
  return numbered(items, path);
}

/** `layers_0`, `layers_1`, ... in a row as `layers ×12`. */
function numbered(items: readonly Item[], path: string): Item[] {
  const found: Item[] = [];
  for (let i = 0; i < items.length; ) {
    const stem = stemOf(items[i]!);
    let end = i + 1;
    while (stem !== "" && end < items.length && stemOf(items[end]!) === stem) end++;
    const many = items.slice(i, end);
    if (many.length < MANY) found.push(...many);
    else found.push(group("run", times(stem, many.length), many, `scopes ${path}/${stem}`));
    i = end;
  }
  return found;
}

function stemOf(item: Item): string {
  if (typeof item === "number" || item.kind !== "scope" || !/\d/.test(item.title)) return "";
  return item.title.replace(/[_.-]?\d+$/, "").replace(/\d+/g, "n");
}

/** Names group a level of its own accord only where they say something about most of it, in few words. */
const SHARE = 0.6;
const MOST_NAMES = 24;

/** Whether a level is better read by its names or by the calls that it was traced in. */
export function wayOf(nodes: readonly LevelNode[], members: readonly number[]): "scopes" | "calls" {
  const depth = commonScope(nodes, members);
  let [named, stretches, last] = [0, 0, ""];
  for (const v of members) {
    const name = nodes[v]!.scope[depth] ?? "";
    if (name !== "") named++;
    if (name !== "" && name !== last) stretches++;
    last = name;
  }
  return named >= SHARE * members.length && stretches <= MOST_NAMES ? "scopes" : "calls";
}

/** How many names all of the members have in common. */
function commonScope(nodes: readonly LevelNode[], members: readonly number[]): number {
  let common: readonly string[] | null = null;
  for (const v of members) {
    const { scope } = nodes[v]!;
    if (common === null) common = scope;
    const until: number = common.findIndex((name, i) => scope[i] !== name);
    if (until >= 0) common = common.slice(0, until);
  }
  return common?.length ?? 0;
}
