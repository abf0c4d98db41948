/** Our engine twice: on every wire, as the peers have to; and as the page draws, with strips of arguments and chips for far values. */
import type { Level } from "../../src/drawing/graph/level.ts";
import { layoutLevel } from "../../src/drawing/layout/box.ts";
import { layoutFlow } from "../../src/drawing/layout/engine.ts";
import { planLevel, rankGap } from "../../src/drawing/layout/plan.ts";
import { rankNodes } from "../../src/drawing/layout/rank.ts";
import type { Drawing, Problem } from "../problem.ts";

export function allWires({ nodes, edges }: Problem): Drawing {
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
  edges.forEach((edge, e) => {
    const xs = across[e]!;
    for (let i = 1; i < xs.length; i++) {
      const r = rank[edge.source]! + i - 1;
      reach[r] = Math.max(reach[r]!, Math.abs(xs[i]! - xs[i - 1]!));
    }
  });
  const top = new Float64Array(ranks);
  for (let r = 1; r < ranks; r++) top[r] = top[r - 1]! + heights[r - 1]! + rankGap(reach[r - 1]!);
  return {
    x: Array.from(flow.x),
    y: nodes.map((_, v) => top[rank[v]!]!),
    routes: across.map((xs, e) => {
      const first = rank[edges[e]!.source]!;
      return xs.flatMap((x, i) => {
        const [above, below] = [top[first + i]!, top[first + i]! + heights[first + i]!];
        return i === 0 ? [x, below] : i === xs.length - 1 ? [x, above] : [x, above, x, below];
      });
    }),
  };
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
