/** Parts that have been joined: each thing leads to another of its part, and the root of a part to itself. */

/** The root of the part that `at` is in; ways are halved as they are gone. */
export function rootOf(joined: Int32Array, at: number): number {
  let root = at;
  while (joined[root] !== root) {
    joined[root] = joined[joined[root]!]!;
    root = joined[root]!;
  }
  return root;
}
