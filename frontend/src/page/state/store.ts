// The state as a signal, and what is derived from it. Components read signals; only `dispatch` writes.
import { computed, signal } from "@preact/signals";
import type { Diagnostic } from "../../model/types.ts";
import { instanceOf, litBy } from "../program/lit.ts";
import type { State } from "./types.ts";
import { type Action, currentProgram, initial, isCurrent, type Saved, update } from "./update.ts";

const STORE = "jaxpr-visualizer/1";

export function createStore(saved: Saved) {
  let kept = saved;
  const state = signal<State>(initial(saved));
  const program = computed(() => currentProgram(state.value));
  const current = computed(() => isCurrent(state.value));
  /** What the autosave keeps and what an automatic run depends on; the same object while neither changes. */
  const settings = computed<Saved>((): Saved => {
    const { source, auto, staticNumbers, theme } = state.value;
    const before = kept;
    if (before.source === source && before.auto === auto && before.staticNumbers === staticNumbers && before.theme === theme) return before;
    kept = { source, auto, staticNumbers, theme };
    return kept;
  });
  const source = computed(() => state.value.source);
  /** The diagnostics that fit the text in the editor: those of older text are in the list, but underline nothing. */
  const problems = computed<readonly Diagnostic[]>(() => {
    const { latest } = state.value;
    return latest !== null && latest.source === source.value ? latest.trace.diagnostics : [];
  });
  const selection = computed(() => state.value.selection);
  const hover = computed(() => state.value.hover);
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
    problems,
    hover,
    selection,
    lit,
    hoverLit,
    selectionLit,
    selected,
    dispatch(action: Action): void {
      state.value = update(state.peek(), action);
    },
  };
}

export type Store = ReturnType<typeof createStore>;

/** What the last visit of this browser tab left, laid over `defaults`. Storage may be forbidden: then the defaults. */
export function restore(defaults: Saved): Saved {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORE) ?? "null");
    if (typeof kept !== "object" || kept === null) return defaults;
    const fields = kept as Partial<Record<keyof Saved, unknown>>;
    return {
      source: typeof fields.source === "string" ? fields.source : defaults.source,
      auto: typeof fields.auto === "boolean" ? fields.auto : defaults.auto,
      staticNumbers: typeof fields.staticNumbers === "boolean" ? fields.staticNumbers : defaults.staticNumbers,
      theme: fields.theme === "light" || fields.theme === "dark" || fields.theme === "auto" ? fields.theme : defaults.theme,
    };
  } catch {
    return defaults;
  }
}

export function keep(settings: Saved): void {
  try {
    sessionStorage.setItem(STORE, JSON.stringify(settings));
  } catch {
    // Full or forbidden storage costs the autosave, nothing else.
  }
}
