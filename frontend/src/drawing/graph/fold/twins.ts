/**
 * Which groups of the forward pass and of its transpose are the two sides of one thing: the same call, the same loop, the same turn of it.
 * What comes first forward comes last backward.
 */
import { entry, type Group, type Item } from "./items.ts";

export interface Twins {
  forward: Group;
  backward: Group;
}

export function twinsOf(forward: readonly Item[], backward: readonly Item[]): Twins[] {
  const there = named(forward, false);
  const here = named(backward, true);
  const found: Twins[] = [];
  for (const [name, groups] of there) {
    const others = here.get(name);
    if (!others) continue;
    if (groups.length === others.length)
      groups.forEach((each, i) => {
        found.push({ forward: each, backward: others[others.length - 1 - i]! });
      });
    else found.push({ forward: largest(groups), backward: largest(others) });
  }
  return found;
}

function named(items: readonly Item[], turned: boolean): Map<string, Group[]> {
  const found = new Map<string, Group[]>();
  for (const item of items) {
    if (typeof item === "number" || item.same === "") continue;
    const turn = item.kind === "turn" ? `#${turned ? item.of - 1 - item.turn : item.turn}` : "";
    entry(found, item.same + turn, () => []).push(item);
  }
  return found;
}

function largest(groups: readonly Group[]): Group {
  return groups.reduce((best, each) => (each.size > best.size ? each : best));
}
