// Puts a drawing on screen for a camera. Pans and zooms move and scale an already painted surface that is larger than the view; only when its
// edge comes near, or the zoom has come to rest, is it painted anew, and of a large drawing only what is in sight, a few milliseconds a frame.
// Where more is in sight than can be read, it is painted on a canvas, and only what is lit or pointed at is elements.
import type { Box } from "../drawing/scene.ts";
import type { Camera, Size } from "./camera.ts";
import { build, type DomOptions } from "./dom.ts";
import type { FarCanvas } from "./far.ts";
import { type Item, MountedLayer, within } from "./items.ts";
import { MarkIndex } from "./marks.ts";
import type { Paintable } from "./protocol.ts";
import { Sliced } from "./slices.ts";

/** Up to this many things everything is in the document at once: nothing to gain, and find-in-page works. */
const FEW = 1500;
/** Below this scale text is a grey line: large drawings leave it and the ports out. */
const FAR = 0.3;
/** Below this one no small print can be read: with more than so many things in sight, they are painted on a canvas. */
const CANVAS = 0.45;
const MOST_IN_SIGHT = 700;
/** How far the painted surface reaches beyond the view, as a share of it, on every side. */
const BEYOND = 0.35;
/** A picture may be scaled by this much until it is painted anew, and is so when no zoom has come for this long. */
const STRETCH = 2;
const REST_MS = 140;

/** The canvas is a script of its own: most drawings never need it. */
let far: typeof import("./far.ts") | null = null;
async function loadFar(): Promise<void> {
  far ??= await import("./far.ts");
}

interface Painted {
  readonly camera: Camera;
  readonly view: Size;
  readonly region: Box;
}

export class Painter {
  readonly #host: HTMLElement;
  readonly #svg: SVGElement;
  readonly #layers: MountedLayer[];
  readonly #large: boolean;
  readonly #items = new Map<string, Set<Item>>();
  readonly #all = new Set<Item>();
  readonly #mounting = new Sliced();
  readonly #lighting = new Sliced();
  #relit = 0;
  readonly #drawing: Paintable;
  #far: FarCanvas | null = null;
  #isFar = false;
  #drawingFar = false;
  /** What the canvas shows, while it is seen. */
  #farPainted: Painted | null = null;
  #painted: Painted | null = null;
  /** Where the camera is by now; a canvas that is being painted may be of an earlier one. */
  #now: Pick<Painted, "camera" | "view"> | null = null;
  #settle: ReturnType<typeof setTimeout> | undefined;
  #places: ReadonlyMap<string, readonly (readonly [MountedLayer, number])[]> | null = null;
  readonly marks: MarkIndex;
  readonly #abort = new AbortController();

