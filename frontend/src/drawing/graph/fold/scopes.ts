/** Neighbours under one name of the name stack: the modules of flax and equinox, `jax.named_scope`. */
import type { LevelNode } from "../level.ts";
import { firstOf, group, type Item } from "./items.ts";

/** Groups are made only where names say something about most of the level. */
const SHARE = 0.6;
const LEAST = 3;

/** `depth` is how many names the level itself is already inside of. */
export function foldScopes(nodes: readonly LevelNode[], items: readonly Item[], depth: number): Item[] {
  const name = (item: Item): string => nodes[firstOf(item)]!.scope[depth] ?? "";
  const stretches: { name: string; items: Item[] }[] = [];
  for (const item of items) {
    const last = stretches[stretches.length - 1];
    if (last && last.name === name(item)) last.items.push(item);
    else stretches.push({ name: name(item), items: [item] });
  }
  const named = stretches.filter((each) => each.name !== "" && each.items.length >= LEAST);
  const covered = named.reduce((sum, each) => sum + each.items.length, 0);
  if (named.length < 2 || covered < SHARE * items.length) return [...items];
  return stretches.flatMap((each) => (named.includes(each) ? [group("scope", each.name, each.items)] : each.items));
}

/** How many names all of the items have in common. */
export function commonScope(nodes: readonly LevelNode[], items: readonly Item[]): number {
  let common: readonly string[] | null = null;
  for (const item of items) {
    const { scope } = nodes[firstOf(item)]!;
    if (common === null) common = scope;
    const until: number = common.findIndex((name, i) => scope[i] !== name);
    if (until >= 0) common = common.slice(0, until);
  }
  return common?.length ?? 0;
}
