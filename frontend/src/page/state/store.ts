// The state as a signal, and what is derived from it. Components read signals; only `dispatch` writes.
import { computed, signal } from "@preact/signals";
import type { Diagnostic } from "../../model/types.ts";
import { instanceOf, litBy } from "../program/lit.ts";
import { textShown } from "./current.ts";
import { sameSaved, savedOf } from "./saved.ts";
import type { Saved, State } from "./types.ts";
import { type Action, type Begun, currentProgram, initial, isCurrent, update } from "./update.ts";

export type Steady = Omit<
  State,
  "hover" | "selection" | "open" | "outlined" | "alone" | "pane" | "finding" | "listing" | "following" | "pins" | "sharing" | "recalling"
>;
/** Hears of every action that changed something. */
export type Listener = (action: Action, before: State, now: State) => void;

export function createStore(saved: Saved, begun?: Begun) {
  const listeners = new Set<Listener>();
  let kept = saved;
  const state = signal<State>(initial(saved, begun));
  const program = computed(() => currentProgram(state.value));
  const current = computed(() => isCurrent(state.value));
  /** What the autosave keeps and what an automatic run depends on; the same object while neither changes. */
  const settings = computed<Saved>((): Saved => {
    const now = savedOf(state.value);
    if (!sameSaved(kept, now)) kept = now;
    return kept;
  });
  const source = computed(() => textShown(state.value));
  let steadyBefore: Steady | null = null;
  /** The state without what changes under a moving pointer: the same object while nothing else does. */
  const steady = computed<Steady>((): Steady => {
    const {
      hover: _hover,
      selection: _selection,
      open: _open,
      outlined: _outlined,
      alone: _alone,
      pane: _pane,
      finding: _finding,
      listing: _listing,
      following: _following,
      sharing: _sharing,
      recalling: _recalling,
      ...rest
    } = state.value;
    const before = steadyBefore;
    const keys = Object.keys(rest) as (keyof Steady)[];
    if (before === null || keys.some((key) => before[key] !== rest[key])) steadyBefore = rest;
    return steadyBefore ?? rest;
  });
  /** The diagnostics that fit the text in the editor: those of older text are in the list, but underline nothing. */
  const problems = computed<readonly Diagnostic[]>(() => {
    const { latest } = state.value;
    return latest !== null && latest.source === source.value ? latest.trace.diagnostics : [];
  });
  const selection = computed(() => state.value.selection);
  const hover = computed(() => state.value.hover);
  const finding = computed(() => state.value.finding);
  const sharing = computed(() => state.value.sharing);
  const recalling = computed(() => state.value.recalling);
  const following = computed(() => state.value.following);
  const hoverLit = computed(() => litBy(program.value, hover.value, current.value));
  const selectionLit = computed(() => litBy(program.value, selection.value, current.value));
  const lit = computed(() => (hover.value === null ? selectionLit.value : hoverLit.value));
  const selected = computed(() => instanceOf(program.value, selection.value, current.value));
  return {
    state,
    program,
    current,
    settings,
    source,
    steady,
    problems,
    hover,
    selection,
    finding,
    sharing,
    recalling,
    following,
    lit,
    hoverLit,
    selectionLit,
    selected,
    dispatch(action: Action): void {
      const before = state.peek();
      const now = update(before, action);
      if (now === before) return;
      state.value = now;
      for (const listener of listeners) listener(action, before, now);
    },
    /** Answers how to stop it. */
    listen(listener: Listener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export type Store = ReturnType<typeof createStore>;
