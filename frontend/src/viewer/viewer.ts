// A drawing on screen: camera, selection, keyboard and lighting. Owns one host element; speaks to the rest by callbacks; needs no framework.
import type { Box, Frame, Node } from "../drawing/scene.ts";
import { beginning, type Camera, firstLook, fitTo, keepInSight, pan, pin, reveal, type Size, zoomAt } from "./camera.ts";
import { ConeIndex } from "./cone.ts";
import { listen } from "./gestures.ts";
import { type KeyAction, keyAction } from "./keys.ts";
import { lastId, type Marks, NO_MARKS } from "./marks.ts";
import { fade, slide } from "./motion.ts";
import { Painter } from "./painter.ts";
import type { Drawing } from "./protocol.ts";
import { installTheme } from "./theme.ts";
import { firstStop, neighbour, type Stop, stopsOf } from "./walk.ts";

/** What a person points at in the drawing. */
export interface Pointed {
  readonly key: string;
  readonly eqn: string | null;
  readonly value: string | null;
}

export interface ViewerCallbacks {
  select(pointed: Pointed | null): void;
  hover(pointed: Pointed | null): void;
  toggle(path: string): void;
  /** Keys that mean something to the page: help, expand and collapse all, the twin. */
  command(name: "help" | "expand-all" | "collapse-all" | "twin-back" | "twin-on"): void;
  zoomed(scale: number): void;
}

export interface ShowOptions {
  /** Instance path that was opened or closed: its header stays where it was on screen. */
  readonly anchor: string | null;
  /** Look at it afresh instead of keeping the camera. */
  readonly refit: boolean;
  readonly nonce?: string;
}

const REST_MS = 250;

export class GraphViewer {
  readonly #host: HTMLElement;
  readonly #on: ViewerCallbacks;
  readonly #abort = new AbortController();
  readonly #resize: ResizeObserver;
  #painter: Painter | null = null;
  #drawing: Drawing | null = null;
  #cones: ConeIndex | null = null;
  #stops = new Map<string, Stop>();
  #camera: Camera = { x: 0, y: 0, k: 1 };
  #moved = false;
  #current: string | null = null;
  #frame = 0;
  #settle: ReturnType<typeof setTimeout> | undefined;
  #hovered: Element | null = null;
  #hoverMarks: Marks = NO_MARKS;
  #selectMarks: Marks = NO_MARKS;

