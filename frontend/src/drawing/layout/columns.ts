/** The edges of a graph as columns of numbers: walks over a hundred thousand of them go by those, not from object to object. */
import type { FlowEdge } from "./types.ts";

export interface Columns {
  source: Int32Array;
  sourcePort: Int32Array;
  target: Int32Array;
  targetPort: Int32Array;
}

export function columnsOf(edges: readonly FlowEdge[]): Columns {
  const m = edges.length;
  const [source, sourcePort, target, targetPort] = [new Int32Array(m), new Int32Array(m), new Int32Array(m), new Int32Array(m)];
  for (let e = 0; e < m; e++) {
    const edge = edges[e]!;
    source[e] = edge.source;
    sourcePort[e] = edge.sourcePort;
    target[e] = edge.target;
    targetPort[e] = edge.targetPort;
  }
  return { source, sourcePort, target, targetPort };
}
