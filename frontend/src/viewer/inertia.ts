// How a thrown drawing goes on: the speed of a hand from its last few points, and how it dies away. Pure; times in milliseconds.

/** Only what a hand did this shortly before it let go counts: a drag that rests before it ends throws nothing. */
const RECENT_MS = 80;
/** In this time a speed falls to a third (1/e). */
const DECAY_MS = 260;
/** Slower than this (pixels per millisecond) is standing still. */
const LEAST = 0.04;
/** Faster than this no hand means to go. */
const MOST = 4;

export interface Velocity {
  readonly vx: number;
  readonly vy: number;
}

interface Sample {
  readonly time: number;
  readonly x: number;
  readonly y: number;
}

/** The last points of a hand. */
export class Track {
  #samples: Sample[] = [];

  add(time: number, x: number, y: number): void {
    this.#samples.push({ time, x, y });
    while ((this.#samples[0]?.time ?? time) < time - RECENT_MS) this.#samples.shift();
  }

  clear(): void {
    this.#samples = [];
  }

  /** Its speed when it lets go at `time`, or null when it was at rest. */
  release(time: number): Velocity | null {
    const recent = this.#samples.filter((sample) => sample.time >= time - RECENT_MS);
    const [first] = recent;
    const last = recent[recent.length - 1];
    if (first === undefined || last === undefined || last.time - first.time < 5) return null;
    const over = last.time - first.time;
    const vx = (last.x - first.x) / over;
    const vy = (last.y - first.y) / over;
    const speed = Math.hypot(vx, vy);
    if (speed < LEAST * 4) return null;
    const share = Math.min(1, MOST / speed);
    return { vx: vx * share, vy: vy * share };
  }
}

/** The way that is made in `ms` with a speed that dies away, and the speed that is left; null when it has come to rest. */
export function coast({ vx, vy }: Velocity, ms: number): { dx: number; dy: number; left: Velocity } | null {
  if (Math.hypot(vx, vy) < LEAST) return null;
  const rest = Math.exp(-ms / DECAY_MS);
  const way = DECAY_MS * (1 - rest);
  return { dx: vx * way, dy: vy * way, left: { vx: vx * rest, vy: vy * rest } };
}
