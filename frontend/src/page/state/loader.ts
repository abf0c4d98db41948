// Fetches what the answer left out when it is looked at, one part at a time. What the server has forgotten is traced anew, once.
import { effect, signal } from "@preact/signals";
import type { LeftOut } from "../../model/types.ts";
import { ServerError } from "../api/client.ts";
import type { part } from "../api/parts.ts";
import { wantedParts } from "./parts.ts";
import { isRunning } from "./status.ts";
import type { Store } from "./store.ts";
import type { Failure } from "./types.ts";

export type Loading =
  | { readonly phase: "loading"; readonly left: LeftOut; readonly bytes: number }
  | { readonly phase: "stopped"; readonly left: LeftOut; readonly failure: Failure | null };

export type Loader = ReturnType<typeof createLoader>;

async function fetchedPart(...given: Parameters<typeof part>): ReturnType<typeof part> {
  return (await import("../api/parts.ts")).part(...given);
}

export function createLoader(store: Store, runAgain: () => void, fetchPart: typeof part = fetchedPart) {
  const loading = signal<Loading | null>(null);
  /** The jaxprs that the graph shows in outline. */
  const bodies = signal<readonly string[]>([]);
  /** Those that a search is to look through. */
  const searched = signal<readonly string[]>([]);
  /** Those that are open in the outline. */
  const outlined = signal<readonly string[]>([]);
  let abort: AbortController | null = null;
  /** What was stopped stays so until the person wants it again. */
  let stopped = "";
  /** The source that was traced anew for a part that was gone. */
  let renewed = "";
  /** What was asked for ahead of its run: an outline is told of before the server has what it left out. */
  let early = "";

  const keyOf = (run: string, left: LeftOut): string => `${run} ${left.part}`;

  function next(): void {
    const { shown, view, run: sent } = store.state.peek();
    const [left] = wantedParts(store.program.peek(), view, [...bodies.peek(), ...searched.peek()], outlined.peek());
    const run = shown?.run;
    if (left === undefined || shown === null || run === undefined) {
      abort?.abort();
      abort = null;
      loading.value = null;
      return;
    }
    // What is compiled is told of before the server has its parts, and they may be large: it has them all when the run is over.
    const runs = isRunning(sent);
    if (left.level === "hlo" && runs) return;
    const now = loading.peek();
    const key = keyOf(run, left);
    if (key === stopped || (key === early ? runs : now?.phase === "loading" && now.left === left)) return;
    early = "";
    abort?.abort();
    const controller = new AbortController();
    abort = controller;
    loading.value = { phase: "loading", left, bytes: 0 };
    const heard = (bytes: number): void => {
      if (abort === controller) loading.value = { phase: "loading", left, bytes };
    };
    fetchPart(run, left.part, heard, controller.signal).then(
      (made) => {
        if (abort !== controller) return;
        abort = null;
        loading.value = null;
        store.dispatch({ type: "part", run, ...made });
      },
      (error: unknown) => {
        if (abort !== controller) return;
        abort = null;
        const failure =
          error instanceof ServerError
            ? error.failure
            : { code: "page", message: "The page could not read this part.", advice: String(error) };
        if (failure.code === "part-gone" && isRunning(store.state.peek().run)) {
          early = key;
          return;
        }
        if (failure.code === "part-gone" && renewed !== shown.source) {
          renewed = shown.source;
          loading.value = null;
          runAgain();
          return;
        }
        stopped = key;
        loading.value = { phase: "stopped", left, failure };
      },
    );
  }

  const stopWatching = effect(() => {
    void [
      store.program.value,
      store.state.value.view,
      store.state.value.shown,
      store.state.value.run.phase,
      bodies.value,
      searched.value,
      outlined.value,
    ];
    next();
  });

  return {
    loading,
    bodies,
    searched,
    outlined,
    cancel(): void {
      const now = loading.peek();
      const run = store.state.peek().shown?.run;
      if (now === null || run === undefined) return;
      abort?.abort();
      abort = null;
      stopped = keyOf(run, now.left);
      loading.value = { phase: "stopped", left: now.left, failure: null };
    },
    again(): void {
      stopped = "";
      loading.value = null;
      next();
    },
    dispose(): void {
      stopWatching();
      abort?.abort();
    },
  };
}
