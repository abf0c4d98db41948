/**
 * Nearly straight wires made straight: nodes joined by exactly straight segments move as one block (the blocks of Brandes & Koepf, GD
 * 2001, grown from a least-squares placement instead of from medians), smallest corrections first, wherever there is room.
 */
import type { Ordering } from "./order.ts";
import type { Layered } from "./types.ts";

/** Corrections larger than this are real sideways moves and stay. */
const REACH = 34;
const LARGEST_BLOCK = 80;
const EXACT = 0.01;

export function snapStraight(
  g: Layered,
  { members, position }: Ordering,
  x: Float64Array,
  gap: (left: number, right: number) => number,
  span: number,
): void {
  const block = Int32Array.from({ length: g.count }, (_, v) => v);
  const low = x.slice();
  const high = x.map((at, v) => at + g.width[v]!);
  const list: (number[] | undefined)[] = Array.from({ length: g.count }, (_, v) => [v]);
  const lean = (s: number): number => x[g.tail[s]!]! + g.tailX[s]! - x[g.head[s]!]! - g.headX[s]!;
  const join = (a: number, b: number): void => {
    const [keep, gone] = list[a]!.length >= list[b]!.length ? [a, b] : [b, a];
    for (const v of list[gone]!) {
      block[v] = keep;
      list[keep]!.push(v);
    }
    list[gone] = undefined;
    low[keep] = Math.min(low[keep]!, low[gone]!);
    high[keep] = Math.max(high[keep]!, high[gone]!);
  };
  const fits = (b: number, by: number): boolean => {
    const group = list[b]!;
    if (group.length > LARGEST_BLOCK) return false;
    return group.every((v) => {
      const r = g.rank[v]!;
      const k = g.start[r]! + position[v]!;
      if (by < 0) {
        const left = k > g.start[r]! ? members[k - 1]! : -1;
        return left < 0 || block[left] === b || x[left]! + g.width[left]! + gap(left, v) <= x[v]! + by + 1e-6;
      }
      const right = k + 1 < g.start[r + 1]! ? members[k + 1]! : -1;
      return right < 0 || block[right] === b || x[v]! + by + g.width[v]! + gap(v, right) <= x[right]! + 1e-6;
    });
  };
  const segments = Array.from({ length: g.head.length }, (_, s) => s);
  for (const s of segments) {
    const [a, b] = [block[g.tail[s]!]!, block[g.head[s]!]!];
    if (a !== b && Math.abs(lean(s)) < EXACT) join(a, b);
  }
  for (let pass = 0; pass < 3; pass++) {
    const leaning = segments.filter((s) => Math.abs(lean(s)) >= EXACT && Math.abs(lean(s)) <= REACH);
    leaning.sort((s, t) => Math.abs(lean(s)) - Math.abs(lean(t)) || s - t);
    let any = false;
    for (const s of leaning) {
      const by = lean(s);
      const upper = block[g.tail[s]!]!;
      const lower = block[g.head[s]!]!;
      if (upper === lower || Math.abs(by) > REACH) continue;
      // Straight pieces of a long program must not add up to one that leans out of it.
      if (Math.max(high[upper]!, high[lower]!) - Math.min(low[upper]!, low[lower]!) > span) continue;
      const lowerFirst = list[lower]!.length <= list[upper]!.length;
      const moves: [number, number][] = lowerFirst
        ? [
            [lower, by],
            [upper, -by],
          ]
        : [
            [upper, -by],
            [lower, by],
          ];
      const move = moves.find(([b, d]) => fits(b, d));
      if (!move) continue;
      for (const v of list[move[0]]!) x[v]! += move[1];
      low[move[0]]! += move[1];
      high[move[0]]! += move[1];
      join(upper, lower);
      any = true;
    }
    if (!any) break;
  }
}
