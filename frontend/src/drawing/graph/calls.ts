/**
 * Equations with bodies. One body whose binders are the operands shows its own strip as that of the equation (scan, jit, remat);
 * anything else gets a strip of its operands and a card for each body (cards.ts: while, cond, custom_linear_solve).
 */
import type { Call, Eqn, Jaxpr } from "../../model/types.ts";
import { cardsLevel } from "./cards.ts";
import { embeddedModule, given } from "./embedded.ts";
import { counted } from "./fold/items.ts";
import { bodyLevel, type Context } from "./jaxpr.ts";
import { equationsOf } from "./left.ts";
import { type CallInfo, loopsOf, type PortInfo } from "./level.ts";
import { valueKey } from "./ports.ts";
import { reducerWords } from "./reducers.ts";
import { mergedSeat } from "./seats.ts";
import { notesOf, titleOf } from "./titles.ts";

export function buildCall(ctx: Context, eqn: Eqn, jaxpr: Jaxpr, outerPath: string, at: string): CallInfo {
  const kind = eqn.primitive === "scan" || eqn.primitive === "while" || eqn.primitive === "cond" ? eqn.primitive : "call";
  const open = ctx.open.has(at);
  const equations = eqn.nested.reduce((sum, call) => sum + equationsOf(ctx.program.jaxprs[call.jaxpr]), 0);
  const words = reducerWords(eqn, ctx.program);
  const hint = words ? `by ${words.join(" and ")}` : `${counted(equations)} equation${equations === 1 ? "" : "s"} inside`;
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
    const inside = bodyLevel(ctx, body, at, mergedSeat(ctx.program, eqn, only, body, jaxpr, outerPath));
    const loops = only.outputs.flatMap((targets, out) =>
      targets
        .filter((to) => to.to === "next")
        .map((to): [string, string] => [`${at}|out${out}`, valueKey(at, body.invars[to.index] ?? "")]),
    );
    return { ...info, inside, loops: loopsOf(inside, loops) };
  }
  const inside = cardsLevel(ctx, eqn, jaxpr, outerPath, at);
  return { ...info, inside, loops: kind === "while" ? loopsOf(inside, whileLoops(eqn, at)) : [] };
}

/** An equation that calls a module as it is; null when it calls none. */
export function buildEmbedded(ctx: Context, eqn: Eqn, at: string, ins: readonly PortInfo[], outs: readonly PortInfo[]): CallInfo | null {
  const module = embeddedModule(ctx.program, eqn.id);
  if (!module) return null;
  const modules = given(ctx.modules);
  const inside = ctx.open.has(at) ? modules.level(module, ctx.open, at, ins, outs) : null;
  const ops = modules.ops(module);
  const hint = `${counted(ops)} op${ops === 1 ? "" : "s"} of ${module.dialect} inside`;
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

function whileLoops(eqn: Eqn, at: string): [string, string][] {
  return eqn.nested.flatMap((call) =>
    call.outputs.flatMap((targets) => {
      const next = targets.find((to) => to.to === "next");
      const result = targets.find((to) => to.to === "result");
      const operand = next && call.inputs[next.index];
      return operand && result ? [[`${at}|result${result.index}`, `${at}|operand${operand.index}`] as [string, string]] : [];
    }),
  );
}
