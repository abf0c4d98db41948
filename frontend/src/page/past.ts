// What this browser remembers of what was traced in it: recorded after a run, opened without losing what is there. What keeps it is loaded late.

import { type ReadonlySignal, signal } from "@preact/signals";
import type { Linked } from "./state/links/format.ts";
import type { History } from "./state/local/history.ts";
import { keepEarlier, savedOf } from "./state/saved.ts";
import { spotOf } from "./state/spot.ts";
import type { Store } from "./state/store.ts";
import type { Arrival, Saved, State } from "./state/types.ts";

export interface Past {
  /** Counts what was recorded: the storage tells other tabs of a change, and never the one that made it. */
  readonly recorded: ReadonlySignal<number>;
  history(): Promise<History>;
  /** Opens an entry. What is in the editor is in the history afterwards, or put aside where that keeps nothing. */
  open(linked: Linked): Promise<void>;
}

const SITTING = "jaxpr-visualizer/1/sitting";

/** The entry that the edits of this tab go to. */
const sitting = {
  get id(): string | null {
    try {
      return sessionStorage.getItem(SITTING);
    } catch {
      return null;
    }
  },
  set id(id: string | null) {
    try {
      if (id === null) sessionStorage.removeItem(SITTING);
      else sessionStorage.setItem(SITTING, id);
    } catch {}
  },
};

export function createPast(store: Store, run: () => void): Past {
  let made: History | null = null;
  const recorded = signal(0);
  const history = async (): Promise<History> => {
    const { createHistory } = await import("./state/local/history.ts");
    made ??= createHistory(() => localStorage, sitting);
    return made;
  };

  /** Whether it need not be kept any more: nobody wrote it, or it is kept. */
  async function keep(state: State): Promise<boolean> {
    if (state.source.trim() === "") return true;
    const { isFresh } = await import("./examples.ts");
    if (isFresh(state.source)) return true;
    const name = state.shown?.source === state.source ? (store.program.peek()?.name ?? "") : "";
    const done = (await history()).record(linkedOf(state), name, Date.now());
    recorded.value += 1;
    return done;
  }

  store.listen((action, _before, now) => {
    if (action.type !== "settled" || action.id !== now.run.id) return;
    const { latest, file } = now;
    // What did not become a program is work that goes on; it is kept as soon as it does, or something else takes its place.
    if (file === null && latest !== null && latest.source === now.source && latest.trace.programs.length > 0) void keep(now);
  });

  return {
    recorded,
    history,
    async open(linked) {
      const state = store.state.peek();
      const kept = state.file !== null || linked.source === state.source || (await keep(state));
      const before = savedOf(state);
      const aside = !kept && keepEarlier(before);
      const arrival: Arrival | null = aside ? { kind: "link", kept: true, back: false } : null;
      const { source, staticNumbers, asked, wishes, compile, jax, spot } = linked;
      const saved: Saved = { ...before, source, staticNumbers, asked, wishes, compile, jax, file: null };
      store.dispatch({ type: "code", saved, spot, arrival });
      run();
    },
  };
}

function linkedOf(state: State): Linked {
  const { source, staticNumbers, asked, wishes, compile, jax } = state;
  return { source, staticNumbers, asked, wishes, compile, jax, spot: spotOf(state) };
}
