// The way a person took: spots to go back to and forward again, kept in the browser's own history, so that its buttons and Alt with the
// arrows mean the same. A jump (another program, level, depth or body, what a search or a twin led to) makes an entry; all else refreshes the newest.
import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Camera } from "../../viewer/index.ts";
import { seenFrom } from "./links/read.ts";
import { type Seen, sameSpot, spotOf } from "./spot.ts";
import type { Store } from "./store.ts";
import type { State } from "./types.ts";
import type { Action } from "./update.ts";

/** What an entry of the browser's history holds; anything else in there is not ours. */
export interface Entry {
  readonly jaxpr: 1;
  readonly index: number;
  readonly seen: Seen;
}

/** The part of `window` that is used, so that tests can stand in for it. */
export interface Browser {
  readonly state: unknown;
  push(entry: Entry): void;
  /** `address` is the fragment, "" for none, null to leave it as it is. */
  replace(entry: Entry, address: string | null): void;
  go(steps: number): void;
}

/** After this pause the newest entry takes over where things are: browsers allow few writes a second. */
export const PAUSE_MS = 400;
/** Browsers refuse large entries; so many open bodies are the drawing's own choice again after a reload. */
const MOST_OPEN = 2_000;

export interface Journey {
  readonly back: ReadonlySignal<boolean>;
  readonly forward: ReadonlySignal<boolean>;
  /** Where the graph is to look next, until it has. */
  readonly wanted: ReadonlySignal<Camera | null>;
  arrived(): void;
  go(steps: -1 | 1): void;
  /** What the browser's history came to; false when the entry is none of ours. */
  popped(entry: unknown): boolean;
  /** The browser made an entry of its own: another link in the address of the open page. */
  landed(): void;
  /** The graph looks from here now. */
  looked(camera: Camera): void;
  stop(): void;
}

/** `address` makes the fragment for the state. */
export function createJourney(store: Store, browser: Browser, address: (state: State) => Promise<string>): Journey {
  const before = entryOf(browser.state);
  const index = signal(before?.index ?? 0);
  const last = signal(before?.index ?? 0);
  const wanted = signal<Camera | null>(before?.seen.camera ?? null);
  let camera: Camera | null = before?.seen.camera ?? null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let turn = 0;

  const seen = (state: State): Seen => {
    const spot = spotOf(state);
    return { ...spot, open: spot.open !== null && spot.open.length > MOST_OPEN ? null : spot.open, camera };
  };
  const entry = (state: State): Entry => ({ jaxpr: 1, index: index.peek(), seen: seen(state) });

  function refresh(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const mine = ++turn;
      const state = store.state.peek();
      // Before an answer there is nothing to be anywhere in; what a reload or a link left stays until then.
      if (state.shown === null) return;
      void address(state).then((fragment) => {
        if (mine === turn) browser.replace(entry(store.state.peek()), fragment);
      });
    }, PAUSE_MS);
  }

  const stopListening = store.listen((action, old, now) => {
    // A place in the picture of other code: of what was pasted before the reload had its answer.
    if (old.source !== now.source) wanted.value = null;
    if (!isJump(action) || old.shown === null || sameSpot(spotOf(old), spotOf(now))) return;
    clearTimeout(timer);
    turn++;
    browser.replace(entry(old), null);
    index.value += 1;
    last.value = index.peek();
    // Another drawing is looked at afresh, also where nothing has been looked at yet: a text that was loaded anew has left its wish.
    if (action.type !== "select") {
      camera = null;
      wanted.value = null;
    }
    browser.push(entry(now));
    refresh();
  });
  const stopWatching = effect(() => {
    const { source, staticNumbers, asked, wishes, compile, jax, program, view, open, alone, selection, levels, direction, shown } =
      store.state.value;
    void [source, staticNumbers, asked, wishes, compile, jax, program, view, open, alone, selection, levels, direction, shown];
    refresh();
  });

  return {
    back: computed(() => index.value > 0),
    forward: computed(() => index.value < last.value),
    wanted,
    arrived() {
      wanted.value = null;
    },
    go(steps) {
      const to = index.peek() + steps;
      if (to < 0 || to > last.peek()) return;
      clearTimeout(timer);
      turn++;
      // The entry that is left holds where it was left.
      browser.replace(entry(store.state.peek()), null);
      browser.go(steps);
    },
    popped(state) {
      const found = entryOf(state);
      if (found === null) return false;
      clearTimeout(timer);
      turn++;
      index.value = found.index;
      last.value = Math.max(last.peek(), found.index);
      camera = found.seen.camera;
      store.dispatch({ type: "spot", spot: found.seen });
      wanted.value = found.seen.camera;
      refresh();
      return true;
    },
    landed() {
      index.value += 1;
      last.value = index.peek();
      camera = null;
      refresh();
    },
    looked(now) {
      camera = now;
      refresh();
    },
    stop() {
      stopListening();
      stopWatching();
      clearTimeout(timer);
      turn++;
    },
  };
}

function isJump(action: Action): boolean {
  if (action.type === "select") return action.jump === true;
  return action.type === "program" || action.type === "view" || action.type === "alone" || isLook(action);
}

function isLook({ type }: Action): boolean {
  return type === "levels" || type === "direction";
}

/** An entry of ours, or null; another version of the page may have left anything. */
export function entryOf(state: unknown): Entry | null {
  if (typeof state !== "object" || state === null) return null;
  const { jaxpr, index, seen } = state as Partial<Record<keyof Entry, unknown>>;
  const found = seenFrom(seen);
  return jaxpr === 1 && typeof index === "number" && Number.isInteger(index) && index >= 0 && found !== null
    ? { jaxpr, index, seen: found }
    : null;
}
