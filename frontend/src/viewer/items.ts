// The pieces a drawing is mounted from: every keyed child of its layers with the box it covers, built into DOM only when it comes into sight.
import type { Box, Scene } from "../drawing/scene.ts";
import type { SvgNode } from "../drawing/svg/node.ts";
import { build, type DomOptions } from "./dom.ts";

export class Item {
  readonly node: SvgNode;
  readonly key: string | null;
  readonly eqn: string | null;
  readonly value: string | null;
  /** Null when it is always in sight: furniture without a key. */
  readonly box: Box | null;
  /** Small print: not worth drawing from afar. */
  readonly fine: boolean;
  readonly #classes = new Set<string>();
  #element: SVGElement | null = null;
  #target: SVGElement | null = null;

  constructor(node: SvgNode, boxes: ReadonlyMap<string, Box>, fine: boolean) {
    const attrs = keyed(node)?.attrs ?? {};
    this.node = node;
    this.key = attrs["data-key"] ?? null;
    this.eqn = attrs["data-eqn"] ?? null;
    this.value = attrs["data-value"] ?? null;
    // Halos and trunks have no key of their own, but the path of a wire that has.
    this.box = boxes.get(this.key ?? node.attrs.d ?? "") ?? null;
    this.fine = fine;
  }

  /** The element that carries the key and the classes; null until it was in sight. */
  get target(): SVGElement | null {
    return this.#target;
  }

  element(options: DomOptions): SVGElement {
    if (this.#element !== null) return this.#element;
    const element = build(quiet(this.node), options);
    const target = element.hasAttribute("data-key") ? element : (element.querySelector<SVGElement>("[data-key]") ?? element);
    // One tab stop for the whole drawing, moved by the arrows.
    if (target.hasAttribute("tabindex")) target.setAttribute("tabindex", "-1");
    target.classList.add(...this.#classes);
    this.#element = element;
    this.#target = target;
    return element;
  }

  get mounted(): SVGElement | null {
    return this.#element?.isConnected === true ? this.#element : null;
  }

  setClass(name: string, on: boolean): void {
    if (on) this.#classes.add(name);
    else this.#classes.delete(name);
    this.#target?.classList.toggle(name, on);
  }
}

/** The layers of a drawing: the children of its root that hold keyed items, in painting order, with everything else as it is. */
export interface Layer {
  readonly shell: SvgNode;
  readonly items: readonly Item[];
}

export function layersOf(svg: SvgNode, scene: Scene): (SvgNode | Layer)[] {
  const boxes = boxesOf(scene);
  const fineKeys = new Set([...scene.ports, ...scene.chips].map((item) => item.key));
  return svg.children.flatMap((child): (SvgNode | Layer)[] => {
    if (typeof child === "string") return [];
    if (child.tag !== "g") return [child];
    const nodes = child.children.filter((inner): inner is SvgNode => typeof inner !== "string");
    const items = nodes.map((inner) => {
      const key = keyed(inner)?.attrs["data-key"];
      return new Item(inner, boxes, key === undefined ? inner.tag === "text" : fineKeys.has(key));
    });
    return [{ shell: { ...child, children: [] }, items }];
  });
}

function boxesOf(scene: Scene): Map<string, Box> {
  const boxes = new Map<string, Box>();
  for (const { key, box } of [...scene.frames, ...scene.nodes, ...scene.ports, ...scene.chips]) boxes.set(key, box);
  for (const { key, box, points, d, trunk } of scene.wires) {
    const covered = points.length >= 4 ? around(points) : box;
    boxes.set(key, covered).set(d, covered);
    if (trunk !== null) boxes.set(trunk, covered);
  }
  return boxes;
}

function around(points: readonly number[]): Box {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at + 1 < points.length; at += 2) {
    const [x, y] = [points[at] ?? 0, points[at + 1] ?? 0];
    [x0, y0, x1, y1] = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x), Math.max(y1, y)];
  }
  return { x: x0 - 4, y: y0 - 4, w: x1 - x0 + 8, h: y1 - y0 + 8 };
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

/** The node itself or the first one inside that has a key. */
function keyed(node: SvgNode): SvgNode | null {
  if (node.attrs["data-key"] !== undefined) return node;
  for (const child of node.children) {
    const found = typeof child === "string" ? null : keyed(child);
    if (found !== null) return found;
  }
  return null;
}

export function overlaps(a: Box, b: Box): boolean {
  return a.x <= b.x + b.w && b.x <= a.x + a.w && a.y <= b.y + b.h && b.y <= a.y + a.h;
}
