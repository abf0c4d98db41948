/**
 * Equations with bodies. One body whose binders are the operands shows its own strip as that of the equation (scan, jit, remat);
 * anything else gets a strip of its operands and a card for each body (while, cond, custom_linear_solve).
 */
import type { Call, Eqn, Jaxpr } from "../../model/types.ts";
import { bodyPath, embeddedModule, opsOf } from "./folds.ts";
import { binderPort, bodyLevel, type Context, type Seat } from "./jaxpr.ts";
import { equationsOf } from "./left.ts";
import { type CallInfo, type Feed, inputNode, type Level, type LevelNode, outputNode, type PortInfo } from "./level.ts";
import { embeddedLevel } from "./module.ts";
import { avalOf, operandPort, resultPort, spoken } from "./ports.ts";

export function buildCall(ctx: Context, eqn: Eqn, jaxpr: Jaxpr, outerPath: string, at: string): CallInfo {
  const kind = eqn.primitive === "scan" || eqn.primitive === "while" || eqn.primitive === "cond" ? eqn.primitive : "call";
  const open = ctx.open.has(at);
  const equations = eqn.nested.reduce((sum, call) => sum + equationsOf(ctx.program.jaxprs[call.jaxpr]), 0);
  const hint = `${equations} equation${equations === 1 ? "" : "s"} inside`;
  const info: CallInfo = { kind, title: titleOf(eqn), open, toggle: at, inside: null, loops: [], hint, fold: null };
  if (!open) return info;
  const only = eqn.nested.length === 1 ? eqn.nested[0]! : null;
  if (only && covers(eqn, only)) {
    const body = ctx.program.jaxprs[only.jaxpr];
    if (!body) return info;
    const shift = body.constvars.length;
    const loops = only.outputs.flatMap((targets, out) =>
      targets.filter((to) => to.to === "next").map((to): [number, number] => [out, to.index + shift]),
    );
    return { ...info, inside: bodyLevel(ctx, body, at, mergedSeat(eqn, only, body, jaxpr, outerPath)), loops };
  }
  return { ...info, inside: cardsLevel(ctx, eqn, jaxpr, outerPath, at), loops: kind === "while" ? whileLoops(eqn) : [] };
}

/** An equation that calls a module as it is; null when it calls none. */
export function buildEmbedded(ctx: Context, eqn: Eqn, at: string, ins: readonly PortInfo[], outs: readonly PortInfo[]): CallInfo | null {
  const module = embeddedModule(ctx.program, eqn.id);
  if (!module) return null;
  const open = ctx.open.has(at);
  const inside = open ? embeddedLevel(module, ctx.open, at, ins, outs) : null;
  const ops = opsOf(module);
  const hint = `${ops} op${ops === 1 ? "" : "s"} of ${module.dialect} inside`;
  return { kind: "call", title: titleOf(eqn), open: inside !== null, toggle: at, inside, loops: [], hint, fold: null };
}

function titleOf(eqn: Eqn): string {
  const param = (name: string): string => eqn.params.find((p) => p.name === name)?.text ?? "";
  if (eqn.primitive === "scan") {
    const trips = eqn.trips === null ? param("length") : String(eqn.trips);
    return `scan \u00d7${trips}${param("reverse") === "True" ? " reverse" : ""}`;
  }
  const name = param("name");
  return name && name !== "None" && name !== eqn.primitive ? `${eqn.primitive} ${name}` : eqn.primitive;
}

/** True when every operand is exactly one binder of the body and every result one of its results. */
function covers(eqn: Eqn, call: Call): boolean {
  const operands = call.inputs.filter((input) => input.from === "operand").map((input) => input.index);
  const results = call.outputs.flatMap((targets) => targets.filter((to) => to.to === "result").map((to) => to.index));
  const exact = (found: number[], count: number): boolean => found.length === count && new Set(found).size === count;
  const single = call.outputs.every((targets) => targets.filter((to) => to.to === "result").length <= 1);
  return single && exact(operands, eqn.operands.length) && exact(results, eqn.results.length);
}

function slice(outer: string, inner: string): string {
  return outer === inner || outer === "" ? inner : `${outer} \u2192 ${inner}`;
}

