/** What every engine is judged by, from its routes alone. */

export interface Routed {
  /** Per wire: the points from port to port, x and y alternating. */
  routes: number[][];
  /** Per wire: target node and operand index, for the inversions; and source key, because wires of one value do not cross. */
  target: number[];
  operand: number[];
  trunk: string[];
}

interface Segment {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  trunk: string;
}

/** Pairs of segments of different values that cross, found in a grid. */
export function crossings({ routes, trunk }: Routed): number {
  const segments: Segment[] = [];
  routes.forEach((points, i) => {
    for (let k = 0; k + 3 < points.length; k += 2) {
      segments.push({ x0: points[k]!, y0: points[k + 1]!, x1: points[k + 2]!, y1: points[k + 3]!, trunk: trunk[i]! });
    }
  });
  const cell = 64;
  const grid = new Map<string, number[]>();
  segments.forEach(({ x0, y0, x1, y1 }, s) => {
    // Long straight runs touch few cells: walk along the segment.
    const steps = Math.max(1, Math.ceil(Math.hypot(x1 - x0, y1 - y0) / (cell / 2)));
    let before = "";
    for (let i = 0; i <= steps; i++) {
      const key = `${Math.floor((x0 + ((x1 - x0) * i) / steps) / cell)} ${Math.floor((y0 + ((y1 - y0) * i) / steps) / cell)}`;
      if (key === before) continue;
      before = key;
      const list = grid.get(key);
      if (list) list.push(s);
      else grid.set(key, [s]);
    }
  });
  const seen = new Set<number>();
  for (const list of grid.values()) {
    for (let i = 0; i < list.length; i++) {
      for (let j = i + 1; j < list.length; j++) {
        const [a, b] = [segments[list[i]!]!, segments[list[j]!]!];
        if (a.trunk !== b.trunk && cross(a, b)) seen.add(list[i]! * segments.length + list[j]!);
      }
    }
  }
  return seen.size;
}

function cross(a: Segment, b: Segment): boolean {
  const side = (s: Segment, x: number, y: number): number => Math.sign((s.x1 - s.x0) * (y - s.y0) - (s.y1 - s.y0) * (x - s.x0));
  return side(a, b.x0, b.y0) * side(a, b.x1, b.y1) < 0 && side(b, a.x0, a.y0) * side(b, a.x1, a.y1) < 0;
}

/** Neighbouring operands whose wires come from the wrong sides, and how many neighbours there are. */
export function inversions({ routes, target, operand }: Routed): { inverted: number; pairs: number } {
  const byTarget = new Map<number, { operand: number; x: number }[]>();
  routes.forEach((points, i) => {
    const x = points[points.length - 4] ?? 0;
    const list = byTarget.get(target[i]!) ?? [];
    list.push({ operand: operand[i]!, x });
    byTarget.set(target[i]!, list);
  });
  let inverted = 0;
  let pairs = 0;
  for (const list of byTarget.values()) {
    list.sort((a, b) => a.operand - b.operand);
    for (let i = 1; i < list.length; i++) {
      pairs++;
      if (list[i - 1]!.x > list[i]!.x + 0.5) inverted++;
    }
  }
  return { inverted, pairs };
}
