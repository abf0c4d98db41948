// When pastes are sent: at once on demand, after a pause while typing, the newest always ending the older.
import { effect } from "@preact/signals";
import type { Trace } from "../../model/types.ts";
import { ServerError, trace } from "../api/client.ts";
import { type Input, kindOf, MOST_CODE, MOST_OTHER } from "./kind.ts";
import { bodyOf, type Wanted } from "./request.ts";
import { keep } from "./saved.ts";
import type { Store } from "./store.ts";
import type { Failure, OpenFile } from "./types.ts";
import { hasMoved } from "./wishes.ts";

export const PAUSE_MS = 700;
export const STARTING_MS = 1500;
const STARTING_TRIES = 20;

interface Sent {
  readonly source: string;
  readonly file: OpenFile | null;
  readonly staticNumbers: boolean;
  readonly jax: string | null;
}

function same(a: Sent, b: Sent): boolean {
  return a.source === b.source && a.file === b.file && a.staticNumbers === b.staticNumbers && a.jax === b.jax;
}

/** Said before anything is sent: what the server would refuse. */
function tooLarge(source: string, input: Input | null): Failure | null {
  const code = (input ?? kindOf(source)) === "python";
  const most = code ? MOST_CODE : MOST_OTHER;
  if (source.length <= most) return null;
  return {
    code: "too-large",
    message: `The ${code ? "code" : "text"} has ${source.length.toLocaleString("en")} characters; at most ${most.toLocaleString("en")} can be read.`,
    advice: code
      ? "Paste the part that matters; large data does not need to be in the code, jnp.zeros of its shape draws the same graph."
      : "Paste the part that matters. It was not sent anywhere.",
  };
}

export interface Runner {
  /** Sends the paste now, with whatever the person asked for beside it. */
  run(): void;
  /** Ends the run that is on its way; what has come of it stays. */
  cancel(): void;
  stop(): void;
}

/** `coming` hears of a large answer before it is unpacked. */
export function createRunner(store: Store, send: typeof trace = trace, coming: (trace: Trace) => void = () => undefined): Runner {
  let newest = 0;
  let abort: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let sent: Sent | null = null;

  function start(mend: boolean): void {
    clearTimeout(timer);
    clearTimeout(again);
    abort?.abort();
    const controller = new AbortController();
    abort = controller;
    newest += 1;
    const id = newest;
    const { source, input, file, staticNumbers, asked, wishes, compile, jax } = store.state.peek();
    sent = { source, file, staticNumbers, jax };
    if (file === null && source.trim() === "") {
      store.dispatch({ type: "clear" });
      return;
    }
    store.dispatch({ type: "run", id });
    const large = file === null ? tooLarge(source, input) : null;
    if (large !== null) {
      store.dispatch({ type: "failed", id, failure: large });
      return;
    }
    attempt({ source, input, file, staticNumbers, asked, wishes, compile, jax }, id, controller.signal, 0, mend);
  }

  function attempt(wanted: Wanted, id: number, signal: AbortSignal, before: number, mend: boolean): void {
    const started = performance.now();
    const { file = null, asked, wishes } = wanted;
    const receive: Parameters<typeof send>[1] = (answer, run) => {
      // Spans of a trace that is opened are of the text that it brings.
      const source = file?.as === undefined ? wanted.source : (answer.text ?? "");
      store.dispatch({ type: "answer", id, answer: { trace: answer, ...(run === undefined ? {} : { run }), source, file, asked, wishes } });
      const now = store.state.peek();
      // An edit gave a program another id, and its transforms were made of its neighbour; or took the traced function away: once more.
      if (mend && id === newest && (now.asked !== asked || hasMoved(wishes, now.wishes))) start(false);
    };
    const announce = (packed: Trace): void => {
      if (id === newest) coming(packed);
    };
    send(bodyOf(wanted), receive, signal, undefined, announce).then(
      () => store.dispatch({ type: "settled", id, milliseconds: performance.now() - started }),
      (error: unknown) => {
        if (signal.aborted) return;
        const failure =
          error instanceof ServerError
            ? error.failure
            : { code: "page", message: "The page could not read the answer.", advice: String(error) };
        // A server that was started together with the page needs a moment to load JAX.
        if (failure.code === "starting" && before < STARTING_TRIES)
          again = setTimeout(() => attempt(wanted, id, signal, before + 1, mend), STARTING_MS);
        else store.dispatch({ type: "failed", id, failure });
      },
    );
  }

  // Depends on the settings alone: hovering while the pause runs must not prolong it.
  const stopWatching = effect(() => {
    const { auto, ...now } = store.settings.value;
    keep(store.settings.value);
    clearTimeout(timer);
    if (auto && sent !== null && !same(sent, now)) timer = setTimeout(() => start(true), PAUSE_MS);
  });

  return {
    run: () => start(true),
    cancel(): void {
      clearTimeout(again);
      abort?.abort();
      store.dispatch({ type: "settled", id: newest, milliseconds: null });
    },
    stop(): void {
      stopWatching();
      clearTimeout(timer);
      clearTimeout(again);
      abort?.abort();
    },
  };
}
