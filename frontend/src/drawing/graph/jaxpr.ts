/** A program's jaxprs as levels. Closed bodies are not walked. */
import type { Eqn, Jaxpr, Program } from "../../model/types.ts";
import type { Grouping } from "../scene.ts";
import { bundleBinders, nameLeaves } from "./binders.ts";
import { buildCall, buildEmbedded } from "./calls.ts";
import { foldLevel } from "./fold/index.ts";
import { childPath } from "./folds.ts";
import { markLanes, outermostTransposed, type TwinPaths } from "./lanes.ts";
import { isLeftOut, leftNode } from "./left.ts";
import { type Feed, inputNode, type Level, type LevelNode, outputNode, type PortInfo } from "./level.ts";
import { noteOf } from "./params.ts";
import { type Atom, avalOf, eqnHint, isLetter, literalText, nameOf, operandPort, resultPort, spoken, valueKey } from "./ports.ts";
import { changedRefs, isRef } from "./refs.ts";
import { isRecomputed } from "./titles.ts";
import { placesOf, scopesOf } from "./written.ts";

export interface Context {
  program: Program;
  open: ReadonlySet<string>;
  by?: Grouping | undefined;
  twins: readonly TwinPaths[];
}

/** How a body sits in its equation; the entry of a program has none. */
export interface Seat {
  /** One per invar: how its pill looks, and which in-port of the enclosing node it continues (-1: none). */
  inputs: readonly { port: PortInfo; outer: number }[];
  outputs: readonly { port: PortInfo; outer: number }[];
  /** One per constvar, where the equation gives those: the in-port that it continues, or -1. */
  consts?: readonly number[];
  /** Binders that are refs and change: the out-port at which each leaves the enclosing node. */
  refs?: ReadonlyMap<string, number>;
  /** Pills before the binders (the index of a branch). */
  leading: readonly { port: PortInfo; outer: number }[];
  /** A transpose without twins gets a lane of its own, too. */
  loose: boolean;
}

export function programLevel(program: Program, open: ReadonlySet<string>, by?: Grouping): Level {
  const entry = program.entry === null ? undefined : program.jaxprs[program.entry];
  if (!entry) return { nodes: [], inputs: [], outputs: [], pairs: [], twoLanes: false };
  const twins = program.twins.map(({ forward, backward }) => ({ forward, backward }));
  return bodyLevel({ program, open, by, twins }, entry, "", null);
}

export function bodyLevel(ctx: Context, jaxpr: Jaxpr, path: string, seat: Seat | null): Level {
  const folded = foldLevel(remembered(ctx, jaxpr, path, seat), path, ctx);
  return seat === null ? folded : nameLeaves(folded);
}

/** A level before it is folded, and what is open inside of it. */
interface Known {
  twins: Program["twins"];
  inside: string;
  level: Level;
}

const known = new WeakMap<Program["jaxprs"], Map<string, Known>>();

/** What groups are open changes nothing of the level that they are made of. */
function remembered(ctx: Context, jaxpr: Jaxpr, path: string, seat: Seat | null): Level {
  const levels = known.get(ctx.program.jaxprs) ?? new Map<string, Known>();
  known.set(ctx.program.jaxprs, levels);
  const inner = [...ctx.open].filter((key) =>
    path === "" ? !key.startsWith("~") : key.startsWith(`${path}/`) || /^~(in|out)\./.test(key.slice(path.length)),
  );
  const inside = `${ctx.by ?? ""} ${inner.sort().join(" ")}`;
  const last = levels.get(path);
  if (last?.inside === inside && last.twins === ctx.program.twins) return last.level;
  const level = flatLevel(ctx, jaxpr, path, seat);
  levels.set(path, { twins: ctx.program.twins, inside, level });
  return level;
}

