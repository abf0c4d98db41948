// Every way the state changes, as pure functions of an action. Unknown ids never throw: they leave things as they are.
import { AS_FITS, type Direction, type Levels, type OverlayKind } from "../../drawing/scene.ts";
import type { Part, Program, Step } from "../../model/types.ts";
import { putIn } from "../api/merge.ts";
import { spanHolds } from "../program/links.ts";
import { answered } from "./answered.ts";
import { type ColumnId, DEFAULT_COLUMNS } from "./columns.ts";
import { currentProgram, isOpened, levelOf, moduleLevels, openKey, textShown, viewOf } from "./current.ts";
import { type Finding, type Following, found, NOT_FINDING } from "./finding.ts";
import type { Input } from "./kind.ts";
import { NO_PINS, type Pin, pinned, unpinned } from "./pins.ts";
import { changed, type Shared } from "./shared.ts";
import { NOT_SHARING, type Sharing } from "./sharing.ts";
import { atSpot, type Spot } from "./spot.ts";
import type {
  Answer,
  Arrival,
  Asked,
  Contrast,
  Failure,
  Listing,
  OpenFile,
  Pane,
  Saved,
  State,
  Target,
  Theme,
  View,
  Wish,
} from "./types.ts";
import { keyOf, madeKey, wishKey } from "./wishes.ts";

export { currentProgram, isText, levelOf, openKey } from "./current.ts";

export type Action =
  | { readonly type: "edit"; readonly source: string }
  | { readonly type: "load"; readonly source: string; readonly input?: Input | null; readonly note?: string }
  /** A file of bytes is opened, or closed. */
  | { readonly type: "file"; readonly file: OpenFile | null; readonly note: string }
  | {
      readonly type: "settings";
      readonly auto?: boolean;
      readonly staticNumbers?: boolean;
      readonly theme?: Theme;
      readonly contrast?: Contrast;
      readonly hints?: boolean;
      readonly jax?: string | null;
    }
  | { readonly type: "compile"; readonly on: boolean }
  | { readonly type: "clear" }
  | { readonly type: "run"; readonly id: number }
  | { readonly type: "answer"; readonly id: number; readonly answer: Answer }
  | { readonly type: "settled"; readonly id: number; readonly milliseconds: number | null }
  | { readonly type: "failed"; readonly id: number; readonly failure: Failure }
  | { readonly type: "program"; readonly id: string }
  | { readonly type: "view"; readonly view: View }
  | { readonly type: "open"; readonly key: string; readonly open: ReadonlySet<string> }
  | { readonly type: "outlined"; readonly key: string; readonly open: ReadonlySet<string> }
  | { readonly type: "levels"; readonly levels: Levels }
  | { readonly type: "direction"; readonly direction: Direction }
  | { readonly type: "overlay"; readonly overlay: OverlayKind | null }
  /** Shows a body of the program alone; null shows all of it again. */
  | { readonly type: "alone"; readonly path: string | null }
  /** `jump`: the person was led there, and may want to come back. */
  | { readonly type: "select"; readonly target: Target | null; readonly jump?: boolean }
  | { readonly type: "spot"; readonly spot: Spot }
  /** Other code altogether, with all that belongs to it. */
  | {
      readonly type: "code";
      readonly saved: Saved;
      readonly spot: Spot | null;
      readonly arrival: Arrival | null;
      readonly shared?: Shared | null;
    }
  | { readonly type: "arrival"; readonly arrival: Arrival | null }
  /** What came with a short link becomes one's own. */
  | { readonly type: "fork" }
  | { readonly type: "share"; readonly change: Partial<Sharing> }
  | { readonly type: "recall"; readonly change: Partial<State["recalling"]> }
  | { readonly type: "hover"; readonly target: Target | null }
  | { readonly type: "find"; readonly change: Partial<Finding> }
  | { readonly type: "list"; readonly change: Partial<Listing> }
  | { readonly type: "follow"; readonly following: Following | null }
  | { readonly type: "pin"; readonly pin: Pin }
  | { readonly type: "unpin"; readonly key: string }
  | { readonly type: "against"; readonly key: string | null }
  | { readonly type: "columns"; readonly columns: readonly ColumnId[] }
  | { readonly type: "pane"; readonly pane: Pane }
  | { readonly type: "bar"; readonly open: boolean; readonly fun?: string }
  | { readonly type: "typed"; readonly fun: string; readonly name: string; readonly value: string }
  | { readonly type: "ask"; readonly asked: Asked | null }
  | { readonly type: "wish"; readonly wish: Wish }
  | { readonly type: "unwish"; readonly key: string }
  | { readonly type: "part"; readonly run: string; readonly whole: Part; readonly packed: Part }
  | { readonly type: "read"; readonly notice: string };

