/**
 * Equations with bodies. One body whose binders are the operands shows its own strip as that of the equation (scan, jit, remat);
 * anything else gets a strip of its operands and a card for each body (cards.ts: while, cond, custom_linear_solve).
 */
import type { Call, Eqn, Jaxpr } from "../../model/types.ts";
import { cardsLevel } from "./cards.ts";
import { embeddedModule, opsOf } from "./folds.ts";
import { bodyLevel, type Context } from "./jaxpr.ts";
import { equationsOf } from "./left.ts";
import type { CallInfo, PortInfo } from "./level.ts";
import { embeddedLevel } from "./module.ts";
import { reducerWords } from "./reducers.ts";
import { mergedSeat } from "./seats.ts";
import { notesOf, titleOf } from "./titles.ts";

export function buildCall(ctx: Context, eqn: Eqn, jaxpr: Jaxpr, outerPath: string, at: string): CallInfo {
  const kind = eqn.primitive === "scan" || eqn.primitive === "while" || eqn.primitive === "cond" ? eqn.primitive : "call";
  const open = ctx.open.has(at);
  const equations = eqn.nested.reduce((sum, call) => sum + equationsOf(ctx.program.jaxprs[call.jaxpr]), 0);
  const words = reducerWords(eqn, ctx.program);
  const hint = words ? `by ${words.join(" and ")}` : `${equations} equation${equations === 1 ? "" : "s"} inside`;
  const notes = notesOf(eqn, ctx.program);
  const info: CallInfo = {
    kind,
    title: titleOf(eqn, ctx.program),
    notes,
    open,
    toggle: at,
    inside: null,
    loops: [],
    hint,
    trips: eqn.trips,
    fold: null,
  };
  if (!open) return info;
  const only = eqn.nested.length === 1 ? eqn.nested[0]! : null;
  if (only && covers(eqn, only)) {
    const body = ctx.program.jaxprs[only.jaxpr];
    if (!body) return info;
    const shift = body.constvars.length;
    const loops = only.outputs.flatMap((targets, out) =>
      targets.filter((to) => to.to === "next").map((to): [number, number] => [out, to.index + shift]),
    );
    return { ...info, inside: bodyLevel(ctx, body, at, mergedSeat(ctx.program, eqn, only, body, jaxpr, outerPath)), loops };
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
  const title = titleOf(eqn, ctx.program);
  return { kind: "call", title, notes: [module.dialect], open: inside !== null, toggle: at, inside, loops: [], hint, fold: null };
}

/** True when every operand is exactly one binder of the body and every result one of its results. */
function covers(eqn: Eqn, call: Call): boolean {
  const operands = call.inputs.filter((input) => input.from === "operand").map((input) => input.index);
  const results = call.outputs.flatMap((targets) => targets.filter((to) => to.to === "result").map((to) => to.index));
  const exact = (found: number[], count: number): boolean => found.length === count && new Set(found).size === count;
  const single = call.outputs.every((targets) => targets.filter((to) => to.to === "result").length <= 1);
  return single && exact(operands, eqn.operands.length) && exact(results, eqn.results.length);
}

<<<<<<< HEAD
=======
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
  // A loop body stays one stream unless there are scans to set side by side; what is transposed itself has turned already, but for
  // a rematerialised body, which computes its forward pass again before it goes back.
  const turned = eqn.stack.some((entry) => entry.kind === "transform" && entry.name === "transpose");
  const again = /^(remat|checkpoint)/.test(eqn.primitive);
  return { inputs, outputs, leading: [], loose: eqn.primitive !== "scan" && (again || !turned) };
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

>>>>>>> 1f7e81e (Layout: order without sizes, sifting, Brandes-Koepf blocks beside least squares, relaxation; two lanes in rematerialised bodies)
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
