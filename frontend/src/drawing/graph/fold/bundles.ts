/**
 * Arguments and results that are leaves of one pytree and go the same way, as one pill: `params['layers'][0]`, 9 values.
 *
 * The largest part of a tree is taken whose leaves few items read. Values without a path (letters of JAX's or MLIR's) share a pill only
 * where very many of them go the very same way.
 */
import { entry } from "./items.ts";

const LEAST = 4;
const LEAST_UNNAMED = 12;
/** A bundle that more items read would be a knot... */
const MOST_READERS = 3;
/** ...unless its parts had so many times as many wires. */
const WORTH = 2;

export interface Bundle {
  /** "" where its members have no names. */
  name: string;
  /** Positions in the strip. */
  members: number[];
}

export interface Leaf {
  /** Null where it has none that says anything. */
  name: string | null;
  /** It must stand for itself. */
  alone: boolean;
  /** The items that read it, or make it. */
  ends: readonly number[];
}

export function bundlesOf(leaves: readonly Leaf[]): Bundle[] {
  const paths = leaves.map(({ name, alone }) => (name === null || alone ? [] : segments(name)));
  const readersOf = (positions: readonly number[]): number => new Set(positions.flatMap((i) => leaves[i]!.ends)).size;
  const walk = (positions: readonly number[], depth: number): { bundles: Bundle[]; wires: number } => {
    const parts = new Map<string, number[]>();
    let [bundles, wires]: [Bundle[], number] = [[], 0];
    for (const i of positions) {
      const segment = paths[i]![depth];
      if (segment === undefined) wires += readersOf([i]);
      else entry(parts, segment, () => []).push(i);
    }
    for (const part of parts.values()) {
      const inner = walk(part, depth + 1);
      bundles = [...bundles, ...inner.bundles];
      wires += inner.wires;
    }
    const readers = readersOf(positions);
    if (depth === 0 || positions.length < LEAST || (readers > MOST_READERS && wires <= WORTH * readers)) return { bundles, wires };
    const name = paths[positions[0]!]!.slice(0, depth).join("");
    return { bundles: [{ name, members: [...positions] }], wires: readers };
  };
  const all = leaves.map((_, i) => i);
  return [...walk(all, 0).bundles, ...unnamed(leaves)];
}

function unnamed(leaves: readonly Leaf[]): Bundle[] {
  const ways = new Map<string, number[]>();
  leaves.forEach(({ name, alone, ends }, i) => {
    if (name !== null || alone || ends.length === 0) return;
    const way = [...new Set(ends)].sort((a, b) => a - b).join(" ");
    entry(ways, way, () => []).push(i);
  });
  return [...ways.values()].filter((members) => members.length >= LEAST_UNNAMED).map((members) => ({ name: "", members }));
}

/** `params['layers'][0].w` -> `params`, `['layers']`, `[0]`, `.w`. */
export function segments(name: string): string[] {
  return name.match(/^[^[.]+|\[[^\]]*\]|\.[^[.]+/g) ?? [];
}
