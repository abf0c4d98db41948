/**
 * From ranked nodes to the proper layered graph: edges over several ranks become chains of dummies, and the wires of a value share one
 * (trunks.ts), so that the number of dummies stays near-linear.
 */
import { type Columns, columnsOf } from "./columns.ts";
import { trunksOf } from "./trunks.ts";
import type { Csr, FlowGraph, Layered } from "./types.ts";

const DUMMY_WIDTH = 2;
const MIDDLE = 0.5;

export function makeLayered(graph: FlowGraph, nodeRank: Int32Array, ranks: number): Layered {
  const n = graph.nodes.length;
  const m = graph.edges.length;
  const chain = new Int32Array(m).fill(-1);
  const chainLength = new Int32Array(m);
  const columns = columnsOf(graph.edges);
  const { target, targetPort } = columns;
  const { node: trunkNode, port: trunkPort, first: begin, list } = trunksOf(graph, columns, nodeRank);
  const dummies = dummiesOf(columns, nodeRank, begin, list);
  // Every dummy has one segment above it, every edge one at its end.
  const segments = m + dummies;
  const tail = new Int32Array(segments);
  const head = new Int32Array(segments);
  const tailX = new Float64Array(segments);
  const headX = new Float64Array(segments);
  const tailAt = new Float64Array(segments);
  const headAt = new Float64Array(segments);
  const dummyRank = new Int32Array(dummies);
  let made = 0;
  let next = 0;
  const segment = (t: number, tx: number, ta: number, h: number, hx: number, ha: number): void => {
    tail[next] = t;
    tailX[next] = tx;
    tailAt[next] = ta;
    head[next] = h;
    headX[next] = hx;
    headAt[next] = ha;
    next++;
  };
  for (let t = 0; t < trunkNode.length; t++) {
    const [node, port] = [trunkNode[t]!, trunkPort[t]!];
    const [lead, end] = [begin[t]!, begin[t + 1]!];
    if (lead === end) continue;
    const from = nodeRank[node]!;
    let longest = 0;
    for (let k = lead; k < end; k++) longest = Math.max(longest, nodeRank[target[list[k]!]!]! - from);
    const first = n + made;
    const { outs } = graph.nodes[node]!;
    const outX = outs[port] ?? 0;
    const outAt = placeOf(outs, port);
    for (let d = 1; d < longest; d++) {
      dummyRank[made++] = from + d;
      if (d === 1) segment(node, outX, outAt, first, 0, MIDDLE);
      else segment(first + d - 2, 0, MIDDLE, first + d - 1, 0, MIDDLE);
    }
    for (let k = lead; k < end; k++) {
      const e = list[k]!;
      const reader = target[e]!;
      const span = nodeRank[reader]! - from;
      const { ins } = graph.nodes[reader]!;
      const inX = ins[targetPort[e]!] ?? 0;
      const inAt = placeOf(ins, targetPort[e]!);
      if (span === 1) segment(node, outX, outAt, reader, inX, inAt);
      else {
        segment(first + span - 2, 0, MIDDLE, reader, inX, inAt);
        chain[e] = first;
        chainLength[e] = span - 1;
      }
    }
  }
  const count = n + dummies;
  const rank = new Int32Array(count);
  rank.set(nodeRank);
  rank.set(dummyRank, n);
  const width = new Float64Array(count).fill(DUMMY_WIDTH);
  for (let v = 0; v < n; v++) width[v] = graph.nodes[v]!.w;
  const pinned = new Uint8Array(count);
  for (let v = 0; v < n; v++) pinned[v] = graph.nodes[v]!.pin ? 1 : 0;
  const start = new Int32Array(ranks + 1);
  for (let v = 0; v < count; v++) start[rank[v]! + 1]!++;
  for (let r = 0; r < ranks; r++) start[r + 1]! += start[r]!;
  return {
    real: n,
    count,
    rank,
    ranks,
    width,
    pinned,
    tail,
    head,
    tailX,
    headX,
    tailAt,
    headAt,
    tailSlot: slots(graph, tail, "outs"),
    headSlot: slots(graph, head, "ins"),
    down: csr(count, tail, tailX),
    up: csr(count, head, headX),
    chain,
    chainLength,
    start,
  };
}

/** The middle of the slot of one port, where all slots of the node are equally wide. */
function placeOf(ports: readonly number[], port: number): number {
  const x = ports[port];
  if (x === undefined || ports.length < 2) return MIDDLE;
  let before = 0;
  // Ports stand in order but for those of frames with several bodies.
  if ((port === 0 || ports[port - 1]! < x) && (port + 1 >= ports.length || x < ports[port + 1]!)) before = port;
  else for (const other of ports) if (other < x) before++;
  return (before + MIDDLE) / ports.length;
}

function slots(graph: FlowGraph, ends: Int32Array, side: "ins" | "outs"): Float64Array {
  const slot = new Float64Array(ends.length).fill(1);
  for (let s = 0; s < ends.length; s++) {
    const node = graph.nodes[ends[s]!];
    if (node && node[side].length > 1) slot[s] = 1 / node[side].length;
  }
  return slot;
}

function dummiesOf({ source, target }: Columns, rank: Int32Array, first: Int32Array, list: Int32Array): number {
  let count = 0;
  for (let p = 0; p + 1 < first.length; p++) {
    let longest = 1;
    for (let k = first[p]!; k < first[p + 1]!; k++) {
      const e = list[k]!;
      longest = Math.max(longest, rank[target[e]!]! - rank[source[e]!]!);
    }
    count += longest - 1;
  }
  return count;
}

/** Segments by end, in port order. */
function csr(count: number, key: Int32Array, offset: Float64Array): Csr {
  const start = new Int32Array(count + 1);
  for (const v of key) start[v + 1]!++;
  for (let v = 0; v < count; v++) start[v + 1]! += start[v]!;
  const list = new Int32Array(key.length);
  const fill = start.slice();
  for (let i = 0; i < key.length; i++) list[fill[key[i]!]!++] = i;
  for (let v = 0; v < count; v++) {
    const a = start[v]!;
    const b = start[v + 1]!;
    if (b - a > FEW) list.subarray(a, b).sort((i, j) => offset[i]! - offset[j]! || i - j);
    else sortFew(list, a, b, offset);
  }
  return { start, list };
}

/** Nearly every node has a few segments, mostly in order: by insertion, without calls. */
const FEW = 16;

function sortFew(list: Int32Array, from: number, to: number, offset: Float64Array): void {
  for (let i = from + 1; i < to; i++) {
    const s = list[i]!;
    let k = i - 1;
    for (; k >= from && offset[list[k]!]! > offset[s]!; k--) list[k + 1] = list[k]!;
    list[k + 1] = s;
  }
}
