// Where the viewer looks, over time: every movement of the camera goes through here, so that the drawing cannot be lost, the picture
// changes once per frame, and a hand ends whatever moves by itself.
import type { Box } from "../drawing/scene.ts";
import { clearOf } from "./avoid.ts";
import { type Camera, centreOn, fitTo, keepInSight, pan, reveal, type Size, zoomAt } from "./camera.ts";
import { Glide } from "./glide.ts";
import type { Velocity } from "./inertia.ts";

export interface EyeCallbacks {
  /** Paint for this camera. */
  apply(camera: Camera, view: Size): void;
  /** Nothing has moved for a moment. */
  rest(camera: Camera, view: Size): void;
}

const REST_MS = 250;
/** Of a tall body its head is what must be seen. */
const HEAD = 120;

export class Eye {
  readonly #host: HTMLElement;
  readonly #on: EyeCallbacks;
  readonly #glide = new Glide((camera) => this.#move(camera));
  #camera: Camera = { x: 0, y: 0, k: 1 };
  #size: Size | null = null;
  #frame = 0;
  #settle: ReturnType<typeof setTimeout> | undefined;
  /** The drawing, in its own pixels; null while there is none. */
  world: Box | null = null;
  /** Whether anyone has moved it since the first look: then a new size of the window moves nothing. */
  moved = false;

  constructor(host: HTMLElement, on: EyeCallbacks) {
    this.#host = host;
    this.#on = on;
  }

  get camera(): Camera {
    return this.#camera;
  }

  /** As it was last seen: to ask while a new drawing is being put there would lay all of it out once more. */
  get size(): Size {
    this.#size ??= { w: Math.max(1, this.#host.clientWidth), h: Math.max(1, this.#host.clientHeight) };
    return this.#size;
  }

  resized(): void {
    this.#size = null;
  }

  /** What is seen, in pixels of the drawing. */
  get view(): Box {
    const { x, y, k } = this.#camera;
    const { w, h } = this.size;
    return { x, y, w: w / k, h: h / k };
  }

  /** The point of the drawing under a point of the screen. */
  under(x: number, y: number): { x: number; y: number } {
    return { x: this.#camera.x + x / this.#camera.k, y: this.#camera.y + y / this.#camera.k };
  }

  /** Looks from here at once, without a way there. */
  set(camera: Camera, moved: boolean): void {
    this.#glide.stop();
    this.#camera = camera;
    this.moved = moved;
    this.apply();
    this.#lift();
  }

  apply(): void {
    this.#on.apply(this.#camera, this.size);
  }

  stop(): void {
    this.#glide.stop();
  }

  pan(dx: number, dy: number): void {
    this.#move(pan(this.#camera, dx, dy));
  }

  zoom(factor: number, x: number, y: number): void {
    this.#move(zoomAt(this.#camera, factor, x, y));
  }

  /** A throw goes on until it comes to an edge. */
  throw(velocity: Velocity): void {
    this.#glide.throw(velocity, (dx, dy) => {
      const { x, y } = this.#camera;
      this.pan(-dx, -dy);
      return x !== this.#camera.x || y !== this.#camera.y;
    });
  }

  goTo(camera: Camera): void {
    const world = this.world;
    if (world !== null) this.#glide.to(this.#camera, keepInSight(camera, world, this.size), this.size);
  }

  goBy(dx: number, dy: number): void {
    this.goTo(pan(this.#camera, dx, dy));
  }

  zoomTo(factor: number, at?: { readonly x: number; readonly y: number }): void {
    const { w, h } = this.size;
    this.goTo(zoomAt(this.#camera, factor, at?.x ?? w / 2, at?.y ?? h / 2));
  }

  fit(box: Box, margin = 24, most = 1): void {
    this.goTo(fitTo(box, this.size, margin, most));
  }

  centre(x: number, y: number): void {
    this.#glide.stop();
    this.#move(centreOn(this.#camera, x, y, this.size));
  }

  /** `cover` lies over the view, on screen: what is revealed comes out from under it. */
  reveal(box: Box, cover: DOMRect | null = null): void {
    const head = { ...box, h: Math.min(box.h, HEAD) };
    const camera = reveal(this.#camera, head, this.size);
    const { left, top } = this.#host.getBoundingClientRect();
    const over = cover === null ? null : { x: cover.x - left, y: cover.y - top, w: cover.width, h: cover.height };
    this.goTo(over === null ? camera : clearOf(camera, head, this.size, over));
  }

  dispose(): void {
    this.#glide.stop();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#settle);
  }

  #move(camera: Camera): void {
    if (this.world === null) return;
    this.#camera = keepInSight(camera, this.world, this.size);
    this.moved = true;
    this.#host.classList.add("moving");
    this.#lift();
    if (this.#frame !== 0) return;
    // Many wheel events come per frame; the picture changes once.
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.apply();
    });
  }

  /** While it moves the picture is a layer of its own, which costs its text some sharpness; at rest it is not. */
  #lift(): void {
    clearTimeout(this.#settle);
    this.#settle = setTimeout(() => {
      this.#host.classList.remove("moving");
      this.#on.rest(this.#camera, this.size);
    }, REST_MS);
  }
}
