/**
 * Binders and results of a body that are leaves of one argument's tree, as one pill: `params`, 60 values. Opened, its parts stand for
 * themselves, or are pills again where they are large. Many letters of one role in a row share a pill, too; residuals do not, for each of them
 * leads to its own in the twin, but for those of other branches, which this one leaves empty or does not read.
 *
 * Promises: only neighbours of one group share a pill, so the order of the operands stays; every port of the enclosing equation still leads
 * to the pill that its binder is in.
 */
import { segments } from "./fold/bundles.ts";
import { counted } from "./fold/items.ts";
import { isGap } from "./folded.ts";
import { changed, type Feed, inputNode, type Level, type LevelNode, outputNode, type PortInfo } from "./level.ts";

/** An argument with more leaves than this is one pill. */
const MOST_LEAVES = 8;
/** Letters say nothing that would be lost, but a few of them are no crowd. */
const MOST_LETTERS = 16;
/** So many neighbours that are not used have a pill each. */
const MOST_GAPS = 2;
/** With more pills than this in a strip, what has no name in common shares one, too: a row that wide is not read. */
const CROWD = 24;
/** As many names as a tooltip can hold. */
const NAMES = 24;
/** More readers than this name the leaf instead of drawing a wire. */
const MOST_WIRES = 4;

type Strip = Level["inputs"];
type Body = Pick<Level, "nodes" | "inputs" | "outputs">;

interface Bundle {
  key: string;
  /** Positions in the strip. */
  from: number;
  until: number;
  name: string;
}

/** `open` holds the keys of the bundles that are open. */
export function bundleBinders({ nodes, inputs, outputs }: Body, path: string, open: ReadonlySet<string>): Body {
  const ins = bundlesOf(
    inputs.map(({ node, outer }) => {
      const port = nodes[node]!.outs[0]!;
      return { port, free: outer >= 0, gap: outer >= 0 && !port.used && port.group !== "carry" };
    }),
    `${path}~in`,
    open,
  );
  const outs = bundlesOf(
    // A literal or a stub stands on its own pill.
    outputs.map(({ node, outer }) => ({
      port: nodes[node]!.ins[0]!,
      free: outer >= 0 && nodes[node]!.feeds.every(({ kind }) => kind === "node"),
      gap: outer >= 0 && nodes[node]!.feeds.every(isGap),
    })),
    `${path}~out`,
    open,
  );
  if (ins.length === 0 && outs.length === 0) return { nodes, inputs, outputs };
  const made = new Map<number, LevelNode>();
  const into = new Map<number, number>();
  for (const bundle of ins) join(nodes, inputs, bundle, made, into, "input");
  for (const bundle of outs) join(nodes, outputs, bundle, made, into, "output");
  // Numbers anew: the first of each bundle is the pill, the others are gone.
  const at = new Map<number, number>();
  const kept: [number, LevelNode][] = [];
  nodes.forEach((node, v) => {
    if (into.has(v) && into.get(v) !== v) return;
    at.set(v, kept.length);
    kept.push([v, made.get(v) ?? node]);
  });
  const moved = (v: number): number => at.get(into.get(v) ?? v)!;
  const renewed = kept.map(([, node]) => changed(node, { feeds: node.feeds.map((feed) => follow(feed, nodes, into, moved)) }));
  const strip = (seats: Strip): Strip =>
    seats.flatMap(({ node, outer }) => (into.has(node) && into.get(node) !== node ? [] : [{ node: moved(node), outer }]));
  return { nodes: renewed, inputs: strip(inputs), outputs: strip(outputs) };
}

function follow(feed: Feed, nodes: readonly LevelNode[], into: ReadonlyMap<number, number>, moved: (v: number) => number): Feed {
  if (feed.kind !== "node" && feed.kind !== "stub") return feed;
  if (feed.kind === "stub" || !into.has(feed.node)) return { ...feed, node: moved(feed.node) };
  const { name, letter, hint } = nodes[feed.node]!.outs[feed.port]!;
  return { kind: "node", node: moved(feed.node), port: 0, leaf: { text: name, letter, hint } };
}

function join(
  nodes: readonly LevelNode[],
  strip: Strip,
  { key, from, until, name }: Bundle,
  made: Map<number, LevelNode>,
  into: Map<number, number>,
  side: "input" | "output",
): void {
  const seats = strip.slice(from, until);
  const members = seats.map(({ node }) => nodes[node]!);
  const ports = members.map((node) => (side === "input" ? node.outs[0]! : node.ins[0]!));
  const first = seats[0]!.node;
  for (const { node } of seats) into.set(node, first);
  const count = `${counted(members.length)} values`;
  const hint = [...ports.slice(0, NAMES).map((port) => `${port.name} ${port.type}`), ...(ports.length > NAMES ? ["\u2026"] : [])].join(
    "\n",
  );
  const words = name === "" ? { name: count, type: "" } : { name, type: count };
  const pill: PortInfo = { ...ports[0]!, ...words, letter: false, value: null, hint, used: ports.some(({ used }) => used), notes: [] };
  const call = { kind: "call" as const, title: "", open: false, toggle: key, inside: null, loops: [], hint: count, fold: null };
  const stands = { seats: seats.map(({ outer }) => outer), stands: members.map((member) => member.key) };
  if (side === "input") made.set(first, { ...inputNode(key, pill), call, ...stands });
  else {
    const feeds = members.flatMap((member) => member.feeds);
    made.set(first, { ...outputNode(key, pill, feeds[0]!), feeds, ins: feeds.map(() => pill), call, ...stands });
  }
}

