// Where the keyboard and the page can stop in a drawing, looked up by key, by instance, by what opens it, by place. Built once per drawing.
import type { Box, Frame, Node, Scene } from "../drawing/scene.ts";
import { atOnce, type Slices } from "../model/slices.ts";
import { type Stop, stopsOf } from "./walk.ts";

/** What a finger or an unsteady hand can hit, in pixels of the screen. */
const TARGET = 24;
/** A view that a body fills to this share is inside of it. */
const INSIDE = 0.6;

/** Between two turns: a millisecond or two. */
const STOPS = 2000;

export class StopIndex {
  readonly all: readonly Stop[];
  readonly #byKey = new Map<string, Stop>();
  readonly #nodes = new Map<string, Node>();
  readonly #frames = new Map<string, Frame>();
  readonly #groups = new Map<string, Stop>();
  readonly #pills = new Map<string, Stop>();

  private constructor(scene: Scene) {
    this.all = stopsOf(scene);
  }

  /** In turns with the page: of fifty thousand boxes it is too much for one. */
  static *inTurns(scene: Scene): Slices<StopIndex> {
    const index = new StopIndex(scene);
    for (const [at, stop] of index.all.entries()) {
      index.#add(stop);
      if (at % STOPS === STOPS - 1) yield;
    }
    return index;
  }

  static of(scene: Scene): StopIndex {
    return atOnce(StopIndex.inTurns(scene));
  }

  #add(stop: Stop): void {
    this.#byKey.set(stop.key, stop);
    if (stop.toggle !== null) this.#groups.set(stop.toggle, stop);
    if ((stop.kind === "input" || stop.kind === "binder") && stop.value !== null) this.#pills.set(stop.value, stop);
    if (stop.eqn === null) return;
    if (isFrame(stop)) {
      if (stop.kind !== "body" && !this.#frames.has(stop.eqn)) this.#frames.set(stop.eqn, stop);
    } else if ((stop.kind === "op" || stop.kind === "closed") && !this.#nodes.has(stop.eqn)) this.#nodes.set(stop.eqn, stop);
  }

  get size(): number {
    return this.all.length;
  }

  at(key: string | null): Stop | undefined {
    return key === null ? undefined : this.#byKey.get(key);
  }

  /** The box or the open body of an instance; of a group, by what opens it; the pill that binds a value, by its key. */
  of(path: string): Stop | null {
    return this.#nodes.get(path) ?? this.#frames.get(path) ?? this.#groups.get(path) ?? this.#pills.get(path) ?? null;
  }

  /** Whether an open body belongs to an instance that `means` means. */
  someFrame(means: (path: string) => boolean): boolean {
    for (const path of this.#frames.keys()) if (means(path)) return true;
    return false;
  }

  /** What opens or closes under a world point, seen at scale `k`: its triangle, or as much around it as a hand needs. */
  gripAt(x: number, y: number, k: number): string | null {
    let best: string | null = null;
    let nearest = Number.POSITIVE_INFINITY;
    for (const { fold, toggle, box } of this.all) {
      if (fold === null || toggle === null) continue;
      const dx = Math.max(3, (TARGET / k - fold.w) / 2);
      const dy = Math.max(3, (TARGET / k - fold.h) / 2);
      if (x < fold.x - dx || x > fold.x + fold.w + dx || y < fold.y - dy || y > fold.y + fold.h + dy) continue;
      // From afar the target of a triangle is larger than its box: what stands beside the box is not meant.
      if (x < box.x - 4 || x > box.x + box.w + 4 || y < box.y - 4 || y > box.y + box.h + 4) continue;
      const away = Math.hypot(x - fold.x - fold.w / 2, y - fold.y - fold.h / 2);
      if (away < nearest) {
        nearest = away;
        best = toggle;
      }
    }
    return best;
  }

  /** The innermost open body that fills most of a view, or null. */
  inside(view: Box): string | null {
    let best: Frame | null = null;
    for (const frame of this.#frames.values()) {
      const w = Math.min(view.x + view.w, frame.box.x + frame.box.w) - Math.max(view.x, frame.box.x);
      const h = Math.min(view.y + view.h, frame.box.y + frame.box.h) - Math.max(view.y, frame.box.y);
      if (w <= 0 || h <= 0 || w * h < INSIDE * view.w * view.h) continue;
      if (best === null || frame.depth > best.depth) best = frame;
    }
    return best?.eqn ?? null;
  }
}

export function isFrame(stop: Stop): stop is Frame {
  return "depth" in stop;
}
