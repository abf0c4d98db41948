/**
 * What every engine is judged by, from boxes and routes alone. Wires are led to their real ports first, and what wires of one value
 * share counts once: it is drawn once.
 */
import type { Drawing, Problem } from "./problem.ts";

export interface Quality {
  crossings: number;
  /** Corners of the wires; of curves there are none to count. */
  bends: number;
  /** Length of all wires, in thousands of pixels. */
  length: number;
  /** Neighbouring operands of a box whose wires arrive in the wrong order, of a hundred. */
  inverted: number;
  /** Of the whole picture, in millions of square pixels. */
  area: number;
}

interface Segment {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  net: number;
}

export function quality(problem: Problem, drawing: Drawing): Quality {
  const routes = snapped(problem, drawing);
  const ports = new Map<string, number>();
  const nets = problem.edges.map(({ source, sourcePort }) => {
    const key = `${source} ${sourcePort}`;
    if (!ports.has(key)) ports.set(key, ports.size);
    return ports.get(key)!;
  });
  const segments = drawnOnce(routes, nets);
  const length = segments.reduce((sum, s) => sum + Math.hypot(s.x1 - s.x0, s.y1 - s.y0), 0);
  return {
    crossings: crossings(segments),
    bends: bends(routes, nets),
    length: length / 1e3,
    inverted: inversions(problem, drawing, routes),
    area: area(problem, drawing, routes) / 1e6,
  };
}

const SAME = 0.5;

