// A drawing from afar, where no small print can be read: one canvas in place of tens of thousands of elements. Drawn from the same scene and
// the same colours, in slices; until a new picture is whole, the one before is moved and scaled.
import type { Box, Node, Scene, Wire } from "../drawing/scene.ts";
import type { Camera } from "./camera.ts";
import { type Paints, paletteOf } from "./farPalette.ts";

/** Boxes between two stops. */
const SLICE = 300;
/** Below this scale a title is a grey line. */
const TITLES = 0.26;
/** What is smaller than this on screen is drawn as a block of its colour, without a border. */
const BLOCK_PX = 5;

export class FarCanvas {
  readonly #scene: Scene;
  readonly #host: HTMLElement;
  #front: HTMLCanvasElement;
  #back: HTMLCanvasElement;

  constructor(host: HTMLElement, scene: Scene) {
    this.#host = host;
    this.#scene = scene;
    [this.#front, this.#back] = [canvas(host), canvas(host)];
  }

  /** The canvas that is seen. */
  get style(): CSSStyleDeclaration {
    return this.#front.style;
  }

  hide(): void {
    this.#front.hidden = true;
  }

  remove(): void {
    this.#front.remove();
    this.#back.remove();
  }

  /** Draws `region`, `w` by `h` pixels of the page, at this scale, and then shows it in place of what was there. */
  *draw(region: Box, w: number, h: number, { k }: Camera, placed: (style: CSSStyleDeclaration) => void): Generator<undefined, void> {
    const dense = globalThis.devicePixelRatio || 1;
    const back = this.#back;
    back.width = Math.ceil(w * dense);
    back.height = Math.ceil(h * dense);
    const pen = back.getContext("2d", { alpha: true });
    if (pen === null) return;
    pen.setTransform(k * dense, 0, 0, k * dense, -region.x * k * dense, -region.y * k * dense);
    const paints = paletteOf(this.#host);
    yield* this.#frames(pen, region, paints, k);
    yield* this.#wires(pen, region, paints, k);
    yield* this.#nodes(pen, region, paints, k);
    yield* this.#titles(pen, region, paints, k);
    back.style.width = `${w}px`;
    back.style.height = `${h}px`;
    placed(back.style);
    back.hidden = false;
    this.#front.hidden = true;
    [this.#front, this.#back] = [back, this.#front];
  }

  *#frames(pen: CanvasRenderingContext2D, region: Box, paints: Paints, k: number): Generator<undefined, void> {
    pen.lineWidth = Math.max(1.25, 0.8 / k);
    for (const [i, { box, depth }] of this.#scene.frames.entries()) {
      if (overlaps(box, region)) {
        const paint = paints(`frame${depth % 2}`);
        pen.fillStyle = paint.fill;
        pen.strokeStyle = paint.stroke;
        pen.beginPath();
        pen.roundRect(box.x, box.y, box.w, box.h, 12);
        pen.fill();
        pen.stroke();
      }
      if (i % SLICE === 0) yield;
    }
  }

  /** One path for each role: that is what a canvas is fast at. */
  *#wires(pen: CanvasRenderingContext2D, region: Box, paints: Paints, k: number): Generator<undefined, void> {
    const roles = new Map<Wire["role"], { path: Path2D; count: number }>();
    pen.lineWidth = 0.8 / k;
    const stroke = (role: Wire["role"], path: Path2D): void => {
      pen.strokeStyle = paints(`wire-${role}`).stroke;
      pen.stroke(path);
    };
    for (const [i, { role, points, box }] of this.#scene.wires.entries()) {
      if (i % SLICE === 0) yield;
      if (points.length < 4 || !reaches(points, box, region)) continue;
      let open = roles.get(role);
      if (open === undefined) {
        open = { path: new Path2D(), count: 0 };
        roles.set(role, open);
      }
      open.path.moveTo(points[0] ?? 0, points[1] ?? 0);
      for (let at = 2; at + 1 < points.length; at += 2) open.path.lineTo(points[at] ?? 0, points[at + 1] ?? 0);
      // A path of ten thousand lines would be stroked in one go, longer than a frame.
      if (++open.count >= SLICE) {
        stroke(role, open.path);
        roles.delete(role);
        yield;
      }
    }
    for (const [role, { path }] of roles) {
      stroke(role, path);
      yield;
    }
  }

  *#nodes(pen: CanvasRenderingContext2D, region: Box, paints: Paints, k: number): Generator<undefined, void> {
    for (const [i, node] of this.#scene.nodes.entries()) {
      if (i % SLICE === 0) yield;
      const { box } = node;
      if (!overlaps(box, region)) continue;
      const paint = paints(classOf(node));
      if (box.h * k < BLOCK_PX) {
        pen.fillStyle = paint.stroke;
        pen.fillRect(box.x, box.y, box.w, box.h);
        continue;
      }
      pen.fillStyle = node.fill === undefined || node.fill === null ? paint.fill : paints(node.fill).fill;
      pen.strokeStyle = paint.stroke;
      pen.lineWidth = 0.8 / k;
      pen.beginPath();
      pen.roundRect(box.x, box.y, box.w, box.h, node.kind === "op" ? 7 : Math.min(12, box.h / 2));
      pen.fill();
      pen.stroke();
    }
  }

  *#titles(pen: CanvasRenderingContext2D, region: Box, paints: Paints, k: number): Generator<undefined, void> {
    const frames = k >= TITLES ? null : new Set(this.#scene.frames.map(({ key }) => key));
    pen.fillStyle = paints("ink").fill;
    pen.textBaseline = "alphabetic";
    const family = getComputedStyle(this.#host).fontFamily;
    for (const [i, { style, text, x, y, anchor, box, owner, rotate }] of this.#scene.labels.entries()) {
      if (i % SLICE === 0) yield;
      const head = style === "op" || style === "title";
      // Of what stands further off the titles of open bodies alone are drawn, larger than they are: they tell where one is.
      const near = frames === null || (style === "title" && owner !== null && frames.has(owner));
      if (!head || rotate !== 0 || !near || !overlaps(box, region)) continue;
      const size = frames === null ? 12 : Math.min(60, Math.max(12, 11 / k));
      if (frames !== null && box.w * k < 24) continue;
      pen.font = `600 ${size}px ${family}`;
      pen.textAlign = anchor === "middle" ? "center" : anchor === "end" ? "right" : "left";
      pen.fillText(text, x, y);
    }
  }
}

function canvas(host: HTMLElement): HTMLCanvasElement {
  const made = document.createElement("canvas");
  made.className = "far";
  made.hidden = true;
  // What it shows is in the drawing's own elements for those who cannot see it.
  made.setAttribute("aria-hidden", "true");
  host.prepend(made);
  return made;
}

function classOf({ kind, role }: Node): string {
  return kind === "op" || kind === "closed" ? kind : `pill-${role}`;
}

function overlaps(a: Box, b: Box): boolean {
  return a.x <= b.x + b.w && b.x <= a.x + a.w && a.y <= b.y + b.h && b.y <= a.y + a.h;
}

/** Whether a wire comes near a region: by its ends and its box, which need not hold a loop. */
function reaches(points: readonly number[], box: Box, region: Box): boolean {
  if (overlaps(box, region)) return true;
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at + 1 < points.length; at += 2) {
    const [x, y] = [points[at] ?? 0, points[at + 1] ?? 0];
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
  }
  return x0 <= region.x + region.w && x1 >= region.x && y0 <= region.y + region.h && y1 >= region.y;
}