function flatLevel(ctx: Context, jaxpr: Jaxpr, path: string, seat: Seat | null): Level {
  const nodes: LevelNode[] = [];
  const feeds = new Map<string, Feed>();
  const inputs: { node: number; outer: number }[] = [];
  const read = varsRead(jaxpr);
  const addInput = (key: string, port: PortInfo, outer: number): number => {
    nodes.push(inputNode(key, port));
    inputs.push({ node: nodes.length - 1, outer });
    return nodes.length - 1;
  };
  seat?.leading.forEach(({ port, outer }, i) => {
    addInput(`${path}|select${i}`, port, outer);
  });
  jaxpr.constvars.forEach((id, i) => {
    const node = addInput(valueKey(path, id), constPort(jaxpr, id, path), seat?.consts?.[i] ?? -1);
    feeds.set(id, { kind: "node", node, port: 0 });
  });
  jaxpr.invars.forEach((id, i) => {
    const seated = seat?.inputs[i];
    const port = { ...(seated?.port ?? binderPort(jaxpr, id)), value: valueKey(path, id), used: read.has(id) };
    feeds.set(id, { kind: "node", node: addInput(valueKey(path, id), port, seated?.outer ?? -1), port: 0 });
  });
  const feedOf = (atom: Atom): Feed => {
    if ("var" in atom) {
      const feed = feeds.get(atom.var) ?? { kind: "none" };
      const port = feed.kind === "node" ? nodes[feed.node]?.outs[feed.port] : undefined;
      if (port?.ref === "after") port.used = true;
      return feed;
    }
    return { kind: "literal", text: literalText(atom.literal), hint: `${atom.literal} ${atom.aval}`, eqn: null, value: null };
  };
  for (const eqn of jaxpr.eqns) {
    const folded = foldedLiteral(eqn, path);
    if (folded) {
      feeds.set(eqn.results[0]!.var, folded);
      continue;
    }
    nodes.push(eqnNode(ctx, eqn, jaxpr, path, feedOf));
    eqn.results.forEach((result, port) => {
      feeds.set(result.var, { kind: "node", node: nodes.length - 1, port });
    });
    for (const operand of changedRefs(eqn, jaxpr, ctx.program)) {
      const { atom } = eqn.operands[operand]!;
      const { outs } = nodes[nodes.length - 1]!;
      outs.push(refPort(eqn, operand, jaxpr, path, false));
      if ("var" in atom) feeds.set(atom.var, { kind: "node", node: nodes.length - 1, port: outs.length - 1 });
    }
  }
  if (isLeftOut(jaxpr)) nodes.push(leftNode(jaxpr, path));
  const outputs: { node: number; outer: number }[] = [];
  jaxpr.outvars.forEach((atom, i) => {
    const seated = seat?.outputs[i];
    const value = "var" in atom ? valueKey(path, atom.var) : null;
    const port = { ...(seated?.port ?? outputPort(jaxpr, atom)), value };
    nodes.push(outputNode(`${path}|out${i}`, port, feedOf(atom)));
    outputs.push({ node: nodes.length - 1, outer: seated?.outer ?? -1 });
  });
  for (const [id, outer] of seat?.refs ?? []) {
    const feed = feedOf({ var: id });
    if (feed.kind !== "node" || feed.node < inputs.length) continue;
    nodes.push(outputNode(`${path}|ref${id}`, { ...binderPort(jaxpr, id), group: "ref", value: valueKey(path, id), ref: "after" }, feed));
    outputs.push({ node: nodes.length - 1, outer });
  }
  const body = seat === null ? { nodes, inputs, outputs } : bundleBinders({ nodes, inputs, outputs }, path, ctx.open);
  const lanes = markLanes(body.nodes, path, ctx.twins, transposed(jaxpr, path), seat?.loose ?? true);
  return { ...body, ...lanes };
}

function varsRead(jaxpr: Jaxpr): Set<string> {
  const read = new Set<string>();
  const add = (atom: Atom): void => {
    if ("var" in atom) read.add(atom.var);
  };
  for (const eqn of jaxpr.eqns) for (const operand of eqn.operands) add(operand.atom);
  for (const atom of jaxpr.outvars) add(atom);
  return read;
}

function transposed(jaxpr: Jaxpr, path: string): Set<string> {
  const made = outermostTransposed(
    jaxpr.eqns.map((eqn) => ({
      eqn: childPath(path, eqn.id),
      names: eqn.stack.filter((entry) => entry.kind === "transform").map((entry) => entry.name),
    })),
  );
  if (made.size > 0) return made;
  // Within a rematerialised body the names begin anew; what it computes for the way back are cotangents and nothing else.
  const back = jaxpr.eqns.filter((eqn) => eqn.results.length > 0 && eqn.results.every((result) => result.kind === "cotangent"));
  return new Set(back.map((eqn) => childPath(path, eqn.id)));
}

