// Which transforms a program can be given, with what to begin with, and why not where it cannot. Pure. What only tracing can tell, such as
// whether a result is scalar, is left to the server: its answer is shown at the step.
import type { Parameter, Program, Step } from "../../model/types.ts";

export type TransformName = Step["name"];

export interface Option {
  readonly name: string;
  readonly text: string;
  /** Why it cannot be chosen, or null. */
  readonly reason: string | null;
  /** Its dimensions where the type says so; null for pytrees, of which every leaf has its own. */
  readonly rank: number | null;
}

export interface TransformItem {
  readonly name: TransformName;
  readonly about: string;
  /** Why it cannot be applied, or null. */
  readonly reason: string | null;
  /** What a click applies. */
  readonly step: Step;
  /** Which parameters: to be chosen from when there are several. */
  readonly choose: "argnums" | "in_axes" | null;
  readonly options: readonly Option[];
}

const ABOUT: Readonly<Record<TransformName, string>> = {
  grad: "The derivative of a scalar result",
  value_and_grad: "The result and its derivative",
  jvp: "The result and its tangent, forward mode",
  vmap: "Over a batch of arguments",
  jit: "As one compiled call",
  checkpoint: "Recompute in the backward pass, save less",
  x64: "Traced with 64-bit types",
};

/** More steps than this say nothing any more, and tracing grows with each. */
export const MOST_STEPS = 8;
export const MOST_WISHES = 8;

/** A type in the words of a signature: `f32[3]`, `~f32[]`, `key<fry>[2]`, `f8_e4m3fn[4]`. */
const TYPE = String.raw`~?(?:bool|key<\w+>|(?:b?f|u?i|u|c)\d+\w*)\[([^\]]*)\]`;
const ARRAY = new RegExp(`(?<![\\w'"])${TYPE}`);
const WHOLE = new RegExp(`^${TYPE}$`);

/** What of a program decides which transforms it can be given. */
export type Given = Pick<Program, "parameters" | "made_from">;

export function transformsOf(program: Given, wishes: number): TransformItem[] {
  const parameters = program.parameters ?? [];
  const steps = program.made_from?.steps ?? [];
  const full =
    steps.length >= MOST_STEPS
      ? `A chain has at most ${MOST_STEPS} steps.`
      : wishes >= MOST_WISHES
        ? `At most ${MOST_WISHES} transforms at a time: remove one first.`
        : null;
  const floats = parameters.map(({ differentiable }) => differentiable);
  const noFloats = floats.some(Boolean) ? null : "No parameter has a float type.";
  const arrays = parameters.map(({ text }) => ARRAY.test(text));
  const noArrays = arrays.some(Boolean) ? null : "No parameter is an array.";
  const twice = steps.some(({ name }) => name === "x64") ? "It is traced with 64-bit types already." : null;
  const item = (name: TransformName, reason: string | null, parts: Partial<TransformItem> = {}): TransformItem => ({
    name,
    about: ABOUT[name],
    reason: full ?? reason,
    step: plain(name),
    choose: null,
    options: [],
    ...parts,
  });
  const first = floats.indexOf(true);
  const byFloat = parameters.map((parameter, at) => option(parameter, floats[at] === true ? null : "not a float"));
  const byArray = parameters.map((parameter, at) => option(parameter, arrays[at] === true ? null : "not an array"));
  const derivative = (name: TransformName): TransformItem =>
    item(name, noFloats, {
      step: { ...plain(name), argnums: first > 0 && name !== "jvp" ? [first] : null },
      choose: "argnums",
      options: byFloat,
    });
  return [
    derivative("grad"),
    derivative("value_and_grad"),
    derivative("jvp"),
    item("vmap", noArrays, {
      step: { ...plain("vmap"), in_axes: arrays.every(Boolean) ? null : arrays.map((array) => (array ? 0 : null)) },
      choose: parameters.length > 0 ? "in_axes" : null,
      options: byArray,
    }),
    item("jit", null),
    item("checkpoint", null),
    item("x64", twice),
  ];
}

export function plain(name: TransformName): Step {
  return { name, argnums: null, in_axes: null, size: null, has_aux: false };
}

function option(parameter: Parameter, reason: string | null): Option {
  const dims = WHOLE.exec(parameter.text.trim())?.[1];
  return {
    name: parameter.name,
    text: parameter.text,
    reason,
    rank: dims === undefined ? null : dims.trim() === "" ? 0 : dims.split(",").length,
  };
}

/** A step with the parameters that were chosen; null where that is what the item applies anyway. */
export function derivativeStep(item: TransformItem, chosen: readonly number[], hasAux: boolean): Step {
  const argnums = [...chosen].sort((a, b) => a - b);
  const usual = argnums.join() === usualArgnums(item).join();
  return { ...plain(item.name), argnums: usual ? item.step.argnums : argnums, has_aux: hasAux };
}

/** What a click is about: the first float, and for jvp every one. */
export function usualArgnums(item: TransformItem): number[] {
  const able = item.options.flatMap((option, at) => (option.reason === null ? [at] : []));
  return item.name === "jvp" ? able : (item.step.argnums ?? able.slice(0, 1));
}

/** The size that the server takes when none is given. */
export const USUAL_SIZE = 8;

export function vmapStep(item: TransformItem, axes: readonly (number | null)[], size: number): Step {
  const usual = axes.join() === usualAxes(item).join();
  return { ...plain("vmap"), in_axes: usual ? item.step.in_axes : [...axes], size: size === USUAL_SIZE ? null : size };
}

export function usualAxes(item: TransformItem): (number | null)[] {
  return item.step.in_axes ?? item.options.map(() => 0);
}