/** Another program: what was pointed at in the one before is not in it. A search goes on. */
const UNPOINTED = { selection: null, hover: null, following: null } as const;

function inFront(state: State, id: string): State {
  const program = state.shown?.trace.programs.find((each) => each.id === id) ?? null;
  // Of what was opened nothing more comes: a level that the program lacks is not waited for.
  const level = levelOf(state.view);
  const lacks =
    isOpened(state) && program !== null && program.entry !== null && level !== "jaxpr" && !moduleLevels(program).includes(level);
  return {
    ...state,
    program: id,
    view: lacks ? "jaxpr" : viewOf(program, state.view, state.shown?.trace.input),
    awaited: null,
    ...UNPOINTED,
  };
}

/** Other code, or a file in its place: what was asked about the one before does not carry over. */
const OTHER = {
  file: null,
  input: null,
  asked: null,
  wishes: [],
  compile: false,
  bar: { open: false, fun: null },
  awaited: null,
  notices: [],
  restoring: null,
  hover: null,
  shared: null,
} as const;

/** What was said of another file goes; what a link left is still to be said. */
function arrived({ arrival }: State, note = ""): Pick<State, "arrival"> {
  if (note !== "") return { arrival: { kind: "file", note } };
  return { arrival: arrival?.kind === "link" ? arrival : null };
}

/** A place in another module of a split file brings that module forward. */
function inSection(state: State, target: Target | null): State {
  if (target?.kind !== "place" || !isCurrent(state)) return state;
  const holds = ({ entry, span }: Program): boolean => entry === null && span !== null && spanHolds(span, target.line, target.col);
  const program = state.shown?.trace.programs.find(holds);
  return program === undefined || program.id === state.program ? state : update(state, { type: "program", id: program.id });
}

/** How a visit begins, beside what is saved. */
export type Begun = Pick<State, "restoring" | "arrival"> & Partial<Pick<State, "shared">>;

export function initial(saved: Saved, begun: Begun = { restoring: null, arrival: null }): State {
  return {
    ...saved,
    shared: null,
    ...begun,
    sharing: NOT_SHARING,
    recalling: { open: false, query: "" },
    input: null,
    run: { id: 0, phase: "idle", milliseconds: null },
    failure: null,
    latest: null,
    shown: null,
    program: null,
    view: "jaxpr",
    open: {},
    outlined: {},
    levels: AS_FITS,
    direction: "TB",
    overlay: null,
    alone: {},
    edits: null,
    selection: null,
    hover: null,
    finding: NOT_FINDING,
    listing: { open: false, query: "", by: "order" },
    following: null,
    pins: NO_PINS,
    pane: "graph",
    columns: DEFAULT_COLUMNS,
    bar: { open: false, fun: null },
    awaited: null,
    notices: [],
  };
}

/** What a person does to the code that a short link brought, and no answer of the server. */
const FORKS: ReadonlySet<Action["type"]> = new Set<Action["type"]>(["edit", "settings", "compile", "ask", "wish", "unwish"]);

export function update(state: State, action: Action): State {
  const next = updated(state, action);
  const forks = state.shared?.forked === false && FORKS.has(action.type) && changed(state, next);
  return forks ? updated(next, { type: "fork" }) : next;
}

