/** Counting crossings between neighbouring ranks, ports included, with a Fenwick tree (Barth, Juenger & Mutzel 2004). */
import type { Layered } from "./types.ts";

export function countCrossings(g: Layered, members: Int32Array): number {
  let total = 0;
  const place = new Int32Array(g.head.length);
  let tree = new Int32Array(16);
  for (let r = 1; r < g.ranks; r++) {
    let count = 0;
    for (let k = g.start[r]!; k < g.start[r + 1]!; k++) {
      const v = members[k]!;
      for (let j = g.up.start[v]!; j < g.up.start[v + 1]!; j++) place[g.up.list[j]!] = ++count;
    }
    if (count < 2) continue;
    if (tree.length < count + 2) tree = new Int32Array(2 * count);
    else tree.fill(0, 0, count + 2);
    let seen = 0;
    for (let k = g.start[r - 1]!; k < g.start[r]!; k++) {
      const v = members[k]!;
      let j = g.down.start[v]!;
      const end = g.down.start[v + 1]!;
      while (j < end) {
        // Segments from one port form a trunk: they do not cross each other.
        const x = g.tailX[g.down.list[j]!]!;
        let until = j;
        while (until < end && g.tailX[g.down.list[until]!]! === x) {
          let below = 0;
          for (let i = place[g.down.list[until]!]!; i > 0; i -= i & -i) below += tree[i]!;
          total += seen - below;
          until++;
        }
        for (; j < until; j++) {
          for (let i = place[g.down.list[j]!]!; i <= count; i += i & -i) tree[i]!++;
          seen++;
        }
      }
    }
  }
  return total;
}
