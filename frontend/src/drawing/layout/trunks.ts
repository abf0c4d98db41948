/**
 * Which wires of a value run together: all of them, in one trunk (hyperedges, as in Sander, Layout of directed hypergraphs with orthogonal
 * hyperedges, GD 2003). But a value with many readers has one trunk for each part into which the graph falls without such values: the
 * leaves of an optimizer share their rates and nothing else, and from one trunk in the middle a fan would cross all of them in every rank.
 *
 * Promises: every edge is in exactly one trunk; trunks stand in the order of their sources and ports; what is split costs at most as
 * many dummies as the graph has nodes and edges, so that their number stays near-linear.
 */
import { rootOf } from "../roots.ts";
import type { Columns } from "./columns.ts";
import type { FlowGraph } from "./types.ts";

export interface Trunks {
  /** Source and port of each trunk. */
  node: Int32Array;
  port: Int32Array;
  /** Edges of trunk t are `list[first[t] .. first[t + 1]]`. */
  first: Int32Array;
  list: Int32Array;
}

/** A value with more readers than this joins no parts, and has a trunk for each. */
export const MANY = 5;

export function trunksOf(graph: FlowGraph, columns: Columns, rank: Int32Array): Trunks {
  const byPort = portsOf(graph, columns);
  const count = byPort.node.length;
  let most = 0;
  for (let t = 0; t < count; t++) most = Math.max(most, byPort.first[t + 1]! - byPort.first[t]!);
  return most > MANY ? split(byPort, columns, rank, partsOf(graph.nodes.length, byPort, columns)) : byPort;
}

/** Edges grouped by source and source port, in the order of the sources. */
function portsOf(graph: FlowGraph, { source, sourcePort }: Columns): Trunks {
  const n = graph.nodes.length;
  const base = new Int32Array(n + 1);
  for (let v = 0; v < n; v++) base[v + 1] = base[v]! + Math.max(1, graph.nodes[v]!.outs.length);
  const count = base[n]!;
  const node = new Int32Array(count);
  const port = new Int32Array(count);
  for (let v = 0; v < n; v++) {
    for (let p = base[v]!; p < base[v + 1]!; p++) {
      node[p] = v;
      port[p] = p - base[v]!;
    }
  }
  const first = new Int32Array(count + 1);
  for (let e = 0; e < source.length; e++) first[base[source[e]!]! + sourcePort[e]! + 1]!++;
  for (let p = 0; p < count; p++) first[p + 1]! += first[p]!;
  const fill = first.slice();
  const list = new Int32Array(source.length);
  for (let e = 0; e < source.length; e++) list[fill[base[source[e]!]! + sourcePort[e]!]!++] = e;
  return { node, port, first, list };
}

/** The first node of the part in which each node is, where values of many readers join nothing. */
function partsOf(count: number, { first, list }: Trunks, { source, target }: Columns): Int32Array {
  const part = Int32Array.from({ length: count }, (_, v) => v);
  for (let t = 0; t + 1 < first.length; t++) {
    if (first[t + 1]! - first[t]! > MANY) continue;
    for (let k = first[t]!; k < first[t + 1]!; k++) {
      const a = rootOf(part, source[list[k]!]!);
      const b = rootOf(part, target[list[k]!]!);
      part[Math.max(a, b)] = Math.min(a, b);
    }
  }
  for (let v = 0; v < count; v++) part[v] = rootOf(part, v);
  return part;
}

function split(whole: Trunks, { source, target }: Columns, rank: Int32Array, part: Int32Array): Trunks {
  const node: number[] = [];
  const port: number[] = [];
  const first: number[] = [];
  const list = whole.list.slice();
  let left = part.length + list.length;
  const span = (e: number): number => rank[target[e]!]! - rank[source[e]!]!;
  const open = (t: number, at: number): void => {
    node.push(whole.node[t]!);
    port.push(whole.port[t]!);
    first.push(at);
  };
  for (let t = 0; t < whole.node.length; t++) {
    const [from, to] = [whole.first[t]!, whole.first[t + 1]!];
    open(t, from);
    if (to - from <= MANY) continue;
    const readers = list.subarray(from, to);
    const sorted = readers.slice().sort((a, b) => part[target[a]!]! - part[target[b]!]! || a - b);
    const starts: number[] = [];
    let cost = 0;
    let longest = 0;
    for (let i = 0; i < sorted.length; i++) {
      if (i > 0 && part[target[sorted[i]!]!] !== part[target[sorted[i - 1]!]!]) {
        starts.push(from + i);
        cost += longest - 1;
        longest = 0;
      }
      longest = Math.max(longest, span(sorted[i]!));
    }
    if (cost > left) continue;
    left -= cost;
    readers.set(sorted);
    for (const at of starts) open(t, at);
  }
  first.push(list.length);
  return { node: Int32Array.from(node), port: Int32Array.from(port), first: Int32Array.from(first), list };
}