function updated(state: State, action: Action): State {
  switch (action.type) {
    case "edit":
      // What is opened in place of the code is only read.
      return action.source === state.source || state.file !== null ? state : { ...state, source: action.source, input: null, hover: null };
    // Another text altogether: what was asked about the one before does not carry over. What was typed does, by the name of the function.
    case "load":
      return {
        ...state,
        source: action.source,
        ...OTHER,
        input: action.input ?? null,
        ...arrived(state, action.note),
      };
    case "file":
      return { ...state, ...OTHER, file: action.file, ...arrived(state, action.note) };
    case "settings": {
      const { type: _, ...changes } = action;
      return { ...state, ...changes };
    }
    case "compile":
      return { ...state, compile: action.on };
    case "clear":
      return {
        ...state,
        run: { ...state.run, id: -1, phase: "idle" },
        failure: null,
        latest: null,
        shown: null,
        program: null,
        open: {},
        outlined: {},
        alone: {},
        selection: null,
        hover: null,
        following: null,
        pins: NO_PINS,
        awaited: null,
        notices: [],
      };
    case "run":
      return { ...state, run: { id: action.id, phase: "running", milliseconds: null } };
    case "answer":
      return action.id === state.run.id ? answered(state, action.answer) : state;
    case "settled":
      return action.id === state.run.id ? { ...state, run: { ...state.run, phase: "settled", milliseconds: action.milliseconds } } : state;
    case "failed":
      return action.id === state.run.id ? { ...state, run: { ...state.run, phase: "settled" }, failure: action.failure } : state;
    case "program":
      return action.id === state.program ? state : inFront(state, action.id);
    case "view":
      return { ...state, view: action.view };
    case "open":
      return { ...state, open: { ...state.open, [action.key]: action.open } };
    case "outlined":
      return { ...state, outlined: { ...state.outlined, [action.key]: action.open } };
    case "alone":
      return alone(state, action.path);
    case "spot":
      return atSpot(state, action.spot);
    case "code":
      return {
        ...initial(action.saved, { restoring: action.spot, arrival: action.arrival, shared: action.shared ?? null }),
        run: state.run,
        pane: state.pane,
        sharing: { ...state.sharing, open: false, title: null },
      };
    case "arrival":
      return { ...state, arrival: action.arrival };
    case "fork": {
      if (state.shared === null || state.shared.forked) return state;
      const arrival = state.arrival?.kind === "link" ? state.arrival : ({ kind: "link", kept: false, back: false } as const);
      return { ...state, shared: { ...state.shared, forked: true }, arrival };
    }
    case "share":
      return { ...state, sharing: { ...state.sharing, ...action.change } };
    case "recall":
      return { ...state, recalling: { ...state.recalling, ...action.change } };
    case "select":
      return { ...inSection(state, action.target), selection: action.target };
    case "hover":
      return sameTarget(state.hover, action.target) ? state : { ...state, hover: action.target };
    case "find":
      return { ...state, finding: found(state.finding, action.change) };
    case "list":
      return { ...state, listing: { ...state.listing, ...action.change } };
    case "follow":
      return { ...state, following: action.following };
    // A choice for the whole graph takes the place of what was opened by hand: groups of another kind have other keys.
    case "levels":
      return { ...state, levels: action.levels, open: {} };
    case "direction":
      return { ...state, direction: action.direction };
    case "overlay":
      return { ...state, overlay: action.overlay };
    case "pin":
      return { ...state, pins: pinned(state.pins, action.pin) };
    case "unpin":
      return { ...state, pins: unpinned(state.pins, action.key) };
    case "against":
      return { ...state, pins: { ...state.pins, against: action.key } };
    case "columns":
      return { ...state, columns: action.columns };
    case "pane":
      return { ...state, pane: action.pane };
    case "bar":
      return { ...state, bar: { open: action.open, fun: action.fun ?? state.bar.fun } };
    case "typed":
      return { ...state, typed: { ...state.typed, [action.fun]: { ...state.typed[action.fun], [action.name]: action.value } } };
    case "ask":
      return asked(state, action.asked);
    case "wish":
      return wished(state, action.wish);
    case "unwish":
      return unwished(state, action.key);
    case "part":
      return withPart(state, action);
    case "read":
      return { ...state, notices: state.notices.filter((notice) => notice !== action.notice) };
  }
}

