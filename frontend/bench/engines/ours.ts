/**
 * Our engine on every wire, as the peers have to; the same places with elkjs's kind of wires, so that both can be compared by what was
 * placed and not by how it is joined; and as the page draws, with strips of arguments and chips for far values.
 */
import type { Level } from "../../src/drawing/graph/level.ts";
import { layoutLevel } from "../../src/drawing/layout/box.ts";
import { layoutFlow } from "../../src/drawing/layout/engine.ts";
import { planLevel, rankGap } from "../../src/drawing/layout/plan.ts";
import { rankNodes } from "../../src/drawing/layout/rank.ts";
import { MANY } from "../../src/drawing/layout/trunks.ts";
import { type Drawing, type Problem, type ProblemEdge, SPACING } from "../problem.ts";

/** `buses`: the wires of one value with many readers turn at one height, and run straight down from there. */
export function allWires({ nodes, edges }: Problem, buses = false): Drawing {
  const graph = { nodes: nodes.map(({ w, ins, outs }) => ({ w, ins, outs, pin: null })), edges };
  const { rank, ranks } = rankNodes(graph);
  const flow = layoutFlow(graph, rank, ranks);
  const heights = new Float64Array(ranks);
  nodes.forEach((node, v) => {
    heights[rank[v]!] = Math.max(heights[rank[v]!]!, node.h);
  });
  const reach = new Float64Array(ranks);
  const across = edges.map((edge, e) => [
    flow.x[edge.source]! + nodes[edge.source]!.outs[edge.sourcePort]!,
    ...flow.bends[e]!,
    flow.x[edge.target]! + nodes[edge.target]!.ins[edge.targetPort]!,
  ]);
  const tracks = tracksOf(edges, across, rank, ranks, buses ? MANY : Number.POSITIVE_INFINITY);
  edges.forEach((edge, e) => {
    const xs = across[e]!;
    for (let i = 1; i < xs.length; i++) {
      const r = rank[edge.source]! + i - 1;
      if (tracks[r]!.has(valueKey(edge))) continue;
      reach[r] = Math.max(reach[r]!, Math.abs(xs[i]! - xs[i - 1]!));
    }
  });
  const top = new Float64Array(ranks);
  for (let r = 1; r < ranks; r++) {
    const room = SPACING.wire * (1 + tracks[r - 1]!.size);
    top[r] = top[r - 1]! + heights[r - 1]! + Math.max(room, rankGap(reach[r - 1]!));
  }
  return {
    x: Array.from(flow.x),
    y: nodes.map((_, v) => top[rank[v]!]!),
    routes: across.map((xs, e) => {
      const edge = edges[e]!;
      const first = rank[edge.source]!;
      return xs.flatMap((x, i) => {
        const [above, below] = [top[first + i]!, top[first + i]! + heights[first + i]!];
        const track = i === 0 ? undefined : tracks[first + i - 1]!.get(valueKey(edge));
        const turn = track === undefined ? [] : turned(xs[i - 1]!, x, above - SPACING.wire * (1 + track));
        return i === 0 ? [x, below] : i === xs.length - 1 ? [...turn, x, above] : [...turn, x, above, x, below];
      });
    }),
  };
}

function turned(from: number, to: number, y: number): number[] {
  return [from, y, to, y];
}

function valueKey({ source, sourcePort }: ProblemEdge): string {
  return `${source} ${sourcePort}`;
}

/** Per gap between two ranks: the values of more than `most` readers that turn in it, from the lowest up. What turns down most often is lowest, so that it crosses fewest. */
function tracksOf(
  edges: readonly ProblemEdge[],
  across: readonly number[][],
  rank: Int32Array,
  ranks: number,
  most: number,
): Map<string, number>[] {
  const readers = new Map<string, number>();
  for (const edge of edges) readers.set(valueKey(edge), (readers.get(valueKey(edge)) ?? 0) + 1);
  const turns = Array.from({ length: ranks }, () => new Map<string, Set<number>>());
  edges.forEach((edge, e) => {
    const value = valueKey(edge);
    if (readers.get(value)! <= most) return;
    const xs = across[e]!;
    for (let i = 1; i < xs.length; i++) {
      const gap = turns[rank[edge.source]! + i - 1]!;
      if (xs[i] !== xs[i - 1]) gap.set(value, (gap.get(value) ?? new Set()).add(xs[i]!));
    }
  });
  return turns.map((gap) => {
    const order = [...gap].sort((a, b) => b[1].size - a[1].size);
    return new Map(order.map(([value], track) => [value, track]));
  });
}

export interface Drawn {
  problem: Problem;
  drawing: Drawing;
}

/** The level as the page has it; what became a chip is no wire of the answer. */
export function asDrawn(level: Level): Drawn {
  const box = layoutLevel(level, false, null);
  const plan = planLevel(box);
  const lane = box.lanes[0]!;
  const top = plan.top[0]!;
  const bottom = plan.bottom[0]!;
  const { parts } = box;
  const routes = lane.edges.map((edge) => {
    const source = parts[edge.source]!;
    const target = parts[edge.target]!;
    const points = [source.x + source.outs[edge.sourcePort]!, bottom[source.rank]!];
    edge.bends.forEach((x, i) => {
      points.push(x, top[source.rank + 1 + i]!, x, bottom[source.rank + 1 + i]!);
    });
    points.push(target.x + target.ins[edge.targetPort]!, top[target.rank]!);
    return points;
  });
  return {
    problem: { nodes: parts, edges: lane.edges },
    drawing: { x: parts.map((part) => part.x), y: parts.map((part) => top[part.rank]! + part.head), routes },
  };
}