function mergedSeat(eqn: Eqn, call: Call, body: Jaxpr, jaxpr: Jaxpr, outerPath: string): Seat {
  const inputs = call.inputs.map((input, i) => {
    const binder = binderPort(body, body.invars[i] ?? "");
    if (input.from !== "operand") return { port: { ...binder, group: input.from }, outer: -1 };
    const operand = operandPort(eqn, input.index, jaxpr, outerPath);
    const type = operand.group === "xs" ? slice(operand.type, binder.type) : binder.type;
    return { port: seated(binder, operand, type), outer: input.index };
  });
  const outputs = call.outputs.map((targets, i) => {
    const inner = innerResult(body, i);
    const to = targets.find((target) => target.to === "result");
    const result = to && eqn.results[to.index];
    if (!to || !result) return { port: { ...inner, group: targets[0]?.to ?? "" }, outer: -1 };
    const port = resultPort(result, to.index, jaxpr, outerPath);
    const type = port.group === "ys" ? slice(inner.type, port.type) : inner.type;
    const used = port.used || targets.some((target) => target.to === "next");
    return { port: { ...seated(inner, port, type), used }, outer: to.index };
  });
  // A loop body stays one stream unless there are scans to set side by side; what is transposed itself has turned already.
  const turned = eqn.stack.some((entry) => entry.kind === "transform" && entry.name === "transpose");
  return { inputs, outputs, leading: [], loose: eqn.primitive !== "scan" && !turned };
}

function seated(inner: PortInfo, outer: PortInfo, type: string): PortInfo {
  const [, ...more] = inner.hint.split("\n");
  const hint = [`${spoken(inner.name, inner.letter)} ${type}`, ...more, outer.hint].filter((line) => line !== "").join("\n");
  return { ...inner, role: outer.role, group: outer.group, type, hint, cotangent: outer.cotangent };
}

function innerResult(body: Jaxpr, index: number): PortInfo {
  const atom = body.outvars[index];
  if (!atom) return binderPort(body, "");
  if ("var" in atom) return binderPort(body, atom.var);
  return { ...binderPort(body, ""), name: atom.literal, letter: false, type: avalOf(atom, body) };
}

function whileLoops(eqn: Eqn): [number, number][] {
  return eqn.nested.flatMap((call) =>
    call.outputs.flatMap((targets) => {
      const next = targets.find((to) => to.to === "next");
      const result = targets.find((to) => to.to === "result");
      const operand = next && call.inputs[next.index];
      return operand && result ? [[result.index, operand.index] as [number, number]] : [];
    }),
  );
}

/** Operands above, one card for each body, results below. */
function cardsLevel(ctx: Context, eqn: Eqn, jaxpr: Jaxpr, outerPath: string, at: string): Level {
  const nodes: LevelNode[] = [];
  const inner = innerNames(ctx, eqn);
  const inputs = eqn.operands.map((_, i) => {
    const port = operandPort(eqn, i, jaxpr, outerPath);
    nodes.push(inputNode(`${at}|operand${i}`, { ...port, ...inner[i] }));
    return { node: i, outer: i };
  });
  const select = eqn.operands.findIndex((operand) => operand.role === "index");
  const into: Feed[][] = eqn.results.map(() => []);
  const order = eqn.nested.map((_, k) => k).sort((a, b) => cardRank(eqn.nested[a]!) - cardRank(eqn.nested[b]!) || a - b);
  for (const k of order) {
    const call = eqn.nested[k]!;
    const body = ctx.program.jaxprs[call.jaxpr];
    if (!body) continue;
    nodes.push(card(ctx, eqn, k, call, body, jaxpr, outerPath, at, select));
    call.outputs.forEach((targets, out) => {
      for (const to of targets) if (to.to === "result") into[to.index]?.push({ kind: "node", node: nodes.length - 1, port: out });
    });
    // A ref that the body writes is a result, too (pallas_call): it leaves the card without a result pill inside.
    writtenRefs(call).forEach((index, r) => {
      into[index]?.push({ kind: "node", node: nodes.length - 1, port: call.outputs.length + r });
    });
  }
  const outputs = eqn.results.map((result, i) => {
    const port = resultPort(result, i, jaxpr, outerPath);
    const feeds = into[i]!.length > 0 ? into[i]! : [{ kind: "none" } as Feed];
    const node = outputNode(`${at}|result${i}`, port, feeds[0]!);
    node.feeds = feeds;
    node.ins = feeds.map(() => port);
    nodes.push(node);
    return { node: nodes.length - 1, outer: i };
  });
  return { nodes, inputs, outputs, pairs: [], twoLanes: false };
}

