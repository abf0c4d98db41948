/** The engines on the same level: the same boxes, the same ports where an engine knows ports. */
import dagre from "@dagrejs/dagre";
import ELK, { type ElkExtendedEdge, type ElkNode } from "elkjs/lib/elk.bundled.js";
import type { Level } from "../src/drawing/graph/level.ts";
import { layoutLevel, type Part } from "../src/drawing/layout/box.ts";
import { layoutFlow } from "../src/drawing/layout/engine.ts";
import { planLevel } from "../src/drawing/layout/plan.ts";
import { rankNodes } from "../src/drawing/layout/rank.ts";
import type { Routed } from "./metrics.ts";

export type Engine = "ours" | "ours, all wires" | "elkjs" | "dagre";

interface Problem {
  level: Level;
  parts: Part[];
}

interface Edge {
  source: number;
  target: number;
  operand: number;
}

function edgesOf(level: Level): Edge[] {
  return level.nodes.flatMap((node, target) =>
    node.feeds.flatMap((feed, operand) => (feed.kind === "node" ? [{ source: feed.node, target, operand }] : [])),
  );
}

/** Sizes and ports as the drawing measures them, outside of the measured time of the others. */
export function problem(level: Level): Problem {
  return { level, parts: layoutLevel(level, false, null).parts };
}

export function ours(level: Level): Routed {
  const box = layoutLevel(level, false, null);
  const plan = planLevel(box);
  const lane = box.lanes[0]!;
  const top = plan.top[0]!;
  const bottom = plan.bottom[0]!;
  const routes = lane.edges.map((edge) => {
    const source = box.parts[edge.source]!;
    const target = box.parts[edge.target]!;
    const points = [source.x + source.outs[edge.sourcePort]!, bottom[source.rank]!];
    edge.bends.forEach((x, i) => {
      points.push(x, top[source.rank + 1 + i]!, x, bottom[source.rank + 1 + i]!);
    });
    points.push(target.x + target.ins[edge.targetPort]!, top[target.rank]!);
    return points;
  });
  const { edges } = lane;
  return {
    routes,
    target: edges.map((edge) => edge.target),
    operand: edges.map((edge) => edge.targetPort),
    trunk: edges.map((edge) => `${edge.source}`),
  };
}

/** The engine alone, on every wire, as the others have to: nothing becomes a chip. */
export function allWires({ level, parts }: Problem): Routed {
  const edges = edgesOf(level);
  const graph = {
    nodes: level.nodes.map((node, v) => ({
      w: parts[v]!.w,
      ins: parts[v]!.ins,
      outs: parts[v]!.outs,
      pin: node.kind === "input" ? ("first" as const) : node.kind === "output" ? ("last" as const) : null,
    })),
    edges: edges.map(({ source, target, operand }) => ({ source, sourcePort: 0, target, targetPort: operand })),
  };
  const { rank, ranks } = rankNodes(graph);
  const flow = layoutFlow(graph, rank, ranks);
  const step = 70;
  const routes = edges.map((edge, e) => {
    const r = rank[edge.source]!;
    const points = [flow.x[edge.source]! + parts[edge.source]!.outs[0]!, r * step + 38];
    flow.bends[e]!.forEach((x, i) => {
      points.push(x, (r + 1 + i) * step, x, (r + 1 + i) * step + 38);
    });
    points.push(flow.x[edge.target]! + parts[edge.target]!.ins[edge.operand]!, rank[edge.target]! * step);
    return points;
  });
  return routed(edges, routes);
}

export async function elk({ level, parts }: Problem): Promise<Routed> {
  const edges = edgesOf(level);
  const children: ElkNode[] = level.nodes.map((_, v) => ({
    id: `n${v}`,
    width: parts[v]!.w,
    height: parts[v]!.h,
    layoutOptions: { "elk.portConstraints": "FIXED_POS" },
    ports: [
      ...parts[v]!.ins.map((x, i) => ({ id: `n${v}i${i}`, x, y: 0, width: 0, height: 0 })),
      ...parts[v]!.outs.map((x, i) => ({ id: `n${v}o${i}`, x, y: parts[v]!.h, width: 0, height: 0 })),
    ],
  }));
  const list: ElkExtendedEdge[] = edges.map((edge, e) => ({
    id: `e${e}`,
    sources: [`n${edge.source}o0`],
    targets: [`n${edge.target}i${edge.operand}`],
  }));
  const layoutOptions = { "elk.algorithm": "layered", "elk.direction": "DOWN" };
  const done = await new ELK().layout({ id: "root", layoutOptions, children, edges: list });
  const routes = (done.edges ?? []).map((edge) => {
    const section = edge.sections?.[0];
    if (!section) return [];
    return [section.startPoint, ...(section.bendPoints ?? []), section.endPoint].flatMap((p) => [p.x, p.y]);
  });
  return routed(edges, routes);
}

export function dag({ level, parts }: Problem): Routed {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB" });
  graph.setDefaultEdgeLabel(() => ({}));
  level.nodes.forEach((_, v) => {
    graph.setNode(`${v}`, { width: parts[v]!.w, height: parts[v]!.h });
  });
  const edges = edgesOf(level);
  edges.forEach((edge, e) => {
    graph.setEdge(`${edge.source}`, `${edge.target}`, {}, `e${e}`);
  });
  dagre.layout(graph);
  const routes = edges.map((edge, e) => {
    const { points } = graph.edge(`${edge.source}`, `${edge.target}`, `e${e}`) as { points: { x: number; y: number }[] };
    return points.flatMap((p) => [p.x, p.y]);
  });
  return routed(edges, routes);
}

function routed(edges: readonly Edge[], routes: number[][]): Routed {
  return {
    routes,
    target: edges.map((edge) => edge.target),
    operand: edges.map((edge) => edge.operand),
    trunk: edges.map((edge) => `${edge.source}`),
  };
}