  constructor(host: HTMLElement, callbacks: ViewerCallbacks) {
    this.#host = host;
    this.#on = callbacks;
    installTheme();
    const { signal } = this.#abort;
    listen(
      host,
      {
        pan: (dx, dy) => this.#move(pan(this.#camera, dx, dy)),
        zoom: (factor, x, y) => this.#move(zoomAt(this.#camera, factor, x, y)),
        click: (target, x, y, double) => this.#click(target, x, y, double),
        hover: (target) => this.#hover(target),
      },
      signal,
    );
    host.addEventListener("keydown", (event) => this.#key(event), { signal });
    this.#resize = new ResizeObserver(() => (this.#moved ? this.#apply() : this.#lookAfresh()));
    this.#resize.observe(host);
  }

  get scale(): number {
    return this.#camera.k;
  }

  show(drawing: Drawing, options: ShowOptions): void {
    const before = options.anchor === null ? null : this.#anchorOnScreen(options.anchor);
    const boxes = before === null ? null : this.#boxes();
    const hadFocus = this.#host.contains(document.activeElement) && document.activeElement !== this.#host;
    const oldCamera = this.#camera;
    this.#drawing = drawing;
    this.#stops = new Map(stopsOf(drawing.scene).map((stop) => [stop.key, stop]));
    this.#painter = new Painter(this.#host, drawing, options.nonce === undefined ? {} : { nonce: options.nonce });
    this.#hovered = null;
    this.#cones = new ConeIndex(drawing.scene);
    const anchor = options.anchor === null ? null : this.#stopOf(options.anchor);
    if (before !== null && anchor !== null) {
      const grip = anchor.fold ?? anchor.box;
      this.#camera = pin(oldCamera, grip.x, grip.y, before.x, before.y);
      this.#moved = true;
    } else if (options.refit || !this.#moved) this.#lookAfresh();
    this.#apply();
    if (boxes !== null) this.#animate(boxes, oldCamera);
    this.#setCurrent(
      anchor?.key ?? (this.#current !== null && this.#stops.has(this.#current) ? this.#current : (firstStop(drawing.scene)?.key ?? null)),
    );
    if (hadFocus) this.#focusCurrent();
    this.#painter.marks.mark("selected", this.#selectMarks);
    this.#light();
  }

  clear(): void {
    this.#painter?.remove();
    this.#painter = null;
    this.#drawing = null;
    this.#cones = null;
    this.#stops.clear();
  }

  /** Lights what is pointed at and dims the rest; nothing is dimmed when nothing of it is in the drawing. */
  light(marks: Marks): void {
    this.#hoverMarks = marks;
    this.#light();
  }

  select(marks: Marks): void {
    this.#selectMarks = marks;
    this.#painter?.marks.mark("selected", marks);
    const stop = marks.path === null ? null : this.#stopOf(marks.path);
    if (stop !== null) this.#setCurrent(stop.key);
  }

  /** Brings an instance into view, if it is drawn. */
  reveal(path: string): boolean {
    const stop = this.#stopOf(path);
    if (stop === null) return false;
    const head = { ...stop.box, h: Math.min(stop.box.h, 120) };
    this.#move(reveal(this.#camera, head, this.#size()));
    return true;
  }

  focus(): void {
    if (!this.#focusCurrent()) this.#host.focus({ preventScroll: true });
  }

  fit(): void {
    const box = this.#world();
    if (box === null) return;
    this.#camera = fitTo(box, this.#size());
    this.#moved = true;
    this.#apply();
  }

  zoomBy(factor: number): void {
    const { w, h } = this.#size();
    this.#move(zoomAt(this.#camera, factor, w / 2, h / 2));
  }

  zoomTo(scale: number): void {
    this.zoomBy(scale / this.#camera.k);
  }

  dispose(): void {
    this.#abort.abort();
    this.#resize.disconnect();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#settle);
    this.clear();
  }

  #light(): void {
    const count = this.#painter?.marks.mark("lit", this.#hoverMarks) ?? 0;
    const cone = this.#cones?.around(this.#hoverMarks.ids, this.#hoverMarks.path);
    this.#painter?.marks.markKeys("lit-wire", cone?.wires ?? []);
    this.#painter?.marks.markKeys("lit-near", cone?.near ?? []);
    // An open body that is pointed at is the ground that everything in it stands on: lit, but nothing dims.
    const ground = [...this.#stops.values()].some((stop) => "depth" in stop && stop.eqn !== null && this.#means(stop.eqn));
    this.#host.classList.toggle("lighting", count > 0 && !ground);
  }

  #means(path: string): boolean {
    const { path: exact, ids } = this.#hoverMarks;
    return exact === null ? ids.has(lastId(path)) : exact === path;
  }

  #lookAfresh(): void {
    const box = this.#world();
    if (box === null) return;
    this.#camera = firstLook(box, this.#size(), beginning([...this.#stops.values()]));
    this.#moved = false;
    this.#apply();
  }

  #size(): Size {
    return { w: Math.max(1, this.#host.clientWidth), h: Math.max(1, this.#host.clientHeight) };
  }

  #world(): Box | null {
    return this.#drawing === null ? null : { x: 0, y: 0, w: this.#drawing.scene.width, h: this.#drawing.scene.height };
  }

  #move(camera: Camera): void {
    const box = this.#world();
    if (box === null) return;
    this.#camera = keepInSight(camera, box, this.#size());
    this.#moved = true;
    this.#lift();
    if (this.#frame !== 0) return;
    // Many wheel events come per frame; the picture changes once.
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#apply();
    });
  }

  /** While it moves the picture is a layer of its own, which costs its text some sharpness; at rest it is not. */
  #lift(): void {
    this.#host.classList.add("moving");
    clearTimeout(this.#settle);
    this.#settle = setTimeout(() => this.#host.classList.remove("moving"), REST_MS);
  }