function writtenRefs(call: Call): number[] {
  const final = (call.finals ?? []).flatMap((targets) => targets.filter((to) => to.to === "result").map((to) => to.index));
  return [...new Set([...call.inputs.filter((input) => input.from === "result").map((input) => input.index), ...final])];
}

/** The condition of a while is asked first, so it stands left. */
function cardRank(call: Call): number {
  return call.label === "cond" ? 0 : 1;
}

/** Names of literal operands come from the binder that they initialise. */
function innerNames(ctx: Context, eqn: Eqn): (Pick<PortInfo, "name" | "letter"> | undefined)[] {
  const names: (Pick<PortInfo, "name" | "letter"> | undefined)[] = eqn.operands.map(() => undefined);
  for (const call of eqn.nested) {
    const body = ctx.program.jaxprs[call.jaxpr];
    call.inputs.forEach((input, i) => {
      const operand = input.from === "operand" ? eqn.operands[input.index] : undefined;
      if (!body || !operand || "var" in operand.atom) return;
      const { name, letter } = binderPort(body, body.invars[i] ?? "");
      names[input.index] = { name, letter };
    });
  }
  return names;
}

function card(
  ctx: Context,
  eqn: Eqn,
  k: number,
  call: Call,
  body: Jaxpr,
  jaxpr: Jaxpr,
  outerPath: string,
  at: string,
  select: number,
): LevelNode {
  const path = bodyPath(at, k);
  const ins: PortInfo[] = [];
  const feeds: Feed[] = [];
  const leading: Seat["leading"][number][] = [];
  if (select >= 0) {
    const index: PortInfo = {
      ...operandPort(eqn, select, jaxpr, outerPath),
      group: "when",
      name: `= ${k}`,
      letter: false,
      type: "",
      value: null,
    };
    ins.push(index);
    feeds.push({ kind: "node", node: select, port: 0 });
    leading.push({ port: index, outer: 0 });
  }
  const read = new Set(body.eqns.flatMap((inner) => inner.operands.map((o) => ("var" in o.atom ? o.atom.var : ""))));
  for (const atom of body.outvars) if ("var" in atom) read.add(atom.var);
  const inputs = call.inputs.map((input, i) => {
    const binder = binderPort(body, body.invars[i] ?? "");
    if (input.from !== "operand") return { port: { ...binder, group: input.from }, outer: -1 };
    const outer = operandPort(eqn, input.index, jaxpr, outerPath);
    const used = read.has(body.invars[i] ?? "");
    // Inside of the card it is plain which body a const belongs to.
    const port = { ...seated(binder, outer, binder.type), used, group: outer.group.replace(/^(cond|body)_/, "") };
    ins.push(port);
    feeds.push(used ? { kind: "node", node: input.index, port: 0 } : { kind: "none" });
    return { port, outer: ins.length - 1 };
  });
  const consts = (call.consts ?? []).map((input, i) => {
    const binder = binderPort(body, body.constvars[i] ?? "");
    if (input.from !== "operand") return -1;
    ins.push(seated(binder, operandPort(eqn, input.index, jaxpr, outerPath), binder.type));
    feeds.push({ kind: "node", node: input.index, port: 0 });
    return ins.length - 1;
  });
  const outs: PortInfo[] = [];
  const outputs = call.outputs.map((targets, i) => {
    const inner = innerResult(body, i);
    const to = targets.find((target) => target.to === "result");
    const result = to && eqn.results[to.index];
    const port = result
      ? seated(inner, resultPort(result, to.index, jaxpr, outerPath), inner.type)
      : { ...inner, group: targets[0]?.to ?? "" };
    outs.push({ ...port, used: true });
    return { port, outer: i };
  });
  for (const index of writtenRefs(call)) {
    const result = eqn.results[index];
    if (result) outs.push({ ...resultPort(result, index, jaxpr, outerPath), used: true });
  }
  const inside = bodyLevel(ctx, body, path, { inputs, outputs, consts, leading, loose: false });
  const info: CallInfo = {
    kind: "body",
    title: call.label || call.param,
    open: true,
    toggle: null,
    inside,
    loops: [],
    hint: "",
    fold: null,
  };
  const words = { title: info.title, note: "", label: "", type: "", hint: `${call.param} of ${eqn.primitive}` };
  return { kind: "call", key: `${path}#${k}`, eqn: at, ...words, scope: [], ins, feeds, outs, call: info, back: false, twin: null };
}
