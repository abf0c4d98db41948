/** A program's jaxprs as levels. Closed bodies are not walked. */
import { eqnsThat } from "../../model/lazy.ts";
import type { Eqn, Jaxpr, Program } from "../../model/types.ts";
import type { Grouping } from "../scene.ts";
import { bundleBinders, nameLeaves } from "./binders.ts";
import { buildCall, buildEmbedded } from "./calls.ts";
import type { Modules } from "./embedded.ts";
import { foldLevel } from "./fold/index.ts";
import { entry } from "./fold/items.ts";
import { foldedEmpty, foldedLiteral } from "./folded.ts";
import { childPath } from "./folds.ts";
import { markLanes, outermostTransposed, type TwinPaths } from "./lanes.ts";
import { isLeftOut, leftNode } from "./left.ts";
import { type CallInfo, type Feed, inputNode, type Level, type LevelNode, outputNode, type PortInfo } from "./level.ts";
import { type Closed, Levels } from "./opened.ts";
import { Feeds, type PackedEqns, packedEqns } from "./packed.ts";
import { noteOf } from "./params.ts";
import { PlainNode } from "./plain.ts";
import {
  type Atom,
  avalOf,
  eqnHint,
  isLetter,
  literalFeed,
  literalText,
  nameOf,
  operandPort,
  resultPort,
  spoken,
  typesOf,
  valueKey,
} from "./ports.ts";
import { changedRefs, isRef } from "./refs.ts";
import { isRecomputed, recomputedHint } from "./titles.ts";
import { placesOf, scopesOf } from "./written.ts";

