// Long work in short slices, so that the page stays free: a generator says where it may pause.

/** A frame has 16 ms, and others want some of it. */
const SLICE_MS = 8;
/** Looking at the clock costs more than a small step. */
const STEPS = 64;

export class Dropped extends Error {}

/** Runs `work` to its end; throws Dropped at the next pause once `signal` says that nobody wants it. */
export async function inSlices<T>(work: Generator<unknown, T>, signal: AbortSignal, pause: () => Promise<void> = nextTask): Promise<T> {
  let end = performance.now() + SLICE_MS;
  for (let step = 1; ; step++) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (step % STEPS !== 0 || performance.now() < end) continue;
    await pause();
    if (signal.aborted) throw new Dropped("dropped");
    end = performance.now() + SLICE_MS;
  }
}

/** Work that nothing waits for, at once: for tests and for small programs. */
export function atOnce<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
