// Work on the page's own thread that is too long for one frame: a few milliseconds of it in each, until it is done or something newer comes.

/** Milliseconds of one frame that such work may take. */
const SHARE_MS = 8;

export class Sliced {
  #work: Generator<undefined, void> | null = null;
  #frame = 0;
  #done: (() => void) | null = null;

  /** Begins at once, and ends whatever was going on. */
  start(work: Generator<undefined, void>, done: () => void = () => undefined): void {
    this.stop();
    this.#work = work;
    this.#done = done;
    this.#go();
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    this.#work = null;
    this.#done = null;
  }

  /** Does the rest now. */
  finish(): void {
    cancelAnimationFrame(this.#frame);
    while (this.#work?.next().done === false);
    this.#end();
  }

  get busy(): boolean {
    return this.#work !== null;
  }

  #go(): void {
    const until = performance.now() + SHARE_MS;
    while (performance.now() < until) {
      if (this.#work?.next().done !== false) {
        this.#end();
        return;
      }
    }
    this.#frame = requestAnimationFrame(() => this.#go());
  }

  #end(): void {
    const done = this.#done;
    this.#work = null;
    this.#done = null;
    done?.();
  }
}
