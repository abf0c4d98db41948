// The things of a picture that are in the document: made into DOM when they come into sight, given up when they leave it.
import type { Box } from "../drawing/scene.ts";
import type { SvgNode } from "../drawing/svg/node.ts";
import type { PictureLayer } from "../drawing/svg/picture.ts";
import { build, type DomOptions } from "./dom.ts";

export class Item {
  /** Its place in the painting order of its layer. */
  readonly at: number;
  readonly key: string | null;
  readonly eqn: string | null;
  readonly value: string | null;
  readonly element: SVGElement;
  /** The element that carries the key and the classes. */
  readonly target: SVGElement;

  constructor(layer: PictureLayer, at: number, options: DomOptions) {
    const about = layer.item(at);
    this.at = at;
    this.key = about?.key ?? null;
    this.eqn = about?.eqn ?? null;
    this.value = about?.value ?? null;
    this.element = build(quiet(layer.make(at)), options);
    this.target = this.element.hasAttribute("data-key")
      ? this.element
      : (this.element.querySelector<SVGElement>("[data-key]") ?? this.element);
    // One tab stop for the whole drawing, moved by the arrows.
    if (this.target.hasAttribute("tabindex")) this.target.setAttribute("tabindex", "-1");
  }
}

/** The things of a layer that overlap a region, in painting order. */
export function within({ bounds, count }: PictureLayer, { x, y, w, h }: Box): number[] {
  const found: number[] = [];
  const [right, bottom] = [x + w, y + h];
  for (let at = 0; at < count; at++) {
    const i = 4 * at;
    if ((bounds[i] ?? 0) <= right && (bounds[i + 1] ?? 0) <= bottom && (bounds[i + 2] ?? 0) >= x && (bounds[i + 3] ?? 0) >= y)
      found.push(at);
  }
  return found;
}

/** A layer in the document: its group, and what is mounted in it. */
export class MountedLayer {
  readonly layer: PictureLayer;
  readonly group: SVGElement;
  readonly #mounted = new Map<number, Item>();
  readonly #options: DomOptions;
  readonly #came: (item: Item) => void;
  readonly #went: (item: Item) => void;

  constructor(layer: PictureLayer, options: DomOptions, came: (item: Item) => void, went: (item: Item) => void) {
    this.layer = layer;
    this.group = build(layer.shell, options);
    this.#options = options;
    this.#came = came;
    this.#went = went;
  }

  get size(): number {
    return this.#mounted.size;
  }

  /** Takes out what is not wanted; the element with the focus stays. */
  keepOnly(wanted: ReadonlySet<number>): void {
    for (const [at, item] of this.#mounted) {
      // The one that Tab leads to stays, wherever it is: without it the keyboard could not come back.
      if (wanted.has(at) || item.target.getAttribute("tabindex") === "0" || item.element.contains(document.activeElement)) continue;
      item.element.remove();
      this.#mounted.delete(at);
      this.#went(item);
    }
  }

  /** Mounts what is wanted (in painting order), a few at a time. */
  *fill(wanted: readonly number[]): Generator<undefined, void> {
    let next: Element | null = null;
    for (let i = wanted.length - 1; i >= 0; i--) {
      const at = wanted[i] ?? 0;
      // What was before it may have been taken out between two slices.
      const before: Element | null = next !== null && next.parentNode === this.group ? next : null;
      next = (this.#mounted.get(at) ?? this.#put(at, before)).element;
      if (i % 16 === 0) yield;
    }
  }

  /** Mounts one thing beside whatever is there. */
  bring(at: number): Item {
    const known = this.#mounted.get(at);
    if (known !== undefined) return known;
    let next: Item | null = null;
    for (const item of this.#mounted.values()) if (item.at > at && (next === null || item.at < next.at)) next = item;
    return this.#put(at, next?.element ?? null);
  }

  #put(at: number, next: Element | null): Item {
    const item = new Item(this.layer, at, this.#options);
    this.group.insertBefore(item.element, next);
    this.#mounted.set(at, item);
    this.#came(item);
    return item;
  }
}

/**
 * On screen cards say what hints say, and more: a tooltip of the browser's would stand over them. Lines of text that stand apart are words
 * apart, also to what reads them as one name.
 */
function quiet(node: SvgNode): SvgNode {
  const children: SvgNode["children"] = [];
  for (const child of node.children) {
    if (typeof child === "string") children.push(child);
    else if (child.tag !== "title") children.push(quiet(child));
    if (typeof child !== "string" && child.tag === "text") children.push(" ");
  }
  return { ...node, children };
}
