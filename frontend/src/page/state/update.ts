// Every way the state changes, as pure functions of an action. Unknown ids never throw: they leave things as they are.
import type { Program, Trace } from "../../model/types.ts";
import { placeOf } from "../program/instances.ts";
import type { Answer, Failure, Level, Pane, State, Target, Theme, View } from "./types.ts";

export type Action =
  | { readonly type: "edit"; readonly source: string }
  | { readonly type: "settings"; readonly auto?: boolean; readonly staticNumbers?: boolean; readonly theme?: Theme }
  | { readonly type: "clear" }
  | { readonly type: "run"; readonly id: number }
  | { readonly type: "answer"; readonly id: number; readonly trace: Trace; readonly source: string }
  | { readonly type: "settled"; readonly id: number; readonly milliseconds: number }
  | { readonly type: "failed"; readonly id: number; readonly failure: Failure }
  | { readonly type: "program"; readonly id: string }
  | { readonly type: "view"; readonly view: View }
  | { readonly type: "open"; readonly key: string; readonly open: ReadonlySet<string> }
  | { readonly type: "select"; readonly target: Target | null }
  | { readonly type: "hover"; readonly target: Target | null }
  | { readonly type: "pane"; readonly pane: Pane };

export interface Saved {
  readonly source: string;
  readonly auto: boolean;
  readonly staticNumbers: boolean;
  readonly theme: Theme;
}

export function initial(saved: Saved): State {
  return {
    ...saved,
    run: { id: 0, phase: "idle", milliseconds: null },
    failure: null,
    latest: null,
    shown: null,
    program: null,
    view: "jaxpr",
    open: {},
    selection: null,
    hover: null,
    pane: "graph",
  };
}

export function update(state: State, action: Action): State {
  switch (action.type) {
    case "edit":
      return action.source === state.source ? state : { ...state, source: action.source, hover: null };
    case "settings": {
      const { type: _, ...changes } = action;
      return { ...state, ...changes };
    }
    case "clear":
      return {
        ...state,
        run: { ...state.run, id: -1, phase: "idle" },
        failure: null,
        latest: null,
        shown: null,
        program: null,
        open: {},
        selection: null,
        hover: null,
      };
    case "run":
      return { ...state, run: { id: action.id, phase: "running", milliseconds: null } };
    case "answer":
      return action.id === state.run.id ? answered(state, { trace: action.trace, source: action.source }) : state;
    case "settled":
      return action.id === state.run.id ? { ...state, run: { ...state.run, phase: "settled", milliseconds: action.milliseconds } } : state;
    case "failed":
      return action.id === state.run.id ? { ...state, run: { ...state.run, phase: "settled" }, failure: action.failure } : state;
    case "program":
      return action.id === state.program ? state : { ...state, program: action.id, selection: null, hover: null };
    case "view":
      return { ...state, view: action.view };
    case "open":
      return { ...state, open: { ...state.open, [action.key]: action.open } };
    case "select":
      return { ...state, selection: action.target };
    case "hover":
      return sameTarget(state.hover, action.target) ? state : { ...state, hover: action.target };
    case "pane":
      return { ...state, pane: action.pane };
  }
}

function answered(state: State, given: Answer): State {
  const answer = withOffers(given, state.latest);
  const { trace } = answer;
  const settled: State = { ...state, run: { ...state.run, phase: "lowering" }, failure: null, latest: answer };
  const failed = trace.diagnostics.some((diagnostic) => diagnostic.severity === "error");
  // A paste that fails leaves the last good graph standing; one that is merely empty does not.
  if (trace.programs.length === 0 && failed) return settled;
  const before = currentProgram(state);
  const program = samePlace(trace, before) ?? trace.programs[0] ?? null;
  const kept = program !== null && before !== null && program.name === before.name;
  return {
    ...settled,
    shown: answer,
    program: program?.id ?? null,
    open: kept ? state.open : {},
    selection: kept && stillThere(before, program, state.selection) ? state.selection : null,
    hover: null,
  };
}

/** The offers of a paste stay while one of them is traced: the arguments can be mended, or another function chosen. */
function withOffers(answer: Answer, before: Answer | null): Answer {
  if (answer.trace.offers.length > 0 || before === null || before.source !== answer.source) return answer;
  return { ...answer, trace: { ...answer.trace, offers: before.trace.offers } };
}

/** The program of a new answer that stands where the old one stood: same id and name, else the same name alone. */
function samePlace(trace: Trace, before: Program | null): Program | null {
  if (before === null) return null;
  return (
    trace.programs.find((p) => p.id === before.id && p.name === before.name) ?? trace.programs.find((p) => p.name === before.name) ?? null
  );
}

function stillThere(before: Program, after: Program, target: Target | null): boolean {
  if (target === null || target.kind !== "eqn") return false;
  return placeOf(before, target.path)?.eqn.primitive === placeOf(after, target.path)?.eqn.primitive;
}

export function sameTarget(a: Target | null, b: Target | null): boolean {
  if (a === b) return true;
  if (a === null || b === null || a.kind !== b.kind) return false;
  return JSON.stringify(a) === JSON.stringify(b);
}

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

/** True while the graph shows an older paste than the editor holds, or one that has failed since. */
export function isStale(state: State): boolean {
  return state.shown !== null && (state.shown !== state.latest || state.failure !== null);
}

/** Whether spans of the shown answer still fit the text in the editor. */
export function isCurrent(state: State): boolean {
  return state.shown !== null && state.shown.source === state.source;
}
