// Movements of the camera that the eye can follow: short, ended by any hand on the drawing, and none at all for who asks for less motion.
import type { Camera, Size } from "./camera.ts";
import { coast, type Velocity } from "./inertia.ts";
import { calm } from "./motion.ts";

const MILLISECONDS = 220;
/** Longer ways are jumps: nobody sees where a thousand boxes flew by. */
const FAR = 4;

/** The camera at share `t` of the way: the middle of the view goes straight, the scale evenly in its logarithm. */
export function between(from: Camera, to: Camera, view: Size, t: number): Camera {
  if (t >= 1) return to;
  const k = from.k * (to.k / from.k) ** t;
  const cx = from.x + view.w / from.k / 2 + (to.x + view.w / to.k / 2 - from.x - view.w / from.k / 2) * t;
  const cy = from.y + view.h / from.k / 2 + (to.y + view.h / to.k / 2 - from.y - view.h / from.k / 2) * t;
  return { k, x: cx - view.w / k / 2, y: cy - view.h / k / 2 };
}

/** Whether a way is short enough to be shown: a few views, and not through many sizes. */
export function isNear(from: Camera, to: Camera, view: Size): boolean {
  const k = Math.min(from.k, to.k);
  const way = Math.hypot((to.x - from.x) * k, (to.y - from.y) * k);
  return way < FAR * Math.max(view.w, view.h) && Math.abs(Math.log(to.k / from.k)) < Math.log(12);
}

export class Glide {
  readonly #step: (camera: Camera) => void;
  #frame = 0;

  constructor(step: (camera: Camera) => void) {
    this.#step = step;
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  to(from: Camera, to: Camera, view: Size): void {
    this.stop();
    if (calm() || !isNear(from, to, view)) {
      this.#step(to);
      return;
    }
    const started = performance.now();
    const next = (now: number): void => {
      const t = Math.min(1, Math.max(0, (now - started) / MILLISECONDS));
      this.#frame = t < 1 ? requestAnimationFrame(next) : 0;
      this.#step(between(from, to, view, 1 - (1 - t) ** 3));
    };
    this.#frame = requestAnimationFrame(next);
  }

  /** Lets it coast; `push` moves by pixels and says whether there was anywhere to go. */
  throw(velocity: Velocity, push: (dx: number, dy: number) => boolean): void {
    this.stop();
    if (calm()) return;
    let speed = velocity;
    let before = performance.now();
    const next = (now: number): void => {
      const step = coast(speed, Math.max(0, now - before));
      before = now;
      this.#frame = 0;
      if (step === null || !push(step.dx, step.dy)) return;
      speed = step.left;
      this.#frame = requestAnimationFrame(next);
    };
    this.#frame = requestAnimationFrame(next);
  }
}
