/**
 * Operations of equations with everything inside of them: a loop's body times its steps, the costliest branch, a reducer's word for each
 * element. What is not known is told beside the number (`uncounted`, `perTurn`), never put into it.
 */
import type { Call, Eqn, Jaxpr, Program } from "../../model/types.ts";
import { sizeOf } from "./bytes.ts";
import { numbers } from "./contract.ts";
import { flopsOf, operandShape, resultShape } from "./flops.ts";
import { remembered } from "./remembered.ts";

export interface Work {
  readonly flops: number;
  /** Primitives that have no estimate. */
  readonly uncounted: ReadonlySet<string>;
  /** A loop whose steps are not known, counted once. */
  readonly perTurn: boolean;
}

export const NONE: Work = { flops: 0, uncounted: new Set(), perTurn: false };

/** Their bodies are rules for a transformation, or ways back, that this program does not run. */
const NOT_RUN: Record<string, (call: Call) => boolean> = {
  custom_linear_solve: ({ label }) => label !== "solve",
  linear_call: ({ param }) => param.includes("transpose"),
};

/** The body is applied to pairs of elements, so many times. */
const WORDS: Record<string, (eqn: Eqn, jaxpr: Jaxpr) => number | null> = {
  reduce: (eqn, jaxpr) => difference(sized(operandShape(eqn, jaxpr, 0)), sized(resultShape(eqn, jaxpr, 0))),
  reduce_window: (eqn, jaxpr) => {
    const made = sized(resultShape(eqn, jaxpr, 0));
    const window = eqn.params.find(({ name }) => name === "window_dimensions")?.text ?? "";
    return made === null ? null : made * (numbers(window).reduce((size, n) => size * n, 1) - 1);
  },
  select_and_scatter: (eqn, jaxpr) => sized(operandShape(eqn, jaxpr, 0)),
  sort: (eqn, jaxpr) => {
    const shape = operandShape(eqn, jaxpr, 0);
    const size = sized(shape);
    const along = shape?.[Number(eqn.params.find(({ name }) => name === "dimension")?.text)];
    return size === null || typeof along !== "number" || along === 0 ? null : size * Math.ceil(Math.log2(along));
  },
};

function sized(shape: ReturnType<typeof operandShape>): number | null {
  return shape === null ? null : sizeOf(shape);
}

function difference(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.max(0, a - b);
}

/** One run of a jaxpr of the program. */
export const workOf = remembered((program: Program, jaxpr: string): Work => {
  const body = program.jaxprs[jaxpr];
  return body === undefined ? NONE : sum(body.eqns.map((eqn) => eqnWork(program, body, eqn)));
}, NONE);

export function eqnWork(program: Program, jaxpr: Jaxpr, eqn: Eqn): Work {
  const times = WORDS[eqn.primitive] ?? (eqn.primitive.startsWith("scatter") ? updates : undefined);
  if (times !== undefined) {
    const count = times(eqn, jaxpr);
    if (count === null) return unknown(eqn);
    const word = eqn.nested.length === 0 ? 1 : sum(eqn.nested.map((call) => workOf(program, call.jaxpr))).flops;
    return { ...NONE, flops: count * word };
  }
  if (eqn.nested.length === 0) {
    const flops = flopsOf(eqn, jaxpr);
    return flops === null ? unknown(eqn) : { ...NONE, flops };
  }
  const run = eqn.nested.filter((call) => NOT_RUN[eqn.primitive]?.(call) !== true).map((call) => workOf(program, call.jaxpr));
  if (eqn.primitive === "cond") return most(run);
  const once = sum(run);
  if (eqn.primitive === "while") return { ...once, perTurn: once.flops > 0 || once.perTurn };
  // A kernel runs once for each place of its grid, which the wire does not count.
  if (eqn.primitive === "pallas_call") return { ...once, perTurn: true };
  return { ...once, flops: once.flops * (eqn.trips ?? 1) };
}

/** Operand 2 of every scatter holds the updates; `scatter` itself overwrites. */
function updates(eqn: Eqn, jaxpr: Jaxpr): number | null {
  return eqn.primitive === "scatter" ? 0 : sized(operandShape(eqn, jaxpr, 2));
}

function unknown({ primitive }: Eqn): Work {
  return { ...NONE, uncounted: new Set([primitive]) };
}

export function sum(works: readonly Work[]): Work {
  return {
    flops: works.reduce((total, { flops }) => total + flops, 0),
    uncounted: union(works),
    perTurn: works.some(({ perTurn }) => perTurn),
  };
}

export function most(works: readonly Work[]): Work {
  return { ...sum(works), flops: works.reduce((top, { flops }) => Math.max(top, flops), 0) };
}

function union(works: readonly Work[]): ReadonlySet<string> {
  const all = works.flatMap(({ uncounted }) => [...uncounted]);
  return all.length === 0 ? NONE.uncounted : new Set(all);
}
