/** How the binders and results of a body look in their frame: their own names, with role, caption and type of what they are bound to. */
import type { Call, Eqn, Jaxpr, Program } from "../../model/types.ts";
import { binderPort, type Seat } from "./jaxpr.ts";
import type { PortInfo } from "./level.ts";
import { avalOf, operandPort, resultPort, spoken } from "./ports.ts";
import { changedIn, changedRefs } from "./refs.ts";
import { seatNotes } from "./specs.ts";

/** The seat of one body whose strip is that of its equation. */
export function mergedSeat(program: Program, eqn: Eqn, call: Call, body: Jaxpr, jaxpr: Jaxpr, outerPath: string): Seat {
  const notes = seatNotes(eqn, program);
  const captions = captionsOf(eqn);
  const inputs = call.inputs.map((input, i) => {
    const binder = binderPort(body, body.invars[i] ?? "");
    if (input.from !== "operand") return { port: { ...binder, group: input.from }, outer: -1 };
    const operand = operandPort(eqn, input.index, jaxpr, outerPath);
    const type = operand.group === "xs" || eqn.primitive === "shard_map" ? slice(operand.type, binder.type) : binder.type;
    const port = seated(binder, operand, type);
    return {
      port: { ...port, group: port.group || (captions[input.index] ?? ""), notes: notes.ins[input.index] ?? [] },
      outer: input.index,
    };
  });
  const outputs = call.outputs.map((targets, i) => {
    const inner = innerResult(body, i);
    const to = targets.find((target) => target.to === "result");
    const next = targets.find((target) => target.to === "next");
    const result = to && eqn.results[to.index];
    if (!to || !result) return { port: { ...inner, group: targets[0]?.to ?? "" }, outer: -1 };
    const port = resultPort(result, to.index, jaxpr, outerPath);
    const type = port.group === "ys" || eqn.primitive === "shard_map" ? slice(inner.type, port.type) : inner.type;
    const becomes = next ? becoming(inner, binderPort(body, body.invars[next.index] ?? ""), port) : [];
    return {
      port: { ...seated(inner, port, type), used: port.used || next !== undefined, notes: [...becomes, ...(notes.outs[to.index] ?? [])] },
      outer: to.index,
    };
  });
  const refs = new Map<string, number>();
  const changed = changedRefs(eqn, jaxpr, program);
  body.invars.forEach((id, i) => {
    const source = call.inputs[i];
    const at = source?.from === "operand" ? changed.indexOf(source.index) : -1;
    if (at >= 0 && changedIn(body, program).has(id)) refs.set(id, eqn.results.length + at);
  });
  // A loop body stays one stream unless there are scans to set side by side; what is transposed itself has turned already, but for
  // a rematerialised body, which computes its forward pass again before it goes back.
  const turned = eqn.stack.some((entry) => entry.kind === "transform" && entry.name === "transpose");
  const again = /^(remat|checkpoint)/.test(eqn.primitive);
  return { inputs, outputs, leading: [], refs, loose: eqn.primitive !== "scan" && (again || !turned) };
}

/** What a result of one step is in the next, and after the last: said where the name does not say it. */
function becoming(inner: PortInfo, binder: PortInfo, outer: PortInfo): string[] {
  const named = (a: PortInfo, b: PortInfo): boolean => a.name === b.name && a.letter === b.letter;
  const next = named(inner, binder) ? "" : `next ${binder.name}`;
  const final = outer.used && !outer.letter && !named(outer, inner) && !named(outer, binder) ? `last: ${outer.name}` : "";
  return [next, final].filter((line) => line !== "");
}

/** Captions of operands whose place decides what they are: a linear call keeps its residuals apart from what it is linear in. */
function captionsOf(eqn: Eqn): string[] {
  if (eqn.primitive !== "linear_call") return [];
  const count = (name: string): number => Number(eqn.params.find((param) => param.name === name)?.text ?? 0);
  const fixed = count("num_callee_consts") + count("num_res");
  return eqn.operands.map((_, i) => (i < fixed ? "fixed" : "linear"));
}

function slice(outer: string, inner: string): string {
  return outer === inner || outer === "" || inner.startsWith(`${outer}{`) ? inner : `${outer} \u2192 ${inner}`;
}

export function seated(inner: PortInfo, outer: PortInfo, type: string): PortInfo {
  const [, ...more] = inner.hint.split("\n");
  const hint = [`${spoken(inner.name, inner.letter)} ${type}`, ...more, outer.hint].filter((line) => line !== "").join("\n");
  const { role, group, cotangent } = outer;
  return { ...inner, role, group, type, hint, cotangent, tangent: outer.tangent === true };
}

export function innerResult(body: Jaxpr, index: number): PortInfo {
  const atom = body.outvars[index];
  if (!atom) return binderPort(body, "");
  if ("var" in atom) return binderPort(body, atom.var);
  return { ...binderPort(body, ""), name: atom.literal, letter: false, type: avalOf(atom, body) };
}
