// When pastes are sent: at once on demand, after a pause while typing, the newest always ending the older.
import { effect } from "@preact/signals";
import { ServerError, type TraceOrder, trace } from "../api/client.ts";
import { keep, type Store } from "./store.ts";
import type { Entry } from "./types.ts";

export const PAUSE_MS = 700;
export const STARTING_MS = 1500;
const STARTING_TRIES = 20;

interface Sent {
  readonly source: string;
  readonly staticNumbers: boolean;
}

function same(a: Sent, b: Sent): boolean {
  return a.source === b.source && a.staticNumbers === b.staticNumbers;
}

export interface Runner {
  /** Sends the paste now, with the entry the person named, if any. */
  run(entry?: Entry | null): void;
  stop(): void;
}

export function createRunner(store: Store, send: typeof trace = trace): Runner {
  let newest = 0;
  let abort: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let sent: Sent | null = null;

  function run(entry: Entry | null = null): void {
    clearTimeout(timer);
    clearTimeout(again);
    abort?.abort();
    const controller = new AbortController();
    abort = controller;
    newest += 1;
    const id = newest;
    const { source, staticNumbers } = store.state.peek();
    const order: TraceOrder = { source, entry, staticNumbers };
    sent = { source, staticNumbers };
    if (source.trim() === "") {
      store.dispatch({ type: "clear" });
      return;
    }
    store.dispatch({ type: "run", id });
    attempt(order, id, controller.signal, 0);
  }

  function attempt(order: TraceOrder, id: number, signal: AbortSignal, before: number): void {
    const started = performance.now();
    send(order, (answer) => store.dispatch({ type: "answer", id, trace: answer, source: order.source }), signal).then(
      () => store.dispatch({ type: "settled", id, milliseconds: performance.now() - started }),
      (error: unknown) => {
        if (signal.aborted) return;
        const failure =
          error instanceof ServerError
            ? error.failure
            : { code: "page", message: "The page could not read the answer.", advice: String(error) };
        // A server that was started together with the page needs a moment to load JAX.
        if (failure.code === "starting" && before < STARTING_TRIES)
          again = setTimeout(() => attempt(order, id, signal, before + 1), STARTING_MS);
        else store.dispatch({ type: "failed", id, failure });
      },
    );
  }

  // Depends on the settings alone: hovering while the pause runs must not prolong it.
  const stopWatching = effect(() => {
    const { auto, ...now } = store.settings.value;
    keep(store.settings.value);
    clearTimeout(timer);
    if (auto && sent !== null && !same(sent, now)) timer = setTimeout(() => run(), PAUSE_MS);
  });

  return {
    run,
    stop(): void {
      stopWatching();
      clearTimeout(timer);
      clearTimeout(again);
      abort?.abort();
    },
  };
}