interface Leaf {
  port: PortInfo;
  /** It may share a pill. */
  free: boolean;
  /** Nothing reads it, or nothing has set it: it shares a pill with its neighbours of that kind. */
  gap: boolean;
}

function bundlesOf(leaves: readonly Leaf[], path: string, open: ReadonlySet<string>): Bundle[] {
  const found: Bundle[] = [];
  /** Those that are in a bundle, or were taken out of one. */
  const settled = new Set<number>();
  const paths = leaves.map(({ port }) => (port.letter ? [] : segments(port.name)));
  const kin = (i: number, j: number, depth: number): boolean => {
    const [a, b] = [leaves[i]!, leaves[j]!];
    if (
      !a.free ||
      !b.free ||
      a.port.group !== b.port.group ||
      a.port.role !== b.port.role ||
      a.port.letter !== b.port.letter ||
      (a.port.letter && a.port.role === "residual")
    )
      return false;
    return Array.from({ length: depth }, (_, d) => paths[i]![d] === paths[j]![d]).every(Boolean);
  };
  const walk = (from: number, until: number, depth: number): void => {
    for (let i = from; i < until; ) {
      let end = i + 1;
      while (end < until && kin(i, end, depth)) end++;
      const size = end - i;
      const { port, free } = leaves[i]!;
      if (free && size > (port.letter ? MOST_LETTERS : MOST_LEAVES)) {
        const shared = port.letter ? [] : common(paths.slice(i, end));
        const name = shared.join("");
        const key = `${path}.${port.group}.${name || i}`;
        if (!open.has(key)) found.push({ key, from: i, until: end, name });
        else {
          // What was opened is seen.
          for (let each = i; each < end; each++) settled.add(each);
          if (!port.letter) walk(i, end, shared.length + 1);
        }
      }
      i = end;
    }
  };
  walk(0, leaves.length, 1);
  const taken = new Set(settled);
  for (const { from, until } of found) for (let i = from; i < until; i++) taken.add(i);
  const gap = (i: number, like: number): boolean => leaves[i]!.gap && !taken.has(i) && leaves[i]!.port.group === leaves[like]!.port.group;
  for (let i = 0, end = 0; i < leaves.length; i = end) {
    end = i + 1;
    if (!gap(i, i)) continue;
    while (end < leaves.length && gap(end, i)) end++;
    if (end - i <= MOST_GAPS) continue;
    const key = `${path}.unused.#${i}`;
    if (!open.has(key)) found.push({ key, from: i, until: end, name: "" });
    else for (let each = i; each < end; each++) settled.add(each);
  }
  found.sort((a, b) => a.from - b.from);
  const shared = found.reduce((sum, { from, until }) => sum + until - from, 0);
  if (leaves.length - shared + found.length <= CROWD) return found;
  for (const { from, until } of found) for (let i = from; i < until; i++) settled.add(i);
  const loose = (i: number, j: number): boolean => !settled.has(j) && kin(i, j, 0);
  for (let i = 0, end = 0; i < leaves.length; i = end) {
    end = i + 1;
    if (!loose(i, i)) continue;
    while (end < leaves.length && loose(i, end)) end++;
    const key = `${path}.${leaves[i]!.port.group}.#${i}`;
    if (end - i > MOST_LEAVES && !open.has(key)) found.push({ key, from: i, until: end, name: "" });
  }
  return found.sort((a, b) => a.from - b.from);
}

/** The longest path that all begin with. */
function common(paths: readonly string[][]): string[] {
  const [first, ...others] = paths;
  let depth = 0;
  while (depth < first!.length && others.every((each) => each[depth] === first![depth])) depth++;
  return first!.slice(0, depth);
}

/** Where a bundle is read in many places, each says which leaf it reads; groups of the level are seen through. */
export function nameLeaves(level: Level): Level {
  const uses = new Map<number, number>();
  for (const node of level.nodes)
    for (const feed of node.feeds) if (feed.kind === "node" && feed.leaf) uses.set(feed.node, (uses.get(feed.node) ?? 0) + 1);
  if (uses.size === 0) return level;
  const named = (feed: Feed): Feed => {
    if (feed.kind !== "node" || !feed.leaf || (uses.get(feed.node) ?? 0) <= MOST_WIRES) return feed;
    return { kind: "stub", node: feed.node, port: feed.port, ...feed.leaf };
  };
  const nodes = level.nodes.map((node): LevelNode => {
    const inner = node.eqn === null && node.call?.inside ? { ...node.call, inside: nameLeaves(node.call.inside) } : node.call;
    return changed(node, node.kind === "output" ? { call: inner } : { call: inner, feeds: node.feeds.map(named) });
  });
  return { ...level, nodes };
}
