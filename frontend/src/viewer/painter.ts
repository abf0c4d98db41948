// Puts a drawing on screen for a camera. Pans move an already painted surface that is larger than the view; only when its edge comes near, or
// the scale changes, is it painted anew, and of a large drawing only what is in sight.
import type { Box } from "../drawing/scene.ts";
import type { Camera, Size } from "./camera.ts";
import { build, type DomOptions } from "./dom.ts";
import { type Item, type Layer, layersOf, overlaps } from "./items.ts";
import { MarkIndex } from "./marks.ts";
import type { Drawing } from "./protocol.ts";

/** Up to this many items everything is in the document at once: nothing to gain, and find-in-page works. */
const FEW = 1500;
/** Below this scale text is a grey line: large drawings leave it and the ports out. */
const FAR = 0.3;
/** How far the painted surface reaches beyond the view, as a share of it, on every side. */
const BEYOND = 0.35;

interface Mounted {
  readonly group: SVGElement;
  readonly layer: Layer;
}

export class Painter {
  readonly #host: HTMLElement;
  readonly #svg: SVGElement;
  readonly #layers: Mounted[] = [];
  readonly #options: DomOptions;
  readonly #large: boolean;
  readonly marks: MarkIndex;
  #painted: { readonly camera: Camera; readonly view: Size; readonly region: Box } | null = null;

  constructor(host: HTMLElement, drawing: Drawing, options: DomOptions) {
    this.#host = host;
    this.#options = options;
    // The picture's own title would be a tooltip everywhere; its aria-label says the same.
    const parts = layersOf(drawing.svg, drawing.scene).filter((part) => "items" in part || part.tag !== "title");
    this.#svg = build({ ...drawing.svg, children: [] }, options);
    this.#svg.removeAttribute("width");
    this.#svg.removeAttribute("height");
    this.#svg.setAttribute("preserveAspectRatio", "xMinYMin meet");
    for (const part of parts) {
      if ("items" in part) {
        const group = build(part.shell, options);
        this.#layers.push({ group, layer: part });
        this.#svg.append(group);
      } else this.#svg.append(build(part, options));
    }
    const items = this.#layers.flatMap(({ layer }) => layer.items);
    this.#large = items.length > FEW;
    this.marks = new MarkIndex(items, drawing.scene.folds);
    if (!this.#large) this.#mount(null, false);
    for (const old of host.querySelectorAll(":scope > svg")) old.remove();
    host.prepend(this.#svg);
  }

  remove(): void {
    this.#svg.remove();
  }

  look(camera: Camera, view: Size): void {
    const { x, y, k } = camera;
    const before = this.#painted;
    if (before !== null && before.camera.k === k && before.view.w === view.w && before.view.h === view.h) {
      const seen = { x, y, w: view.w / k, h: view.h / k };
      const { region } = before;
      if (seen.x >= region.x && seen.y >= region.y && seen.x + seen.w <= region.x + region.w && seen.y + seen.h <= region.y + region.h) {
        this.#svg.style.transform = `translate(${(before.camera.x - x) * k}px, ${(before.camera.y - y) * k}px)`;
        return;
      }
    }
    const beyond = { w: view.w * BEYOND, h: view.h * BEYOND };
    const region = { x: x - beyond.w / k, y: y - beyond.h / k, w: (view.w + 2 * beyond.w) / k, h: (view.h + 2 * beyond.h) / k };
    const { style } = this.#svg;
    style.left = `${-beyond.w}px`;
    style.top = `${-beyond.h}px`;
    style.width = `${view.w + 2 * beyond.w}px`;
    style.height = `${view.h + 2 * beyond.h}px`;
    style.transform = "none";
    this.#svg.setAttribute("viewBox", `${region.x} ${region.y} ${region.w} ${region.h}`);
    this.#host.classList.toggle("far", this.#large && k < FAR);
    if (this.#large) this.#mount(region, k < FAR);
    this.#painted = { camera, view, region };
  }

  /** The element that takes the focus for an item, mounted if it was not. */
  focusable(key: string): SVGElement | undefined {
    const items = this.marks.items(key);
    for (const item of items) this.#bring(item);
    const targets = items.flatMap((item) => (item.target === null ? [] : [item.target]));
    return targets.find((target) => target.hasAttribute("data-toggle")) ?? targets[targets.length - 1];
  }

  /** The mounted elements of an item: a frame has a border and a header. */
  elements(key: string): SVGElement[] {
    return this.marks.items(key).flatMap((item) => (item.mounted === null ? [] : [item.mounted]));
  }

  #bring(item: Item): void {
    if (item.mounted !== null) return;
    this.#layers.find(({ layer }) => layer.items.includes(item))?.group.append(item.element(this.#options));
  }

  /** Mounts what overlaps `region` and takes out the rest, in painting order; the element with the focus stays. */
  #mount(region: Box | null, far: boolean): void {
    for (const { group, layer } of this.#layers) {
      let next: SVGElement | null = null;
      for (let at = layer.items.length - 1; at >= 0; at--) {
        const item = layer.items[at] as Item;
        const mounted = item.mounted;
        const wanted = region === null || ((item.box === null || overlaps(item.box, region)) && !(far && item.fine));
        if (wanted || mounted?.contains(document.activeElement)) {
          const element = item.element(this.#options);
          if (mounted === null) group.insertBefore(element, next);
          next = element;
        } else mounted?.remove();
      }
    }
  }
}
