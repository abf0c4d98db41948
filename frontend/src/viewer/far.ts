// A drawing from afar, where no small print can be read: one canvas in place of tens of thousands of elements. Drawn from the same scene and
// the same colours, in slices; until a new picture is whole, the one before is moved and scaled.
import { overlap } from "../drawing/boxes.ts";
import type { Box, Node, Scene, SceneItem, Wire } from "../drawing/scene.ts";
import type { Camera } from "./camera.ts";
import { type Paints, paletteOf } from "./farPalette.ts";

/** Boxes between two stops. */
const SLICE = 300;
/** Below this scale a title is a grey line. */
const TITLES = 0.26;
/** What is smaller than this on screen is drawn as a block of its colour, without a border. */
const BLOCK_PX = 5;

/** What is lit stands out by its width, too. */
const LIT = 2;

/** Whether a thing of the scene is lit; null where nothing is. */
export type Lights = ((item: Pick<SceneItem, "key" | "eqn" | "value">) => boolean) | null;

/** A picture as it is seen and the one that is being painted. */
class Sheet {
  #front: HTMLCanvasElement;
  #back: HTMLCanvasElement;

  constructor(host: HTMLElement, name: string) {
    [this.#front, this.#back] = [canvas(host, name), canvas(host, name)];
  }

  get style(): CSSStyleDeclaration {
    return this.#front.style;
  }

  begin(region: Box, w: number, h: number, k: number): CanvasRenderingContext2D | null {
    const dense = globalThis.devicePixelRatio || 1;
    this.#back.width = Math.ceil(w * dense);
    this.#back.height = Math.ceil(h * dense);
    const pen = this.#back.getContext("2d", { alpha: true });
    pen?.setTransform(k * dense, 0, 0, k * dense, -region.x * k * dense, -region.y * k * dense);
    return pen;
  }

  show(w: number, h: number, placed: (style: CSSStyleDeclaration) => void): void {
    const back = this.#back;
    back.style.width = `${w}px`;
    back.style.height = `${h}px`;
    placed(back.style);
    back.hidden = false;
    this.#front.hidden = true;
    [this.#front, this.#back] = [back, this.#front];
  }

  hide(): void {
    this.#front.hidden = true;
  }

  remove(): void {
    this.#front.remove();
    this.#back.remove();
  }
}

/** The picture, and over it what of it is lit while the rest is dimmed. */
export class FarCanvas {
  readonly #scene: Scene;
  readonly #host: HTMLElement;
  readonly #lights: Sheet;
  readonly #picture: Sheet;

  constructor(host: HTMLElement, scene: Scene) {
    this.#host = host;
    this.#scene = scene;
    // Each is put before what is there: the lights stand over the picture.
    this.#lights = new Sheet(host, "far lights");
    this.#picture = new Sheet(host, "far");
  }

  set transform(transform: string) {
    this.#picture.style.transform = transform;
    this.#lights.style.transform = transform;
  }

  hide(): void {
    this.#picture.hide();
    this.#lights.hide();
  }

  remove(): void {
    this.#picture.remove();
    this.#lights.remove();
  }

  /** Draws `region`, `w` by `h` pixels of the page, at this scale, and then shows it in place of what was there. */
  *draw(region: Box, w: number, h: number, { k }: Camera, placed: (style: CSSStyleDeclaration) => void): Generator<undefined, void> {
    const pen = this.#picture.begin(region, w, h, k);
    if (pen === null) return;
    const paints = paletteOf(this.#host);
    yield* this.#frames(pen, region, paints, k);
    yield* this.#wires(pen, region, paints, k, null);
    yield* this.#nodes(pen, region, paints, k, null);
    yield* this.#titles(pen, region, paints, k);
    this.#lights.hide();
    this.#picture.show(w, h, placed);
  }

  /** The same of what is lit alone. */
  *light(
    lights: Lights,
    region: Box,
    w: number,
    h: number,
    { k }: Camera,
    placed: (style: CSSStyleDeclaration) => void,
  ): Generator<undefined, void> {
    const pen = lights === null ? null : this.#lights.begin(region, w, h, k);
    if (pen === null) {
      this.#lights.hide();
      return;
    }
    const paints = paletteOf(this.#host);
    yield* this.#wires(pen, region, paints, k, lights);
    yield* this.#nodes(pen, region, paints, k, lights);
    this.#lights.show(w, h, placed);
  }

  *#frames(pen: CanvasRenderingContext2D, region: Box, paints: Paints, k: number): Generator<undefined, void> {
    pen.lineWidth = Math.max(1.25, 0.8 / k);
    for (const [i, { box, depth }] of this.#scene.frames.entries()) {
      if (overlap(box, region)) {
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
  *#wires(pen: CanvasRenderingContext2D, region: Box, paints: Paints, k: number, lights: Lights): Generator<undefined, void> {
    const roles = new Map<Wire["role"], { path: Path2D; count: number }>();
    pen.lineWidth = (lights === null ? 0.8 : LIT) / k;
    const stroke = (role: Wire["role"], path: Path2D): void => {
      pen.strokeStyle = paints(`wire-${role}`).stroke;
      pen.stroke(path);
    };
    for (const [i, wire] of this.#scene.wires.entries()) {
      if (i % SLICE === 0) yield;
      const { role, points, box } = wire;
      if (lights !== null && !lights(wire)) continue;
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

  *#nodes(pen: CanvasRenderingContext2D, region: Box, paints: Paints, k: number, lights: Lights): Generator<undefined, void> {
    for (const [i, node] of this.#scene.nodes.entries()) {
      if (i % SLICE === 0) yield;
      const { box } = node;
      if (!overlap(box, region) || (lights !== null && !lights(node))) continue;
      const paint = paints(classOf(node));
      if (box.h * k < BLOCK_PX) {
        pen.fillStyle = paint.stroke;
        pen.fillRect(box.x, box.y, box.w, box.h);
        continue;
      }
      pen.fillStyle = node.fill === undefined || node.fill === null ? paint.fill : paints(node.fill).fill;
      pen.strokeStyle = paint.stroke;
      pen.lineWidth = (lights === null ? 0.8 : LIT) / k;
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
      if (!head || rotate !== 0 || !near || !overlap(box, region)) continue;
      const size = frames === null ? 12 : Math.min(60, Math.max(12, 11 / k));
      if (frames !== null && box.w * k < 24) continue;
      pen.font = `600 ${size}px ${family}`;
      pen.textAlign = anchor === "middle" ? "center" : anchor === "end" ? "right" : "left";
      pen.fillText(text, x, y);
    }
  }
}

function canvas(host: HTMLElement, name: string): HTMLCanvasElement {
  const made = document.createElement("canvas");
  made.className = name;
  made.hidden = true;
  // What it shows is in the drawing's own elements for those who cannot see it.
  made.setAttribute("aria-hidden", "true");
  host.prepend(made);
  return made;
}

function classOf({ kind, role }: Node): string {
  return kind === "op" || kind === "closed" ? kind : `pill-${role}`;
}

/** Whether a wire comes near a region: by its ends and its box, which need not hold a loop. */
function reaches(points: readonly number[], box: Box, region: Box): boolean {
  if (overlap(box, region)) return true;
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at + 1 < points.length; at += 2) {
    const [x, y] = [points[at] ?? 0, points[at + 1] ?? 0];
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
  }
  return overlap({ x: x0, y: y0, w: x1 - x0, h: y1 - y0 }, region);
}
