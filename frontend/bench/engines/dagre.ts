/** dagre: knows no ports, so its wires are led to them afterwards. */
import dagre from "@dagrejs/dagre";
import { type Drawing, type Problem, SPACING } from "../problem.ts";

interface Placed {
  x: number;
  y: number;
}

export function dag({ nodes, edges }: Problem): Drawing {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: SPACING.node, ranksep: SPACING.rank, edgesep: SPACING.wire });
  graph.setDefaultEdgeLabel(() => ({}));
  nodes.forEach((node, v) => {
    graph.setNode(`${v}`, { width: node.w, height: node.h });
  });
  edges.forEach((edge, e) => {
    graph.setEdge(`${edge.source}`, `${edge.target}`, {}, `e${e}`);
  });
  dagre.layout(graph);
  const at = nodes.map((_, v) => graph.node(`${v}`) as Placed);
  return {
    x: at.map(({ x }, v) => x - nodes[v]!.w / 2),
    y: at.map(({ y }, v) => y - nodes[v]!.h / 2),
    routes: edges.map((edge, e) => {
      const { points } = graph.edge(`${edge.source}`, `${edge.target}`, `e${e}`) as { points: Placed[] };
      return points.flatMap((p) => [p.x, p.y]);
    }),
  };
}