export interface Context {
  program: Program;
  open: ReadonlySet<string>;
  by?: Grouping | undefined;
  twins: readonly TwinPaths[];
  /** For the modules that equations call. */
  modules?: Modules | undefined;
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

export function programLevel(program: Program, open: ReadonlySet<string>, by?: Grouping, modules?: Modules): Level {
  const entry = program.entry === null ? undefined : program.jaxprs[program.entry];
  if (!entry) return { nodes: [], inputs: [], outputs: [], pairs: [], twoLanes: false };
  const twins = program.twins.map(({ forward, backward }) => ({ forward, backward }));
  return bodyLevel({ program, open, by, twins, modules }, entry, "", null);
}

export function bodyLevel(ctx: Context, jaxpr: Jaxpr, path: string, seat: Seat | null): Level {
  const { twins, jaxprs } = ctx.program;
  const flat = entry(levels, jaxprs, () => new Levels<Context>()).level(ctx, path, "", [twins], (closed) =>
    flatLevel(closed, jaxpr, path, seat),
  );
  const folded = foldLevel(flat, path, ctx);
  return seat === null ? folded : nameLeaves(folded);
}

const levels = new WeakMap<Program["jaxprs"], Levels<Context>>();

function flatLevel(ctx: Context, jaxpr: Jaxpr, path: string, seat: Seat | null): Closed<Context> {
  const nodes: LevelNode[] = [];
  const feeds = new Feeds();
  const calls = new Map<string, (ctx: Context) => CallInfo | null>();
  const inputs: { node: number; outer: number }[] = [];
  const places = placesOf(ctx.program);
  const packed = packedEqns(jaxpr, path, places);
  const read = invarsRead(jaxpr, packed);
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
  /** Once an equation has changed a ref, each that follows is looked at. */
  let plain = true;
  const feedOf = (atom: Atom): Feed => {
    if ("var" in atom) {
      const feed = feeds.get(atom.var) ?? { kind: "none" };
      if (plain) return feed;
      const port = feed.kind === "node" ? nodes[feed.node]?.outs[feed.port] : undefined;
      if (port?.ref === "after") port.used = true;
      return feed;
    }
    return literalFeed(atom);
  };
  const around = { jaxpr, path, places, notes: new Map<string, string>() };
  const apart = lookedAt(ctx, path);
  const add = (eqn: Eqn): void => {
    const folded = foldedLiteral(eqn, path) ?? foldedEmpty(eqn, path, feedOf);
    if (folded) {
      feeds.set(eqn.results[0]!.var, folded);
      return;
    }
    if (plain && eqn.nested.length === 0 && eqn.effects.length === 0 && !apart.has(eqn.id)) {
      const fed = eqn.operands.map(({ atom }) => feedOf(atom));
      for (let port = 0; port < eqn.results.length; port++) feeds.set(eqn.results[port]!.var, { kind: "node", node: nodes.length, port });
      nodes.push(new PlainNode(around, eqn, childPath(path, eqn.id), fed));
      return;
    }
    const made = eqnNode(ctx, eqn, jaxpr, path, feedOf);
    // What changes a ref gives it on by one more port, which is none of the equation's own.
    const own = [...made.outs];
    if (made.call !== null) calls.set(made.key, (open) => callOf(open, eqn, jaxpr, path, made.ins, own));
    nodes.push(made);
    eqn.results.forEach((result, port) => {
      feeds.set(result.var, { kind: "node", node: nodes.length - 1, port });
    });
    for (const operand of changedRefs(eqn, jaxpr, ctx.program)) {
      const { atom } = eqn.operands[operand]!;
      const { outs } = nodes[nodes.length - 1]!;
      outs.push(refPort(eqn, operand, jaxpr, path, false));
      if ("var" in atom) feeds.set(atom.var, { kind: "node", node: nodes.length - 1, port: outs.length - 1 });
      plain = false;
    }
  };
  if (packed === null) for (const eqn of jaxpr.eqns) add(eqn);
  else {
    for (let row = 0; row < packed.rows.count; row++) {
      const shape = plain ? packed.shapeOf(row) : null;
      if (shape === null || (apart.size > 0 && apart.has(packed.idOf(row, shape)))) add(packed.rows.at(row));
      else nodes.push(packed.node(row, shape, nodes.length, feeds));
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
  const lanes = markLanes(body.nodes, path, ctx.twins, transposed(jaxpr, path), (seat?.loose ?? true) && !optimises(ctx, jaxpr));
  return { level: { ...body, ...lanes }, calls };
}

/** The equations of a body that are more than their primitive: twins, and calls of a module. */
function lookedAt({ program, twins }: Context, path: string): Set<string> {
  const found = new Set(((program.embedded as Program["embedded"] | undefined) ?? []).flatMap(({ eqns }) => eqns));
  for (const { forward, backward } of twins)
    for (const each of [forward, backward]) {
      const at = each.lastIndexOf("/");
      if (each.slice(0, Math.max(0, at)) === path) found.add(each.slice(at + 1));
    }
  return found;
}

/** The invars that something reads. */
function invarsRead(jaxpr: Jaxpr, packed: PackedEqns | null): Set<string> {
  const given = new Set(jaxpr.invars);
  const read = new Set<string>();
  const add = (atom: Atom): void => {
    if ("var" in atom && given.has(atom.var)) read.add(atom.var);
  };
  if (packed !== null) packed.eachRead(given, (id) => read.add(id));
  else for (const eqn of jaxpr.eqns) for (const operand of eqn.operands) add(operand.atom);
  for (const atom of jaxpr.outvars) add(atom);
  return read;
}

function transforms({ stack }: Pick<Eqn, "stack">): string[] {
  return stack.filter((entry) => entry.kind === "transform").map((entry) => entry.name);
}

/** Whether a loop of it differentiates in its body: then the gradient before it is where the loop begins, and no way back of anything. */
function optimises({ program }: Context, jaxpr: Jaxpr): boolean {
  const differentiates = (eqn: Pick<Eqn, "stack">): boolean => transforms(eqn).includes("transpose");
  for (const { nested } of eqnsThat(jaxpr, (eqn) => /^(while|scan)$/.test(eqn.primitive) && !differentiates(eqn))) {
    const bodies = nested.flatMap((call) => program.jaxprs[call.jaxpr] ?? []);
    if (bodies.some((body) => !eqnsThat(body, differentiates).next().done)) return true;
  }
  return false;
}

function transposed(jaxpr: Jaxpr, path: string): Set<string> {
  const named = [...eqnsThat(jaxpr, (eqn) => transforms(eqn).includes("transpose"))];
  const made = outermostTransposed(named.map((eqn) => ({ eqn: childPath(path, eqn.id), names: transforms(eqn) })));
  if (made.size > 0) return made;
  // Within a rematerialised body the names begin anew; what it computes for the way back are cotangents and nothing else.
  const back = eqnsThat(jaxpr, ({ results }) => results.length > 0 && results.every((result) => result.kind === "cotangent"));
  return new Set([...back].map((eqn) => childPath(path, eqn.id)));
}

export function eqnNode(ctx: Context, eqn: Eqn, jaxpr: Jaxpr, path: string, feedOf: (atom: Atom) => Feed): LevelNode {
  const at = childPath(path, eqn.id);
  const ins = eqn.operands.map((_, i) => operandPort(eqn, i, jaxpr, path));
  const outs = eqn.results.map((result, i) => resultPort(result, i, jaxpr, path));
  const call = callOf(ctx, eqn, jaxpr, path, ins, outs);
  const first = eqn.results[0];
  const label = eqn.results.length === 1 && first ? (jaxpr.vars[first.var]?.label ?? "") : "";
  const twin = ctx.twins.find((pair) => pair.forward === at || pair.backward === at);
  return {
    kind: call ? "call" : "op",
    key: at,
    eqn: at,
    title: call ? call.title : eqn.primitive,
    note: call ? "" : noteOf(eqn),
    label,
    type: typesOf(eqn),
    hint: recomputedHint(eqn, eqnHint(eqn)),
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

/** What an equation with bodies holds, as far as it is open; null of every other. */
function callOf(ctx: Context, eqn: Eqn, jaxpr: Jaxpr, path: string, ins: readonly PortInfo[], outs: readonly PortInfo[]): CallInfo | null {
  const at = childPath(path, eqn.id);
  return eqn.nested.length > 0 ? buildCall(ctx, eqn, jaxpr, path, at) : buildEmbedded(ctx, eqn, at, ins, outs);
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
