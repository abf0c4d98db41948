// What the state is about right now: the program, its level, and the key under which the level's own choices are kept. Pure.
import type { Program } from "../../model/types.ts";
import type { Level, State, View } from "./types.ts";

export function currentProgram(state: State): Program | null {
  return state.shown?.trace.programs.find((program) => program.id === state.program) ?? null;
}

export function levelOf(view: View): Level {
  return view.startsWith("stablehlo") ? "stablehlo" : "jaxpr";
}

export function isText(view: View): boolean {
  return view.endsWith("-text");
}

/** The key of the open bodies of a program at a level. */
export function openKey(level: Level, program: string): string {
  return `${level}:${program}`;
}
