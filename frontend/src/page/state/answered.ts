// What an answer does to the state: which program stays in front, what is kept open, which wishes still have their program. Pure.
import type { Program, Trace } from "../../model/types.ts";
import { editsOf } from "../program/edits.ts";
import { placeOf } from "../program/instances.ts";
import { standsAtField } from "./asked.ts";
import { openKey, viewOf } from "./current.ts";
import { stillFollowed } from "./finding.ts";
import { movedOpen, movedTarget } from "./open.ts";
import { stillPinned } from "./pins.ts";
import { atSpot, programOf } from "./spot.ts";
import type { Answer, State, Target, Wish } from "./types.ts";
import { inShort, madeKey, reconcile, stepsKey, wishKey, wishName, withoutStrays } from "./wishes.ts";

/** Programs that stand in a row of tabs; of more there is a list. */
export const FEW = 12;

export function answered(state: State, given: Answer): State {
  // Those of the state, not those that were sent: one may have been taken back since.
  const { wishes, dropped } = reconcile(state.wishes, given.trace);
  const answer = withOffers({ ...given, trace: withoutStrays(given.trace, given.wishes, wishes) }, state.latest);
  const { trace } = answer;
  const errors = trace.diagnostics.filter((diagnostic) => diagnostic.severity === "error");
  // The function is gone from the code: what the paste itself calls is traced again, by a run of its own.
  const lost =
    given.asked !== null && given.asked.signature !== null && errors.some(({ field, type }) => field === "fun" && type === "NameError");
  const before = state.shown?.trace.programs.find((program) => program.id === state.program) ?? null;
  const awaited = awaitedNow(state.awaited ?? (before === null ? null : madeKey(before)), state.wishes, wishes);
  const settled: State = {
    ...state,
    awaited,
    asked: lost ? null : state.asked,
    run: { ...state.run, phase: "lowering" },
    failure: null,
    latest: answer,
    wishes,
    notices: said([
      ...state.notices,
      ...(lost ? [`The types for ${inShort(given.asked?.fun ?? "")} were put aside: the code does not define it any more.`] : []),
      ...dropped.map(({ base, steps }) => noticeOf(base.name, wishName(base.name, steps))),
    ]),
    // An error at a field must be seen, also when the bar was folded.
    bar: errors.some((error) => standsAtField(error) && error.field?.startsWith("transforms[") !== true)
      ? { ...state.bar, open: true }
      : state.bar,
  };
  // A paste that fails leaves the last good graph standing; one that is merely empty does not, nor does a file, which has nothing to do with it.
  if (trace.programs.length === 0 && errors.length > 0) {
    if ((state.shown?.file ?? null) === (answer.file ?? null)) return settled;
    return { ...settled, shown: null, program: null, selection: null, hover: null, following: null };
  }
  const arrived = awaited === null ? undefined : trace.programs.find((program) => madeKey(program) === awaited);
  const program = arrived ?? samePlace(trace, before) ?? trace.programs[0] ?? null;
  const kept = program !== null && before !== null && isSame(program, before);
  const { pins, gone } = stillPinned(state.pins, trace.programs);
  // A later line of the same answer has the same jaxprs: it edits nothing.
  const edits = kept && program.jaxprs !== before.jaxprs ? editsOf(before, program) : null;
  const stillOpen = (open: State["open"]): State["open"] => {
    if (edits !== null && before !== null && program !== null) return movedOpen(open, before, program, edits);
    return kept || arrived !== undefined ? open : {};
  };
  // What was opened elsewhere and has many programs begins with the list of them.
  const listed = given.file?.as !== undefined && state.shown?.file !== given.file && trace.programs.length > FEW;
  const now: State = {
    ...settled,
    ...(listed && { listing: { open: true, query: "", by: "order" } }),
    edits: edits ?? (kept ? state.edits : null),
    shown: answer,
    program: program?.id ?? null,
    view: viewOf(program, state.view, trace.input),
    awaited: arrived === undefined ? awaited : null,
    open: stillOpen(state.open),
    outlined: stillOpen(state.outlined),
    alone: kept || arrived !== undefined ? bodiesOf(trace, state.alone) : {},
    selection:
      edits === null
        ? kept && stillThere(before, program, state.selection)
          ? state.selection
          : null
        : movedTarget(edits, state.selection),
    hover: null,
    following: kept ? stillFollowed(before, program, state.following) : null,
    pins,
    notices: said([
      ...settled.notices,
      ...gone.map(({ label }) => `The pin of ${inShort(label)} was given up: it is no longer in this code.`),
    ]),
  };
  const { restoring } = state;
  if (restoring === null || trace.programs.length === 0) return now;
  // A program that transforms make may come with a later line.
  const there = restoring.program === null || programOf(trace.programs, restoring.program) !== null;
  const at = atSpot({ ...now, restoring: null }, restoring);
  return { ...at, alone: bodiesOf(trace, at.alone), restoring: there ? null : restoring };
}

/** Those of the bodies shown alone that the programs still have. Paths of ops are the drawing's to check. */
function bodiesOf(trace: Trace, alone: State["alone"]): State["alone"] {
  const has = ([key, path]: [string, string]): boolean => {
    const program = trace.programs.find(({ id }) => key === openKey("jaxpr", id));
    return program === undefined || (placeOf(program, path)?.eqn.nested.length ?? 0) > 0;
  };
  return Object.fromEntries(Object.entries(alone).filter(has));
}

/** What is awaited goes with its program to the new id; a made program that is shown, and that this answer lacks, is awaited too. */
function awaitedNow(key: string | null, sent: readonly Wish[], now: readonly Wish[]): string | null {
  const wish = sent.find((one) => wishKey(one) === key);
  const same = now.find((one) => one.base.name === wish?.base.name && stepsKey(one.steps) === stepsKey(wish.steps));
  return same === undefined ? null : wishKey(same);
}

/** An answer comes in several lines, and each says the same. */
function said(notices: readonly string[]): string[] {
  return [...new Set(notices)];
}

function noticeOf(base: string, name: string): string {
  return `${inShort(name)} was given up: ${inShort(base)} is no longer among the programs of this code.`;
}

/**
 * The offers of a paste stay while one of them is traced, for such an answer has none: the arguments can be mended, or another function
 * chosen.
 */
function withOffers(answer: Answer, before: Answer | null): Answer {
  if (answer.trace.offers.length > 0 || before === null || (before.source !== answer.source && answer.asked === null)) return answer;
  return { ...answer, trace: { ...answer.trace, offers: before.trace.offers } };
}

function isSame(a: Program, b: Program): boolean {
  return a.name === b.name && stepsKey(a.made_from?.steps ?? []) === stepsKey(b.made_from?.steps ?? []);
}

/** The program of a new answer that stands where the old one stood: the same id and name, else the same name and steps alone. */
function samePlace(trace: Trace, before: Program | null): Program | null {
  if (before === null) return null;
  const same = trace.programs.filter((program) => isSame(program, before));
  return same.find(({ id }) => id === before.id) ?? same[0] ?? null;
}

function stillThere(before: Program, after: Program, target: Target | null): boolean {
  if (target === null || target.kind !== "eqn") return false;
  return placeOf(before, target.path)?.eqn.primitive === placeOf(after, target.path)?.eqn.primitive;
}