  constructor(host: HTMLElement, drawing: Paintable, options: DomOptions) {
    this.#host = host;
    this.#drawing = drawing;
    const { picture } = drawing;
    this.marks = new MarkIndex(
      drawing.scene,
      () => this.#all,
      () => this.#showLit(),
    );
    this.#svg = build(picture.root, options);
    this.#svg.removeAttribute("width");
    this.#svg.removeAttribute("height");
    this.#svg.setAttribute("preserveAspectRatio", "xMinYMin meet");
    // The picture's own title would be a tooltip everywhere, and its aria-label says the same; its background would hide the canvas.
    for (const node of picture.ground) if (node.tag === "desc") this.#svg.append(build(node, options));
    const came = (item: Item): void => {
      this.#all.add(item);
      if (item.key !== null) (this.#items.get(item.key) ?? this.#newSet(item.key)).add(item);
      this.marks.dress(item);
    };
    const went = (item: Item): void => {
      this.#all.delete(item);
      if (item.key !== null) this.#items.get(item.key)?.delete(item);
    };
    this.#layers = picture.layers.map((layer) => new MountedLayer(layer, options, came, went));
    for (const { group } of this.#layers) this.#svg.append(group);
    this.#large = picture.layers.reduce((sum, { count }) => sum + count, 0) > FEW;
    if (!this.#large) for (const layer of this.#layers) for (const _ of layer.fill(indices(layer.layer.count)));
    for (const old of host.querySelectorAll(":scope > :is(svg, canvas)")) old.remove();
    host.classList.remove("far", "canvas");
    host.prepend(this.#svg);
    if (this.#large) this.#watch();
  }

  remove(): void {
    this.#mounting.stop();
    this.#lighting.stop();
    cancelAnimationFrame(this.#relit);
    this.#abort.abort();
    clearTimeout(this.#settle);
    this.#far?.remove();
    this.#svg.remove();
  }

  look(camera: Camera, view: Size): void {
    const before = this.#painted;
    this.#now = { camera, view };
    clearTimeout(this.#settle);
    if (this.#drawingFar && before !== null) {
      // It is painted anew as soon as it is whole; until then what there is follows the hand.
      this.#shift(camera, view);
      return;
    }
    if (before !== null && before.view.w === view.w && before.view.h === view.h && this.#stillShows(before, camera, view)) {
      this.#shift(camera, view);
      if (camera.k !== before.camera.k) this.#settle = setTimeout(() => this.#paint(camera, view), REST_MS);
      return;
    }
    this.#paint(camera, view);
  }

  /** A canvas keeps the colours that it was painted with. */
  recolour(): void {
    if (this.#now !== null && (this.#farPainted !== null || this.#drawingFar)) this.#paint(this.#now.camera, this.#now.view);
  }

  /** The element that takes the focus for a thing, mounted if it was not. */
  focusable(key: string): SVGElement | undefined {
    const targets = [...this.#bring(key)].map(({ target }) => target);
    return targets.find((target) => target.hasAttribute("data-toggle")) ?? targets[targets.length - 1];
  }

  /** The mounted elements of a thing: a frame has a border and a header. */
  elements(key: string): SVGElement[] {
    return [...(this.#items.get(key) ?? [])].map(({ element }) => element);
  }

  #newSet(key: string): Set<Item> {
    const set = new Set<Item>();
    this.#items.set(key, set);
    return set;
  }

  /** Whether what is painted covers the view, and is not scaled out of all likeness. */
  #stillShows({ camera: { k }, region }: Painted, camera: Camera, view: Size): boolean {
    const ratio = camera.k / k;
    if (ratio > STRETCH || ratio < 1 / STRETCH) return false;
    if (ratio !== 1 && !this.#large) return false;
    const [right, bottom] = [camera.x + view.w / camera.k, camera.y + view.h / camera.k];
    const { scene } = this.#drawing;
    // Beyond the drawing there is nothing to show.
    return (
      Math.max(camera.x, 0) >= region.x - 0.5 &&
      Math.max(camera.y, 0) >= region.y - 0.5 &&
      Math.min(right, scene.width) <= region.x + region.w + 0.5 &&
      Math.min(bottom, scene.height) <= region.y + region.h + 0.5
    );
  }

  /** What has been painted, moved and scaled to where the camera is by now. */
  #shift(camera: Camera, view: Size): void {
    if (this.#painted !== null) this.#svg.style.transform = this.#transform(this.#painted, camera, view);
    if (this.#far !== null && this.#farPainted !== null) this.#far.transform = this.#transform(this.#farPainted, camera, view);
  }

  #transform({ camera: { k }, region }: Painted, camera: Camera, view: Size): string {
    const x = BEYOND * view.w + (region.x - camera.x) * camera.k;
    const y = BEYOND * view.h + (region.y - camera.y) * camera.k;
    const ratio = camera.k / k;
    const transform = ratio === 1 ? `translate(${x}px, ${y}px)` : `translate(${x}px, ${y}px) scale(${ratio})`;
    return transform;
  }

  #paint(camera: Camera, view: Size): void {
    const { x, y, k } = camera;
    const beyond = { w: view.w * BEYOND, h: view.h * BEYOND };
    const region = { x: x - beyond.w / k, y: y - beyond.h / k, w: (view.w + 2 * beyond.w) / k, h: (view.h + 2 * beyond.h) / k };
    const wanted = this.#large ? this.#layers.map(({ layer }) => (k < FAR && layer.fine ? [] : within(layer, region))) : [];
    const canvas = this.#large && k < CANVAS && wanted.reduce((sum, list) => sum + list.length, 0) > MOST_IN_SIGHT;
    const [w, h] = [view.w + 2 * beyond.w, view.h + 2 * beyond.h];
    const place = placing(view);
    const onSvg = (): void => {
      place(this.#svg.style);
      this.#svg.style.width = `${w}px`;
      this.#svg.style.height = `${h}px`;
      this.#svg.setAttribute("viewBox", `${region.x} ${region.y} ${region.w} ${region.h}`);
      this.#host.classList.toggle("far", this.#large && k < FAR);
      this.#host.classList.toggle("canvas", canvas);
      this.#isFar = canvas;
      this.#painted = { camera, view, region };
    };
    if (canvas) {
      if (far === null) {
        this.#shift(camera, view);
        void loadFar().then(() => this.#now !== null && this.#svg.isConnected && this.#paint(this.#now.camera, this.#now.view));
        return;
      }
      this.#far ??= new far.FarCanvas(this.#host, this.#drawing.scene);
      // Until the new picture is whole the old one stands in for it.
      this.#shift(camera, view);
      const done = (): void => {
        this.#drawingFar = false;
        onSvg();
        this.#farPainted = this.#painted;
        this.#mountLit();
        const now = this.#now;
        if (now !== null && now.camera !== camera) this.look(now.camera, now.view);
      };
      this.#drawingFar = this.#painted !== null;
      this.#mounting.start(this.#far.draw(region, w, h, camera, place), done);
      return;
    }
    onSvg();
    this.#shift(camera, view);
    const mounted = (): void => {
      this.#far?.hide();
      this.#farPainted = null;
    };
    if (this.#large) this.#mounting.start(this.#mount(wanted), mounted);
  }

  *#mount(wanted: readonly (readonly number[])[]): Generator<undefined, void> {
    for (const [i, layer] of this.#layers.entries()) layer.keepOnly(new Set(wanted[i]));
    // What one reads first.
    for (const i of [0, 5, 3, 2, 1, 4, 6, 7, 8]) {
      const layer = this.#layers[i];
      if (layer !== undefined) yield* layer.fill(wanted[i] ?? []);
    }
  }

  /** On a canvas only what is lit is elements, and what has the focus. */
  #mountLit(): void {
    for (const layer of this.#layers) layer.keepOnly(new Set());
    this.#showLit();
  }

  #showLit(): void {
    this.#relight();
    const lit = this.#isFar ? this.marks.keys() : new Set<string>();
    if (lit.size > 4) this.#places ??= this.#placesOf();
    for (const key of lit) this.#bring(key);
  }

  /** On a canvas what is lit is painted once more, over the rest: once for all that is lit at a time. */
  #relight(): void {
    cancelAnimationFrame(this.#relit);
    if (this.#farPainted === null) return;
    this.#relit = requestAnimationFrame(() => {
      const painted = this.#farPainted;
      if (painted === null || this.#far === null || this.#drawingFar) return;
      const { camera, view, region } = painted;
      const [w, h] = [region.w * camera.k, region.h * camera.k];
      const placed = (style: CSSStyleDeclaration): void => {
        placing(view)(style);
        if (this.#now !== null) style.transform = this.#transform(painted, this.#now.camera, this.#now.view);
      };
      this.#lighting.start(this.#far.light(this.marks.lights, region, w, h, camera, placed));
    });
  }

  #bring(key: string): ReadonlySet<Item> {
    const known = this.#items.get(key);
    if (known !== undefined && known.size > 0) return known;
    for (const [layer, at] of this.#places?.get(key) ?? this.#search(key)) layer.bring(at);
    return this.#items.get(key) ?? new Set();
  }

  /** One key is found sooner than all are put in order. */
  *#search(key: string): Generator<readonly [MountedLayer, number]> {
    for (const layer of [this.#layers[3], this.#layers[5]]) {
      for (let at = 0; layer !== undefined && at < layer.layer.count; at++) if (layer.layer.item(at)?.key === key) yield [layer, at];
    }
  }

  /** Where the boxes and titles are that the keyboard can stop at. */
  #placesOf(): ReadonlyMap<string, readonly (readonly [MountedLayer, number])[]> {
    const places = new Map<string, [MountedLayer, number][]>();
    for (const layer of [this.#layers[3], this.#layers[5]]) {
      for (let at = 0; layer !== undefined && at < layer.layer.count; at++) {
        const key = layer.layer.item(at)?.key;
        if (key === undefined) continue;
        const list = places.get(key);
        if (list === undefined) places.set(key, [[layer, at]]);
        else list.push([layer, at]);
      }
    }
    return places;
  }

  /** On a canvas there is nothing to point at: what is under the pointer becomes an element. */
  #watch(): void {
    const { signal } = this.#abort;
    const point = (event: PointerEvent): void => {
      const painted = this.#painted;
      // What is pressed may have gone since it was pointed at, and a finger points at nothing before.
      if (!this.#isFar || painted === null || (event.type === "pointermove" && event.buttons !== 0)) return;
      const { left, top } = this.#svg.getBoundingClientRect();
      const ratio = this.#svg.getBoundingClientRect().width / (painted.region.w * painted.camera.k);
      const k = painted.camera.k * ratio;
      const at = { x: painted.region.x + (event.clientX - left) / k, y: painted.region.y + (event.clientY - top) / k, w: 0, h: 0 };
      for (const layer of [this.#layers[5], this.#layers[3]]) {
        const under = layer === undefined ? undefined : within(layer.layer, at).at(-1);
        if (layer === undefined || under === undefined) continue;
        layer.bring(under);
        return;
      }
    };
    this.#host.addEventListener("pointermove", point, { signal, capture: true });
    this.#host.addEventListener("pointerdown", point, { signal, capture: true });
  }
}

/** Where what is painted for a view stands in it. */
function placing(view: Size): (style: CSSStyleDeclaration) => void {
  return (style) => {
    style.left = `${-BEYOND * view.w}px`;
    style.top = `${-BEYOND * view.h}px`;
    style.transform = "none";
  };
}

function indices(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}
