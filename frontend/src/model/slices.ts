// Long work in slices: a generator that stops every millisecond or so. In a worker it runs to its end; on the main thread it takes turns with
// the page, which must never wait for 50 ms.

export type Slices<T> = Generator<undefined, T>;

/** Runs slices to their end, at once: in a worker, where nobody waits. */
export function atOnce<T>(slices: Slices<T>): T {
  for (;;) {
    const { done, value } = slices.next();
    if (done === true) return value as T;
  }
}

/** Milliseconds of one turn on the main thread: half of a frame. */
const TURN_MS = 8;

/** Runs slices a few milliseconds at a time, and lets the page do its work in between. */
export async function inTurns<T>(slices: Slices<T>, signal?: AbortSignal): Promise<T> {
  for (let until = performance.now() + TURN_MS; ; ) {
    const { done, value } = slices.next();
    if (done === true) return value as T;
    if (performance.now() < until) continue;
    await turn();
    signal?.throwIfAborted();
    until = performance.now() + TURN_MS;
  }
}

interface Scheduler {
  yield?(): Promise<void>;
}

/** The next turn of the event loop; a timer would wait for 4 ms. */
function turn(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: Scheduler };
  // Not every browser has it yet.
  return scheduler?.yield?.() ?? byMessage();
}

/** A turn behind everything that has been sent to this thread already. */
export function byMessage(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