/** What an answer left out has come: it is put where it belongs, unless the answer has been replaced meanwhile. */
function withPart(state: State, { run, whole, packed }: Extract<Action, { type: "part" }>): State {
  const put = (answer: Answer | null): Answer | null => {
    if (answer === null || answer.run !== run) return answer;
    const programs = answer.trace.programs.map((program) => (program.id === whole.program ? putIn(program, whole, packed) : program));
    return { ...answer, trace: { ...answer.trace, programs } };
  };
  const shown = put(state.shown);
  return { ...state, shown, latest: state.latest === state.shown ? shown : put(state.latest) };
}

function alone(state: State, path: string | null): State {
  const program = currentProgram(state);
  if (program === null) return state;
  const key = openKey(levelOf(state.view), program.id);
  const { [key]: before, ...rest } = state.alone;
  if ((before ?? null) === path) return state;
  return { ...state, alone: path === null ? rest : { ...rest, [key]: path }, hover: null };
}

/** What is sent counts as typed, also where it was only proposed: proposals go when the code changes. */
function asked(state: State, asked: Asked | null): State {
  if (asked === null) return { ...state, asked, bar: { open: false, fun: null } };
  const typed = asked.signature === null ? state.typed : { ...state.typed, [asked.fun]: { ...state.typed[asked.fun], ...asked.signature } };
  return { ...state, asked, typed };
}

/** One that is there already comes forward instead; one that is on its way is not asked for twice. */
function wished(state: State, wish: Wish): State {
  const key = wishKey(wish);
  const there = state.shown?.trace.programs.find((program) => madeKey(program) === key);
  if (there !== undefined) return update(state, { type: "program", id: there.id });
  const wishes = state.wishes.some((other) => wishKey(other) === key) ? state.wishes : [...state.wishes, wish];
  return { ...state, wishes, awaited: key };
}

function unwished(state: State, key: string): State {
  const gone = state.wishes.find((wish) => wishKey(wish) === key);
  const stays = (program: Program): boolean => madeKey(program) !== key;
  const without = (answer: Answer | null): Answer | null =>
    answer === null ? null : { ...answer, trace: { ...answer.trace, programs: answer.trace.programs.filter(stays) } };
  const shown = without(state.shown);
  const latest = state.latest === state.shown ? shown : without(state.latest);
  const next = {
    ...state,
    wishes: state.wishes.filter((wish) => wishKey(wish) !== key),
    awaited: state.awaited === key ? null : state.awaited,
    shown,
    latest,
  };
  if (gone === undefined || currentProgram(next) !== null) return next;
  return { ...next, program: nearest(shown?.trace.programs ?? [], gone.base.id, gone.steps), ...UNPOINTED };
}

/** The longest part of a chain that has a program. */
function nearest(programs: readonly Program[], base: string, steps: readonly Step[]): string | null {
  for (let length = steps.length - 1; length > 0; length--) {
    const found = programs.find((program) => madeKey(program) === keyOf(base, steps.slice(0, length)));
    if (found !== undefined) return found.id;
  }
  return (programs.find(({ id, made_from }) => id === base && made_from === null) ?? programs[0])?.id ?? null;
}

export function sameTarget(a: Target | null, b: Target | null): boolean {
  if (a === b) return true;
  if (a === null || b === null || a.kind !== b.kind) return false;
  return JSON.stringify(a) === JSON.stringify(b);
}

/** True while the graph shows an older paste than the editor holds, or one that has failed since. */
export function isStale(state: State): boolean {
  return state.shown !== null && (state.shown !== state.latest || state.failure !== null);
}

/** Whether spans of the shown answer still fit the text in the editor. */
export function isCurrent(state: State): boolean {
  return state.shown !== null && state.shown.source === textShown(state) && (state.shown.file ?? null) === state.file;
}
