// Transforms that the person asked for: which program each belongs to after an edit, which failed, and the chain that led to a program. Pure.
import type { Diagnostic, Program, Step, Trace } from "../../model/types.ts";
import type { Answer, Wish } from "./types.ts";

/** `grad`, `grad(argnums=1)`, `vmap(in_axes=(0, None), size=4)`. */
export function stepWords({ name, argnums, in_axes, size, has_aux }: Step): string {
  const options = [
    ...(argnums === null ? [] : [`argnums=${argnums.length === 1 ? argnums[0] : tuple(argnums)}`]),
    ...(in_axes === null ? [] : [`in_axes=${tuple(in_axes)}`]),
    ...(size === null ? [] : [`size=${size}`]),
    ...(has_aux ? ["has_aux=True"] : []),
  ];
  return options.length === 0 ? name : `${name}(${options.join(", ")})`;
}

function tuple(items: readonly (number | null)[]): string {
  const texts = items.map((item) => item ?? "None");
  return texts.length === 1 ? `(${texts[0]},)` : `(${texts.join(", ")})`;
}

/** `vmap(grad(loss))`. */
export function wishName(base: string, steps: readonly Step[]): string {
  return steps.reduce((inner, step) => `${step.name}(${inner})`, base);
}

/** The same for the same steps on the same program, whatever object they are. */
export function keyOf(program: string, steps: readonly Step[]): string {
  return `${program} ${stepsKey(steps)}`;
}

export function stepsKey(steps: readonly Step[]): string {
  return steps.map(stepWords).join(" ");
}

export function wishKey(wish: Wish): string {
  return keyOf(wish.base.id, wish.steps);
}

export function madeKey(program: Program): string | null {
  return program.made_from === null ? null : keyOf(program.made_from.program, program.made_from.steps);
}

/** The wish for one more step on a program, which may be the result of steps itself. */
export function wishOn(trace: Trace, program: Program, step: Step): Wish {
  const from = program.made_from;
  const base = from === null ? program : (trace.programs.find(({ id }) => id === from.program) ?? program);
  return { base: { id: base.id, name: base.name }, steps: [...(from?.steps ?? []), step] };
}

export interface Reconciled {
  readonly wishes: readonly Wish[];
  /** Those whose program is no longer there. */
  readonly dropped: readonly Wish[];
}

/** The wishes after an answer. A paste that fails may have lost a program for the moment only: its wishes stay. */
export function reconcile(wishes: readonly Wish[], trace: Trace): Reconciled {
  const own = trace.programs.filter((program) => program.made_from === null);
  const failed = trace.diagnostics.some(({ severity, field }) => severity === "error" && field?.startsWith("transforms[") !== true);
  const kept: Wish[] = [];
  const dropped: Wish[] = [];
  let moved = false;
  for (const wish of wishes) {
    const base =
      own.find(({ id, name }) => id === wish.base.id && name === wish.base.name) ?? own.find(({ name }) => name === wish.base.name);
    if (base === undefined) (failed ? kept : dropped).push(wish);
    else if (base.id === wish.base.id) kept.push(wish);
    else {
      moved = true;
      kept.push({ ...wish, base: { id: base.id, name: base.name } });
    }
  }
  return { wishes: moved || dropped.length > 0 ? kept : wishes, dropped };
}

/** Whether a wish went to another id between the two lists, or was given up: what the server said of it no longer holds. */
export function hasMoved(sent: readonly Wish[], now: readonly Wish[]): boolean {
  const known = new Set(sent.map(wishKey));
  return now.length !== sent.length || now.some((wish) => !known.has(wishKey(wish)));
}

/** The trace without the programs that were made from another program than the one that was meant. */
export function withoutStrays(trace: Trace, sent: readonly Wish[], kept: readonly Wish[]): Trace {
  const wanted = new Set(kept.map(wishKey));
  const strays = new Set(sent.map(wishKey).filter((key) => !wanted.has(key)));
  if (strays.size === 0) return trace;
  return { ...trace, programs: trace.programs.filter((program) => !strays.has(madeKey(program) ?? "")) };
}

/** The beginning of a message, for a row that must stay a row: the whole of it is listed under the code. */
export function inShort(message: string): string {
  const first = message.trim().split("\n\n")[0] ?? "";
  const lines = first.split("\n").slice(0, 3).join("\n");
  const cut = lines.length > 300 ? lines.slice(0, 299) : lines;
  return cut.length < message.trim().length ? `${cut.trimEnd()}…` : cut;
}

export interface FailedWish {
  readonly wish: Wish;
  /** The link of the chain at fault: 0 is the program, 1 the first step; the last where it is the whole. */
  readonly link: number;
  readonly diagnostic: Diagnostic;
}

const FIELD = /^transforms\[(\d+)\](?:\.steps\[(\d+)\]|(\.program))?/;

/** The wishes that the last answer could not fulfil, as far as they still stand. */
export function failedWishes(latest: Answer | null, wishes: readonly Wish[]): FailedWish[] {
  if (latest === null) return [];
  const standing = new Set(wishes.map(wishKey));
  return latest.trace.diagnostics.flatMap((diagnostic): FailedWish[] => {
    const found = FIELD.exec(diagnostic.field ?? "");
    const wish = found === null ? undefined : latest.wishes[Number(found[1])];
    if (wish === undefined || diagnostic.severity !== "error" || !standing.has(wishKey(wish))) return [];
    const link = found?.[3] !== undefined ? 0 : found?.[2] === undefined ? wish.steps.length : Number(found[2]) + 1;
    return [{ wish, link, diagnostic }];
  });
}

export interface Link {
  readonly text: string;
  /** The program that stands for the chain up to here, where there is one. */
  readonly program: string | null;
}

/** The chain that led to a wish, the program of the paste first. */
export function chainOf(programs: readonly Program[], base: { id: string; name: string }, steps: readonly Step[]): Link[] {
  const known = new Map(programs.flatMap((program) => (program.made_from === null ? [] : [[madeKey(program), program.id]])));
  const first = programs.find(({ id, made_from }) => id === base.id && made_from === null);
  return [
    { text: first?.name ?? base.name, program: first?.id ?? null },
    ...steps.map((step, at) => ({ text: stepWords(step), program: known.get(keyOf(base.id, steps.slice(0, at + 1))) ?? null })),
  ];
}
