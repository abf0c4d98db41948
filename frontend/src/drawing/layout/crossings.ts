/**
 * What an order costs: crossings between neighbouring ranks, ports included, with a Fenwick tree (Barth, Juenger & Mutzel 2004), and
 * once more the pairs of operands that arrive at their node in the wrong order, for those are read as another program.
 */
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
        const at = g.tailAt[g.down.list[j]!]!;
        let until = j;
        while (until < end && g.tailAt[g.down.list[until]!]! === at) {
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

/** Nodes with more operands than this have them in a strip, and there is no reading order to keep. */
const MOST_OPERANDS = 12;

export function countInversions(g: Layered, position: Float64Array): number {
  let total = 0;
  for (let v = 0; v < g.real; v++) {
    const from = g.up.start[v]!;
    const to = g.up.start[v + 1]!;
    if (to - from < 2 || to - from > MOST_OPERANDS) continue;
    for (let i = from; i < to; i++) {
      const s = g.up.list[i]!;
      const left = position[g.tail[s]!]! + g.tailAt[s]!;
      for (let j = i + 1; j < to; j++) {
        const t = g.up.list[j]!;
        if (left > position[g.tail[t]!]! + g.tailAt[t]!) total++;
      }
    }
  }
  return total;
}
