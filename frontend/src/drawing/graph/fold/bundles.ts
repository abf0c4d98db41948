/**
 * Arguments and results that are leaves of one pytree and go the same way, as one pill: `params['layers'][0]`, 9 values.
 *
 * The largest part of a tree is taken whose leaves few items read; names that are no paths (JAX's letters) are never bundled.
 */

const LEAST = 4;
/** A bundle that more items read would be a knot. */
const MOST_READERS = 3;

export interface Bundle {
  name: string;
  /** Positions in the strip. */
  members: number[];
}

export interface Leaf {
  /** Null where it must stand for itself. */
  name: string | null;
  /** The items that read it, or make it. */
  ends: readonly number[];
}

export function bundlesOf(leaves: readonly Leaf[]): Bundle[] {
  const paths = leaves.map(({ name }) => (name === null ? [] : segments(name)));
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
      const known = parts.get(segment);
      if (known) known.push(i);
      else parts.set(segment, [i]);
    }
    for (const part of parts.values()) walk(part, depth + 1);
  };
  walk(
    leaves.map((_, i) => i),
    0,
  );
  return found;
}

/** `params['layers'][0].w` -> `params`, `['layers']`, `[0]`, `.w`. */
export function segments(name: string): string[] {
  return name.match(/^[^[.]+|\[[^\]]*\]|\.[^[.]+/g) ?? [];
}
