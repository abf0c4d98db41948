// What the state is about right now: the program, its level, and the key under which the level's own choices are kept. Pure.
import type { Program, Trace } from "../../model/types.ts";
import type { Level, ModuleLevel, State, View } from "./types.ts";

export function currentProgram(state: State): Program | null {
  return state.shown?.trace.programs.find((program) => program.id === state.program) ?? null;
}

/** The text that stands in the editor: that of an opened trace, which is only read, else the paste. */
export function textShown({ file, shown, source }: State): string {
  return file?.as !== undefined && shown?.file === file ? (shown.trace.text ?? "") : source;
}

/** Whether a trace that was made elsewhere is open in place of the code. */
export function isOpened({ file }: Pick<State, "file">): boolean {
  return file?.as !== undefined;
}

export function levelOf(view: View): Level {
  return view.startsWith("stablehlo") ? "stablehlo" : view.startsWith("hlo") ? "hlo" : "jaxpr";
}

/** As the page writes them. */
export const LEVEL_NAMES: Readonly<Record<Level, string>> = { jaxpr: "jaxpr", stablehlo: "StableHLO", hlo: "HLO" };

export function isText(view: View): boolean {
  return view.endsWith("-text");
}

/** The key of the open bodies of a program at a level. */
export function openKey(level: Level, program: string): string {
  return `${level}:${program}`;
}

/** The levels of a program that are modules, in the order in which they are made; those that wait in a part too. */
export function moduleLevels(program: Program): ModuleLevel[] {
  const levels: readonly ModuleLevel[] = ["stablehlo", "hlo"];
  return levels.filter((level) => program.modules[level] !== undefined || (program.left_out ?? []).some((left) => left.level === level));
}

/** The view that a program is looked at in: of a module that is the module, drawn or printed as the jaxpr was; a print has no module. */
export function viewOf(program: Program | null, view: View, input: Trace["input"] = "python"): View {
  if (input === "jaxpr" && levelOf(view) !== "jaxpr") return isText(view) ? "jaxpr-text" : "jaxpr";
  if (program === null || program.entry !== null || view === "beside-text") return view;
  const levels = moduleLevels(program);
  const [first] = levels;
  const level = levelOf(view);
  if (first === undefined || (level !== "jaxpr" && levels.includes(level))) return view;
  return isText(view) ? `${first}-text` : first;
}
