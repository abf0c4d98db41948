// The words for an empty graph pane, or null when there is a graph. Pure.
import { standsAtField } from "./asked.ts";
import type { State } from "./types.ts";
import { currentProgram, levelOf } from "./update.ts";

export interface Empty {
  readonly title: string;
  readonly text: string;
  readonly busy: boolean;
}

export function placeholderFor(state: State): Empty | null {
  const program = currentProgram(state);
  const running = state.run.phase === "running" || state.run.phase === "lowering";
  if (program !== null) {
    if (levelOf(state.view) === "jaxpr")
      return program.entry === null ? { title: "No jaxpr here", text: "This program is a module: see its StableHLO.", busy: false } : null;
    if (program.modules.stablehlo !== undefined || (program.left_out ?? []).some(({ level }) => level === "stablehlo")) return null;
    if (running) return { title: "Lowering to StableHLO", text: "", busy: true };
    const reason = state.shown?.trace.diagnostics.find((diagnostic) => diagnostic.stage === "lower");
    return { title: "No StableHLO", text: reason?.message ?? "This program was not lowered.", busy: false };
  }
  if (running) return { title: "Tracing", text: "", busy: true };
  if (state.failure !== null) return { title: state.failure.message, text: state.failure.advice, busy: false };
  if (state.source.trim() === "")
    return { title: "Nothing to trace yet", text: "Paste JAX code on the left, or choose an example.", busy: false };
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
