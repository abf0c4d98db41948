/** elkjs: layered, ports fixed where they are, orthogonal wires. */
import ELK, { type ElkExtendedEdge, type ElkNode } from "elkjs/lib/elk.bundled.js";
import { type Drawing, type Problem, SPACING } from "../problem.ts";

const OPTIONS = {
  "elk.algorithm": "layered",
  "elk.direction": "DOWN",
  "elk.spacing.nodeNode": `${SPACING.node}`,
  "elk.spacing.edgeNode": `${SPACING.wire}`,
  "elk.spacing.edgeEdge": `${SPACING.wire}`,
  "elk.layered.spacing.nodeNodeBetweenLayers": `${SPACING.rank}`,
};

export async function elk({ nodes, edges }: Problem): Promise<Drawing> {
  const children: ElkNode[] = nodes.map((node, v) => ({
    id: `n${v}`,
    width: node.w,
    height: node.h,
    layoutOptions: { "elk.portConstraints": "FIXED_POS" },
    ports: [
      ...node.ins.map((x, i) => ({ id: `n${v}i${i}`, x, y: 0, width: 0, height: 0 })),
      ...node.outs.map((x, i) => ({ id: `n${v}o${i}`, x, y: node.h, width: 0, height: 0 })),
    ],
  }));
  const list: ElkExtendedEdge[] = edges.map((edge, e) => ({
    id: `e${e}`,
    sources: [`n${edge.source}o${edge.sourcePort}`],
    targets: [`n${edge.target}i${edge.targetPort}`],
  }));
  const done = await new ELK().layout({ id: "root", layoutOptions: OPTIONS, children, edges: list });
  return {
    x: done.children!.map((child) => child.x!),
    y: done.children!.map((child) => child.y!),
    routes: done.edges!.map((edge) => {
      const { startPoint, bendPoints, endPoint } = edge.sections![0]!;
      return [startPoint, ...(bendPoints ?? []), endPoint].flatMap((p) => [p.x, p.y]);
    }),
  };
}
