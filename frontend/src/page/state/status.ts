// One line about the last run. Pure, so that its wording is tested.
import { isOpened } from "./current.ts";
import type { Run, State } from "./types.ts";

export interface Status {
  readonly tone: "" | "running" | "failed";
  readonly text: string;
  readonly detail: string;
}

export function isRunning({ phase }: Run): boolean {
  return phase === "running" || phase === "lowering";
}

/** `named`: whether the line says which JAX it was; beside a picker of versions it need not. */
export function statusOf(state: State, named = true): Status {
  const { run, failure, latest } = state;
  const opened = isOpened(state);
  if (run.phase === "idle") return { tone: "", text: "Ready", detail: "" };
  if (run.phase === "running") return { tone: "running", text: opened ? "Opening" : "Tracing", detail: "" };
  if (run.phase === "lowering") return { tone: "running", text: "Lowering", detail: "" };
  if (failure !== null) return { tone: "failed", text: "No answer", detail: "" };
  if (run.milliseconds === null) return { tone: "", text: "Cancelled", detail: "" };
  if (latest === null) return { tone: "", text: "Ready", detail: "" };
  const errors = latest.trace.diagnostics.filter((diagnostic) => diagnostic.severity === "error").length;
  if (errors > 0) return { tone: "failed", text: errors === 1 ? "1 error" : `${errors} errors`, detail: "" };
  const took = run.milliseconds === null ? "" : duration(run.milliseconds);
  return {
    tone: "",
    text: opened ? "Opened" : latest.trace.programs.length === 0 ? "Nothing traced" : "Traced",
    detail: [took, latest.trace.jax === "" || latest.trace.input === "jaxpr" || !named ? "" : `JAX ${latest.trace.jax}`]
      .filter((part) => part !== "")
      .join(" · "),
  };
}

function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.max(1, Math.round(milliseconds))} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
