/**
 * Arguments and results that are leaves of one pytree and go the same way, as one pill: `params['layers'][0]`, 9 values.
 *
 * The largest part of a tree is taken whose leaves few items read. Values without a path (letters of JAX's or MLIR's) share a pill only
 * where very many of them go the very same way.
 */
import { entry } from "./items.ts";

const LEAST = 4;
const LEAST_UNNAMED = 24;
/** A bundle that more items read would be a knot. */
const MOST_READERS = 6;

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
  const found: Bundle[] = [];
  const walk = (positions: readonly number[], depth: number): void => {
    if (positions.length < LEAST) return;
    const name = paths[positions[0]!]!.slice(0, depth).join("");
    if (depth > 0 && new Set(positions.flatMap((i) => leaves[i]!.ends)).size <= MOST_READERS) {
      found.push({ name, members: [...positions] });
      return;
    }
    const parts = new Map<string, number[]>();
    for (const i of positions) {
      const segment = paths[i]![depth];
      if (segment === undefined) continue;
      entry(parts, segment, () => []).push(i);
    }
    for (const part of parts.values()) walk(part, depth + 1);
  };
  walk(
    leaves.map((_, i) => i),
    0,
  );
  return [...found, ...unnamed(leaves)];
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
