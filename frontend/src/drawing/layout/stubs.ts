/**
 * What is no wire: values that go far or to very many, and inputs that the transpose reads, are named chips at each use. What is left are the
 * edges of each lane and those from lane to lane.
 */
import type { Feed, Level } from "../graph/level.ts";
import type { Crossing } from "./box.ts";
import { STUB_CROSSINGS, STUB_RANKS, STUB_USES } from "./sizes.ts";
import type { FlowEdge } from "./types.ts";

interface Split {
  feeds: Feed[][];
  crossings: Crossing[];
  edges: FlowEdge[][];
  /** Results that need a tag because stubs name them. */
  tags: string[][];
}

/** Feeds inside a lane become edges, those between lanes crossings; an input that the transpose reads is a chip there. */
export function splitFeeds(level: Level, lane: readonly (0 | 1)[]): Split {
  const crossings: Crossing[] = [];
  const edges: FlowEdge[][] = [[], []];
  const tags = level.nodes.map((node) => untagged(node.outs.length));
  const paired = new Set(level.pairs.map(({ forward, backward }) => `${forward} ${backward}`));
  let loose = 0;
  level.nodes.forEach((node, target) => {
    for (const feed of node.feeds) {
      if (feed.kind !== "node" || level.nodes[feed.node]!.kind === "input") continue;
      if (lane[feed.node] === 0 && lane[target] === 1 && !paired.has(`${feed.node} ${target}`)) loose++;
    }
  });
  const feeds = level.nodes.map(({ feeds: own }, target) => {
    // Those of the level where none of them is another here.
    let here = own;
    for (let targetPort = 0; targetPort < own.length; targetPort++) {
      const feed = own[targetPort]!;
      if (feed.kind !== "node") continue;
      const ends: FlowEdge = { source: feed.node, sourcePort: feed.port, target, targetPort };
      const from = lane[feed.node]!;
      if (from === lane[target]) edges[from]!.push(ends);
      else if (from === 0 && level.nodes[feed.node]!.kind === "input") here = replaced(here, own, targetPort, stub(level, feed));
      else if (from === 0 && loose > STUB_CROSSINGS && !paired.has(`${feed.node} ${target}`)) {
        here = replaced(here, own, targetPort, stub(level, feed));
        tag(tags, feed.node, feed.port, level.nodes[feed.node]!.outs[feed.port]!.name);
      } else crossings.push({ kind: from === 0 ? "cross" : "return", ...ends });
    }
    return here;
  });
  return { feeds, crossings, edges, tags };
}

/** Lists that are the level's own, or that many nodes share, are copied before they are changed. */
function replaced(here: Feed[], own: readonly Feed[], at: number, feed: Feed): Feed[] {
  const copy = here === own ? [...own] : here;
  copy[at] = feed;
  return copy;
}

const UNTAGGED: string[][] = [];

export function untagged(count: number): string[] {
  UNTAGGED[count] ??= new Array<string>(count).fill("");
  return UNTAGGED[count];
}

function tag(tags: string[][], node: number, port: number, text: string): void {
  const known = tags[node]!;
  if (known === untagged(known.length)) tags[node] = [...known];
  tags[node]![port] = text;
}

function stub(level: Level, { node, port, leaf }: Extract<Feed, { kind: "node" }>): Feed {
  const source = level.nodes[node]!.outs[port]!;
  return { kind: "stub", node, port, ...(leaf ?? { text: source.name, letter: source.letter, hint: source.hint }) };
}

export interface Ranked {
  rank: Int32Array;
  ranks: number;
}

/** Replaces far edges by stubs, in place, and notes which results need a tag. */
export function cutFarEdges(
  level: Level,
  feeds: Feed[][],
  edges: FlowEdge[][],
  members: number[][],
  ranks: Ranked[],
  tags: string[][],
): void {
  members.forEach((list, l) => {
    const local = localIndex(level.nodes.length, list, 0);
    const rankOf = (v: number): number => ranks[l]!.rank[local[v]!]!;
    const base = new Int32Array(level.nodes.length + 1);
    for (let v = 0; v < level.nodes.length; v++) base[v + 1] = base[v]! + level.nodes[v]!.outs.length;
    const uses = new Int32Array(base[level.nodes.length]!);
    // Each reader counts once, however many of its ports read it.
    const read = new Set<string>();
    for (const { source, sourcePort, target } of edges[l]!) {
      const port = base[source]! + sourcePort;
      if (level.nodes[source]!.stands && read.size === read.add(`${port} ${target}`).size) continue;
      uses[port]!++;
    }
    edges[l] = edges[l]!.filter((edge) => {
      const span = rankOf(edge.target) - rankOf(edge.source);
      const many = uses[base[edge.source]! + edge.sourcePort]! > STUB_USES;
      if (span <= STUB_RANKS && !many) return true;
      const feed = feeds[edge.target]![edge.targetPort]!;
      const chip = stub(level, feed.kind === "node" ? feed : { kind: "node", node: edge.source, port: edge.sourcePort });
      feeds[edge.target] = replaced(feeds[edge.target]!, level.nodes[edge.target]!.feeds, edge.targetPort, chip);
      if (chip.kind === "stub" && level.nodes[edge.source]!.kind !== "input") tag(tags, edge.source, edge.sourcePort, chip.text);
      return false;
    });
  });
}

export function localIndex(count: number, members: readonly number[], offset: number): Int32Array {
  const local = new Int32Array(count).fill(-1);
  members.forEach((v, i) => {
    local[v] = i + offset;
  });
  return local;
}
