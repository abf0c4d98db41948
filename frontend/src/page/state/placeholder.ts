// The words for an empty graph pane, or null when there is a graph. Pure.

import type { Module, Program } from "../../model/types.ts";
import { standsAtField } from "./asked.ts";
import { isOpened, isText, LEVEL_NAMES, moduleLevels } from "./current.ts";
import { isRunning } from "./status.ts";
import type { State } from "./types.ts";
import { currentProgram, levelOf } from "./update.ts";

export interface Empty {
  readonly title: string;
  readonly text: string;
  readonly busy: boolean;
  /** What can be done about it, by a button. */
  readonly offers?: "compile" | "cancel";
}

export function placeholderFor(state: State): Empty | null {
  const program = currentProgram(state);
  const running = isRunning(state.run);
  if (program !== null) {
    const level = levelOf(state.view);
    if (level === "jaxpr")
      return program.entry === null
        ? {
            title: "No jaxpr here",
            text: `This program is a module: see its ${moduleLevels(program).map((each) => LEVEL_NAMES[each])[0] ?? "text"}.`,
            busy: false,
          }
        : null;
    const module = program.modules[level];
    if (program.entry === null && module !== undefined && isEmpty(module) && !isText(state.view))
      return { title: "No operations here", text: declared(module), busy: false };
    if (module !== undefined) return null;
    if (level === "hlo" && running && state.compile) return notCompiled(state, program, running);
    if ((program.left_out ?? []).some((left) => left.level === level)) return null;
    if (state.shown?.trace.input === "jaxpr")
      return {
        title: `No ${LEVEL_NAMES[level]} of a print`,
        text: "A printed jaxpr cannot be lowered: paste the program that it was printed from.",
        busy: false,
      };
    if (level === "hlo") return notCompiled(state, program, running);
    if (running) return { title: "Lowering to StableHLO", text: "", busy: true };
    const reason = state.shown?.trace.diagnostics.find((diagnostic) => diagnostic.stage === "lower");
    return { title: "No StableHLO", text: reason?.message ?? "This program was not lowered.", busy: false };
  }
  if (running) return { title: "Tracing", text: "", busy: true };
  if (state.failure !== null) return { title: state.failure.message, text: state.failure.advice, busy: false };
  if (state.source.trim() === "")
    return {
      title: "Nothing to trace yet",
      text: "Paste JAX code, a printed jaxpr, StableHLO or other MLIR on the left, drop a file, or choose an example.",
      busy: false,
    };
  const trace = state.latest?.trace;
  if (trace === undefined) return { title: "Ready", text: "Run the code to see its program.", busy: false };
  const error = trace.diagnostics.find((diagnostic) => diagnostic.severity === "error");
  if (error !== undefined && standsAtField(error))
    return { title: "Not traced yet", text: "A field above needs another value.", busy: false };
  if (error !== undefined)
    return {
      title: error.type === "" ? "It could not be traced" : `${error.type} before anything was traced`,
      text: error.message.split("\n")[0] ?? "",
      busy: false,
    };
  if (trace.offers.length > 0)
    return {
      title: "Nothing here calls JAX yet",
      text: "Give one of its functions the types of its arguments, above, and it is traced.",
      busy: false,
    };
  return {
    title: "No JAX program in this code",
    text: "Call jax.make_jaxpr(f)(...), jit a function and call it, or end with an expression.",
    busy: false,
  };
}

function isEmpty({ ops, functions, packed }: Module): boolean {
  return packed === null && ops.length === 0 && functions.every(({ region }) => region.blocks.every((block) => block.ops.length === 0));
}

function declared({ functions }: Module): string {
  if (functions.length === 0) return "The module is empty.";
  return `The module only declares ${functions.map(({ name }) => `@${name}`).join(", ")}: what is in ${functions.length === 1 ? "it" : "them"} stands elsewhere.`;
}

/** The HLO level is made on request: it costs the server seconds where the others cost milliseconds. */
export function notCompiled(state: State, program: Program, running: boolean): Empty {
  if (isOpened(state) || (state.shown?.trace.input ?? "python") !== "python")
    return { title: "No HLO here", text: "What was traced here can be compiled; this was read as it is.", busy: false };
  if (program.entry === null)
    return { title: "No HLO here", text: "Programs that were traced can be compiled; this one is a module.", busy: false };
  if (state.compile && running) return { title: "XLA is compiling", text: "", busy: true, offers: "cancel" };
  const why = state.shown?.trace.diagnostics.find(({ stage }) => stage === "compile");
  if (state.compile && why !== undefined)
    return { title: "It was not compiled", text: [why.message, why.advice].filter(Boolean).join(" "), busy: false, offers: "compile" };
  return {
    title: "Not compiled yet",
    text: "XLA makes the program that runs from the StableHLO: it fuses equations, folds constants and drops what nothing reads. Nothing is executed.",
    busy: false,
    offers: "compile",
  };
}