/** Routes from port to port, without points on a straight line. */
function snapped({ nodes, edges }: Problem, { x, y, routes }: Drawing): number[][] {
  return edges.map(({ source, sourcePort, target, targetPort }, e) => {
    const points = [...routes[e]!];
    points[0] = x[source]! + nodes[source]!.outs[sourcePort]!;
    points[1] = y[source]! + nodes[source]!.h;
    points[points.length - 2] = x[target]! + nodes[target]!.ins[targetPort]!;
    points[points.length - 1] = y[target]!;
    const kept = points.slice(0, 2);
    for (let i = 2; i + 3 < points.length; i += 2) {
      const [ax, ay] = [kept[kept.length - 2]!, kept[kept.length - 1]!];
      const [bx, by, cx, cy] = points.slice(i, i + 4) as [number, number, number, number];
      const reach = Math.hypot(cx - ax, cy - ay);
      const aside = Math.abs((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / Math.max(reach, 1e-9);
      if (aside < SAME) continue;
      kept.push(bx, by);
    }
    kept.push(...points.slice(-2));
    return kept;
  });
}

const GRAIN = 10;

/** Segments with what wires of one value share counted once. */
function drawnOnce(routes: readonly number[][], nets: readonly number[]): Segment[] {
  const upright = new Map<string, [number, number][]>();
  const level = new Map<string, [number, number][]>();
  const leaning = new Map<string, Segment>();
  const add = (lines: Map<string, [number, number][]>, key: string, a: number, b: number): void => {
    const list = lines.get(key);
    if (list) list.push([Math.min(a, b), Math.max(a, b)]);
    else lines.set(key, [[Math.min(a, b), Math.max(a, b)]]);
  };
  const grain = (at: number): number => Math.round(at * GRAIN);
  routes.forEach((points, e) => {
    const net = nets[e]!;
    for (let i = 0; i + 3 < points.length; i += 2) {
      const [x0, y0, x1, y1] = [points[i]!, points[i + 1]!, points[i + 2]!, points[i + 3]!];
      if (grain(x0) === grain(x1)) add(upright, `${net} ${grain(x0)}`, y0, y1);
      else if (grain(y0) === grain(y1)) add(level, `${net} ${grain(y0)}`, x0, x1);
      else leaning.set(`${net} ${grain(x0)} ${grain(y0)} ${grain(x1)} ${grain(y1)}`, { x0, y0, x1, y1, net });
    }
  });
  const segments = [...leaning.values()];
  for (const [key, list] of upright) {
    const [net, at] = key.split(" ").map(Number) as [number, number];
    for (const [a, b] of united(list)) segments.push({ x0: at / GRAIN, y0: a, x1: at / GRAIN, y1: b, net });
  }
  for (const [key, list] of level) {
    const [net, at] = key.split(" ").map(Number) as [number, number];
    for (const [a, b] of united(list)) segments.push({ x0: a, y0: at / GRAIN, x1: b, y1: at / GRAIN, net });
  }
  return segments;
}

function united(list: [number, number][]): [number, number][] {
  list.sort((p, q) => p[0] - q[0]);
  const whole: [number, number][] = [];
  for (const [a, b] of list) {
    const last = whole[whole.length - 1];
    if (last && a <= last[1]) last[1] = Math.max(last[1], b);
    else whole.push([a, b]);
  }
  return whole;
}

const CELL = 64;

/** Pairs of segments of different values that cross, found in a grid: each in the cell in which it happens. */
function crossings(segments: readonly Segment[]): number {
  const grid = new Map<number, number[]>();
  const cell = (x: number, y: number): number => x * 1e7 + y;
  segments.forEach((s, i) => {
    const [top, bottom] = s.y0 <= s.y1 ? [s.y0, s.y1] : [s.y1, s.y0];
    const xAt = (y: number): number => (s.y0 === s.y1 ? s.x0 : s.x0 + ((s.x1 - s.x0) * (y - s.y0)) / (s.y1 - s.y0));
    for (let row = Math.floor(top / CELL); row <= Math.floor(bottom / CELL); row++) {
      const a = s.y0 === s.y1 ? s.x0 : xAt(Math.max(top, row * CELL));
      const b = s.y0 === s.y1 ? s.x1 : xAt(Math.min(bottom, (row + 1) * CELL));
      for (let column = Math.floor(Math.min(a, b) / CELL); column <= Math.floor(Math.max(a, b) / CELL); column++) {
        const list = grid.get(cell(column, row));
        if (list) list.push(i);
        else grid.set(cell(column, row), [i]);
      }
    }
  });
  let count = 0;
  for (const [key, list] of grid) {
    for (let i = 0; i < list.length; i++) {
      for (let j = i + 1; j < list.length; j++) {
        const a = segments[list[i]!]!;
        const b = segments[list[j]!]!;
        if (a.net === b.net) continue;
        const at = meeting(a, b);
        if (at && cell(Math.floor(at[0] / CELL), Math.floor(at[1] / CELL)) === key) count++;
      }
    }
  }
  return count;
}

function meeting(a: Segment, b: Segment): [number, number] | null {
  const [ax, ay, bx, by] = [a.x1 - a.x0, a.y1 - a.y0, b.x1 - b.x0, b.y1 - b.y0];
  const turn = ax * by - ay * bx;
  if (turn === 0) return null;
  const t = ((b.x0 - a.x0) * by - (b.y0 - a.y0) * bx) / turn;
  const u = ((b.x0 - a.x0) * ay - (b.y0 - a.y0) * ax) / turn;
  return t > 0 && t < 1 && u > 0 && u < 1 ? [a.x0 + ax * t, a.y0 + ay * t] : null;
}

function bends(routes: readonly number[][], nets: readonly number[]): number {
  const corners = new Set<string>();
  routes.forEach((points, e) => {
    for (let i = 2; i + 3 < points.length; i += 2) corners.add(`${nets[e]!} ${Math.round(points[i]!)} ${Math.round(points[i + 1]!)}`);
  });
  return corners.size;
}

/** Where a wire is before the last stretch to its box: at the bottom of the lowest box that ends above it. */
function inversions({ nodes, edges }: Problem, { y }: Drawing, routes: readonly number[][]): number {
  const bottoms = nodes.map((node, v) => y[v]! + node.h).sort((a, b) => a - b);
  const operands = new Map<number, { port: number; x: number }[]>();
  edges.forEach(({ target, targetPort }, e) => {
    let low = 0;
    let high = bottoms.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (bottoms[middle]! <= y[target]! + SAME) low = middle + 1;
      else high = middle;
    }
    const list = operands.get(target) ?? [];
    list.push({ port: targetPort, x: xAt(routes[e]!, bottoms[low - 1] ?? y[target]!) });
    operands.set(target, list);
  });
  let inverted = 0;
  let pairs = 0;
  for (const list of operands.values()) {
    list.sort((a, b) => a.port - b.port);
    for (let i = 1; i < list.length; i++) {
      pairs++;
      if (list[i - 1]!.x > list[i]!.x + SAME) inverted++;
    }
  }
  return pairs === 0 ? 0 : (100 * inverted) / pairs;
}

/** The x of a route where it last passes the height `at`. */
function xAt(points: readonly number[], at: number): number {
  for (let i = points.length - 4; i >= 0; i -= 2) {
    const [x0, y0, x1, y1] = [points[i]!, points[i + 1]!, points[i + 2]!, points[i + 3]!];
    if (y0 <= at) return y1 <= y0 ? x0 : x0 + ((x1 - x0) * Math.min(at - y0, y1 - y0)) / (y1 - y0);
  }
  return points[0]!;
}

function area({ nodes }: Problem, { x, y }: Drawing, routes: readonly number[][]): number {
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const take = (px: number, py: number): void => {
    left = Math.min(left, px);
    right = Math.max(right, px);
    top = Math.min(top, py);
    bottom = Math.max(bottom, py);
  };
  nodes.forEach((node, v) => {
    take(x[v]!, y[v]!);
    take(x[v]! + node.w, y[v]! + node.h);
  });
  for (const points of routes) for (let i = 0; i < points.length; i += 2) take(points[i]!, points[i + 1]!);
  return (right - left) * (bottom - top);
}
