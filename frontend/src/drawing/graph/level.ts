/**
 * What is to be laid out: one level is one body (or the strip-and-cards inside of an equation with several bodies), with ordered
 * ports and what feeds them. Built from a jaxpr (jaxpr.ts) or a lowered module (module.ts); the layout does not know which.
 */
import type { Mark } from "../overlay/types.ts";
import type { Fold, WireRole } from "../scene.ts";
import type { Written } from "./written.ts";

export interface PortInfo {
  role: WireRole;
  /** Caption of the group of neighbouring ports it belongs to (`const`, `carry`, `xs`), or "". */
  group: string;
  name: string;
  /** The name is the compiler's own (JAX's `bg`, MLIR's `%3`), not one of the person's. */
  letter: boolean;
  /** `f32[3]`, or `f32[6,2,3] → f32[2,3]` where a row is taken or stacked. */
  type: string;
  /** Value key, or null. */
  value: string | null;
  used: boolean;
  hint: string;
  cotangent: boolean;
  /** The derivative of a value along the inputs (jvp). */
  tangent?: boolean;
  /** Small lines in its pill, under the type: a spec, a block shape, what it is in the next step. */
  notes?: readonly string[];
  /** Of results: how large they are, where the type says it. */
  bytes?: number | null;
  /** Of a port that several values share: how many. */
  stands?: number;
  /** A ref: what reads and writes it stands in an order. `after` marks the port at which it leaves what may have changed it. */
  ref?: "before" | "after";
}

export interface Leaf {
  text: string;
  letter: boolean;
  hint: string;
}

export type Feed =
  /** `leaf`: which value of a pill that stands for many. */
  | { kind: "node"; node: number; port: number; leaf?: Leaf }
  /** A literal, or an equation folded into its consumer (`eqn` names it). */
  | { kind: "literal"; text: string; hint: string; eqn: string | null; value: string | null }
  /** A value from far away, drawn as a named chip. */
  | { kind: "stub"; node: number; port: number; text: string; letter: boolean; hint: string }
  | { kind: "none" };

export interface CallInfo {
  kind: "scan" | "while" | "cond" | "call" | "body";
  title: string;
  /** Lines under the title of its frame. */
  notes?: readonly string[];
  open: boolean;
  /** The instance path that opens it; null for a card inside a multi-body frame. */
  toggle: string | null;
  inside: Level | null;
  /** From result port to operand port: the carry of the next step. */
  loops: readonly (readonly [number, number])[];
  /** What a closed one hides, in a few words. */
  hint: string;
  /** How often its bodies run, where that is known. */
  trips?: number | null;
  /** What a closed group holds; null for everything else. */
  fold: Fold | null;
}

export interface LevelNode {
  kind: "op" | "call" | "input" | "output";
  /** Unique within the scene. */
  key: string;
  eqn: string | null;
  title: string;
  /** Small, beside the title: a glyph or the params that matter. */
  note: string;
  /** The person's own name for the result. */
  label: string;
  type: string;
  hint: string;
  /** The names it was made under, outermost first: its part of the name stack. */
  scope: readonly string[];
  /** Where it was written, of equations and ops that are known to be written somewhere. */
  written?: Written;
  ins: PortInfo[];
  feeds: Feed[];
  outs: PortInfo[];
  call: CallInfo | null;
  /** Of a pill that stands for many: the ports of the enclosing node that it continues, and the keys of the pills in its place. */
  seats?: readonly number[];
  stands?: readonly string[];
  /** Belongs to the transpose: drawn in the second lane when the level has two. */
  back: boolean;
  /** A backward pass computes it again instead of keeping it. */
  recomputed?: boolean;
  twin: string | null;
  /** What an overlay says of it; absent without one. */
  mark?: Mark | null;
  /** The same object for nodes that differ in their values alone, where that is known. */
  like?: object;
  /** Of a node that makes its ports when they are asked for: how many results it has. */
  results?: number;
  /** Of a node that makes its ports when they are asked for: the same as a plain object. */
  whole?: () => LevelNode;
}

/** What a node that makes things when they are asked for says of itself, as a plain object, to be copied with changes. */
export function spread(node: LevelNode): LevelNode {
  const { kind, key, eqn, title, note, label, type, hint, scope, written, ins, feeds, outs, call, back, recomputed, twin } = node;
  const known = { ...(written && { written }), ...(recomputed !== undefined && { recomputed }) };
  return { kind, key, eqn, title, note, label, type, hint, scope, ...known, ins, feeds, outs, call, back, twin };
}

/** The node with changes; it stays as it is. */
export function changed(node: LevelNode, change: Partial<LevelNode>): LevelNode {
  return { ...(node.whole?.() ?? node), ...change };
}

/** Two nodes to be drawn at the same height; `inner` are pairs of nodes inside of them, by equation. */
export interface Pair {
  forward: number;
  backward: number;
  inner: readonly (readonly [string, string])[];
}

export interface Level {
  /** Sources before targets; inputs first, outputs last. */
  nodes: LevelNode[];
  /** Node of each input pill and the in-port of the enclosing node that it continues, or -1. */
  inputs: readonly { node: number; outer: number }[];
  outputs: readonly { node: number; outer: number }[];
  pairs: readonly Pair[];
  /** The transpose has a lane of its own. */
  twoLanes: boolean;
  /** Of a level that has both passes in one lane: the equations of the transpose. */
  turned?: ReadonlySet<string>;
  /** Nodes side by side stay in the order given: the cards of a frame. */
  inOrder?: boolean;
  /** Of nodes that no wire joins: which stand side by side, row by row as they are seen, whichever way the level flows. */
  rows?: readonly (readonly number[])[];
  /** The same level with none of its bodies open: what is known of that one holds of this one. */
  closed?: Level;
}

/** The ports of the enclosing node that a pill continues. */
export function outersOf(level: Level, seat: Level["inputs"][number]): readonly number[] {
  return level.nodes[seat.node]!.seats ?? (seat.outer >= 0 ? [seat.outer] : []);
}

/** Pairs of keys as pairs of positions in the strips; pills that stand for many are met once. */
export function loopsOf(level: Level, loops: readonly (readonly [string, string])[]): [number, number][] {
  const places = (seats: Level["inputs"]): Map<string, number> =>
    new Map(
      seats.flatMap(({ node }, i) =>
        [level.nodes[node]!.key, ...(level.nodes[node]!.stands ?? [])].map((key): [string, number] => [key, i]),
      ),
    );
  const [ins, outs] = [places(level.inputs), places(level.outputs)];
  const found = new Map<string, [number, number]>();
  for (const [from, to] of loops) {
    const [out, input] = [outs.get(from), ins.get(to)];
    if (out !== undefined && input !== undefined) found.set(`${out} ${input}`, [out, input]);
  }
  return [...found.values()];
}

export function inputNode(key: string, port: PortInfo): LevelNode {
  return pill("input", key, port, [], [port], []);
}

export function outputNode(key: string, port: PortInfo, feed: Feed): LevelNode {
  return pill("output", key, port, [port], [], [feed]);
}

function pill(kind: "input" | "output", key: string, port: PortInfo, ins: PortInfo[], outs: PortInfo[], feeds: Feed[]): LevelNode {
  const words = { title: port.name, note: "", label: "", type: port.type, hint: port.hint, scope: [] };
  return { kind, key, eqn: null, ...words, ins, feeds, outs, call: null, back: false, twin: null };
}