  #apply(): void {
    this.#painter?.look(this.#camera, this.#size());
    this.#on.zoomed(this.#camera.k);
  }

  #stopOf(path: string): Stop | null {
    let frame: Frame | null = null;
    let node: Node | null = null;
    for (const stop of this.#stops.values()) {
      if (stop.eqn !== path) continue;
      if (stop.kind === "op" || stop.kind === "closed") node ??= stop as Node;
      else if ("depth" in stop && stop.kind !== "body") frame ??= stop;
    }
    return node ?? frame;
  }

  #anchorOnScreen(path: string): { x: number; y: number } | null {
    const stop = this.#stopOf(path);
    if (stop === null) return null;
    const box = stop.fold ?? stop.box;
    return { x: (box.x - this.#camera.x) * this.#camera.k, y: (box.y - this.#camera.y) * this.#camera.k };
  }

  #boxes(): Map<string, Box> {
    const { scene } = this.#drawing ?? {};
    return new Map(
      scene === undefined ? [] : [...scene.frames, ...scene.nodes, ...scene.ports, ...scene.chips].map(({ key, box }) => [key, box]),
    );
  }

  #animate(before: ReadonlyMap<string, Box>, oldCamera: Camera): void {
    const now = this.#camera;
    const { scene } = this.#drawing ?? {};
    if (scene === undefined) return;
    for (const { key, box } of [...scene.frames, ...scene.nodes, ...scene.ports, ...scene.chips]) {
      const old = before.get(key);
      for (const element of this.#painter?.elements(key) ?? []) {
        if (old === undefined) fade(element, this.#stops.size);
        else slide(element, old.x - oldCamera.x - (box.x - now.x), old.y - oldCamera.y - (box.y - now.y), this.#stops.size);
      }
    }
    for (const { key } of scene.wires) for (const element of this.#painter?.elements(key) ?? []) fade(element, this.#stops.size);
  }

  #pointed(target: Element): Pointed | null {
    const element = target.closest<SVGElement>("[data-key]");
    if (element === null || !this.#host.contains(element)) return null;
    const { key, eqn, value } = element.dataset;
    return { key: key ?? "", eqn: eqn === undefined || eqn === "" ? null : eqn, value: value === undefined || value === "" ? null : value };
  }

  #click(target: Element, x: number, y: number, double: boolean): void {
    const pointed = this.#pointed(target);
    const stop = pointed === null ? undefined : this.#stops.get(pointed.key);
    // A double click anywhere on it opens or closes; a single one only on the triangle, so that it can be selected and read about.
    const path = double ? target.closest<SVGElement>("[data-toggle]")?.dataset.toggle : this.#gripAt(x, y);
    if (path !== undefined && path !== "") {
      this.#on.select(pointed);
      this.#on.toggle(path);
      return;
    }
    if (stop !== undefined) {
      this.#setCurrent(stop.key);
      this.#focusCurrent();
    }
    this.#on.select(pointed);
  }

  /** The body whose triangle is under a point of the screen. */
  #gripAt(x: number, y: number): string | undefined {
    const wx = this.#camera.x + x / this.#camera.k;
    const wy = this.#camera.y + y / this.#camera.k;
    for (const { fold, toggle } of this.#stops.values()) {
      if (fold === null || toggle === null) continue;
      // A finger needs more than the ink of a small triangle.
      const slack = Math.max(3, 6 / this.#camera.k);
      if (wx >= fold.x - slack && wx <= fold.x + fold.w + slack && wy >= fold.y - slack && wy <= fold.y + fold.h + slack) return toggle;
    }
    return undefined;
  }

  #hover(target: Element | null): void {
    const element = target?.closest("[data-key]") ?? null;
    if (element === this.#hovered) return;
    this.#hovered = element;
    this.#on.hover(element === null ? null : this.#pointed(element));
  }

  #setCurrent(key: string | null): void {
    const before = this.#current === null ? undefined : this.#painter?.focusable(this.#current);
    before?.setAttribute("tabindex", "-1");
    this.#current = key;
    const element = key === null ? undefined : this.#painter?.focusable(key);
    const stop = key === null ? undefined : this.#stops.get(key);
    if (element === undefined || stop === undefined) return;
    element.setAttribute("tabindex", "0");
    if (element.hasAttribute("role")) return;
    element.setAttribute("role", "button");
  }

  #focusCurrent(): boolean {
    const element = this.#current === null ? undefined : this.#painter?.focusable(this.#current);
    element?.focus({ preventScroll: true });
    return element !== undefined;
  }

  #key(event: KeyboardEvent): void {
    const action = keyAction(event);
    if (action === null || this.#drawing === null) return;
    event.preventDefault();
    this.#do(action);
  }

  #do(action: KeyAction): void {
    const stop = this.#current === null ? undefined : this.#stops.get(this.#current);
    switch (action.do) {
      case "walk": {
        const next =
          this.#drawing === null || this.#current === null ? null : neighbour(this.#drawing.scene, this.#current, action.direction);
        if (next === null) return;
        this.#setCurrent(next);
        this.#focusCurrent();
        const to = this.#stops.get(next);
        if (to === undefined) return;
        this.#move(reveal(this.#camera, { ...to.box, h: Math.min(to.box.h, 120) }, this.#size()));
        this.#on.select({ key: next, eqn: to.eqn, value: to.value });
        return;
      }
      case "toggle":
        if (stop?.toggle != null) {
          this.#on.select({ key: stop.key, eqn: stop.eqn, value: stop.value });
          this.#on.toggle(stop.toggle);
        } else if (stop !== undefined) this.#on.select({ key: stop.key, eqn: stop.eqn, value: stop.value });
        return;
      case "outward": {
        const slash = stop?.eqn?.lastIndexOf("/") ?? -1;
        const parent = stop?.eqn == null || slash < 0 ? null : this.#stopOf(stop.eqn.slice(0, slash));
        if (parent === null) return;
        this.#setCurrent(parent.key);
        this.#focusCurrent();
        this.#move(reveal(this.#camera, { ...parent.box, h: Math.min(parent.box.h, 120) }, this.#size()));
        this.#on.select({ key: parent.key, eqn: parent.eqn, value: parent.value });
        return;
      }
      case "deselect":
        this.#on.select(null);
        this.#on.hover(null);
        return;
      case "fit":
        this.fit();
        return;
      case "zoom":
        if (action.to !== undefined) this.zoomTo(action.to);
        else this.zoomBy(action.by ?? 1);
        return;
      case "pan":
        this.#move(pan(this.#camera, action.dx, action.dy));
        return;
      case "command":
        this.#on.command(action.name);
        return;
    }
  }
}

/** The less, the nearer to where reading begins: high up, and rather left than right. */