/** `broadcast_in_dim 0.0` is the number with a shape: it is shown in its consumers. */
function foldedLiteral(eqn: Eqn, path: string): Feed | null {
  const [operand] = eqn.operands;
  const [result] = eqn.results;
  if (eqn.primitive !== "broadcast_in_dim" || !operand || !result || eqn.operands.length !== 1 || "var" in operand.atom) return null;
  const { literal } = operand.atom;
  const hint = `broadcast_in_dim ${literal}\n${result.aval}`;
  const shape = result.aval.slice(Math.max(0, result.aval.indexOf("[")));
  return {
    kind: "literal",
    text: `${literalText(literal)} ${shape}`,
    hint,
    eqn: childPath(path, eqn.id),
    value: valueKey(path, result.var),
  };
}

export function eqnNode(ctx: Context, eqn: Eqn, jaxpr: Jaxpr, path: string, feedOf: (atom: Atom) => Feed): LevelNode {
  const at = childPath(path, eqn.id);
  const ins = eqn.operands.map((_, i) => operandPort(eqn, i, jaxpr, path));
  const outs = eqn.results.map((result, i) => resultPort(result, i, jaxpr, path));
  const call = eqn.nested.length > 0 ? buildCall(ctx, eqn, jaxpr, path, at) : buildEmbedded(ctx, eqn, at, ins, outs);
  const first = eqn.results[0];
  const label = eqn.results.length === 1 && first ? (jaxpr.vars[first.var]?.label ?? "") : "";
  const types = eqn.results.map((result) => result.aval);
  const twin = ctx.twins.find((pair) => pair.forward === at || pair.backward === at);
  return {
    kind: call ? "call" : "op",
    key: at,
    eqn: at,
    title: call ? call.title : eqn.primitive,
    note: call ? "" : noteOf(eqn),
    label,
    type: types.length > 2 ? `${types[0]} +${types.length - 1}` : types.join(" "),
    hint: isRecomputed(eqn) ? `${eqnHint(eqn)}\nrecomputed: the forward pass did not keep it` : eqnHint(eqn),
    scope: scopesOf(eqn),
    written: placesOf(ctx.program).of(eqn),
    ins,
    feeds: eqn.operands.map((operand) => feedOf(operand.atom)),
    outs,
    call,
    back: false,
    recomputed: isRecomputed(eqn),
    twin: twin ? (twin.forward === at ? twin.backward : twin.forward) : null,
  };
}

export function binderPort(jaxpr: Jaxpr, id: string): PortInfo {
  const variable = jaxpr.vars[id];
  const type = variable?.aval ?? "";
  const name = nameOf(variable);
  const letter = isLetter(variable);
  const hint = [`${spoken(name, letter)} ${type}`, ...boundHint(jaxpr, id)].join("\n");
  const port: PortInfo = { role: "plain", group: "", name, letter, type, value: null, used: true, hint, cotangent: false };
  return isRef(variable) ? { ...port, ref: "before" } : port;
}

/** A ref as an equation that may change it leaves it. */
export function refPort(eqn: Eqn, operand: number, jaxpr: Jaxpr, path: string, used: boolean): PortInfo {
  const before = operandPort(eqn, operand, jaxpr, path);
  return { ...before, role: "plain", group: "", used, hint: `${spoken(before.name, before.letter)} after ${eqn.primitive}`, ref: "after" };
}

/** Why a value that nobody passes is there: it is closed over, and got its value on this line. */
function boundHint(jaxpr: Jaxpr, id: string): string[] {
  const known: Jaxpr["bound"] | undefined = jaxpr.bound;
  const span = known?.[id];
  return span === undefined ? [] : [`closed over, bound on line ${span.line}`];
}

function constPort(jaxpr: Jaxpr, id: string, path: string): PortInfo {
  const known = jaxpr.consts[id];
  const about = known ? `a constant of ${known.bytes} bytes${known.text ? `\n${known.text}` : ""}` : "a constant";
  const hint = [about, ...boundHint(jaxpr, id)].join("\n");
  return { ...binderPort(jaxpr, id), role: "const", group: "closure", value: valueKey(path, id), hint };
}

function outputPort(jaxpr: Jaxpr, atom: Atom): PortInfo {
  const type = avalOf(atom, jaxpr);
  const variable = "var" in atom ? jaxpr.vars[atom.var] : undefined;
  const name = "var" in atom ? nameOf(variable) : literalText(atom.literal);
  const letter = isLetter(variable);
  const hint = `${spoken(name, letter)} ${type}`;
  return { role: "plain", group: "", name, letter, type, value: null, used: true, hint, cotangent: false };
}
