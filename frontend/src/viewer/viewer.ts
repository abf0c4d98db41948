// A drawing on screen: camera, selection, keyboard and lighting. Owns one host element; speaks to the rest by callbacks; needs no framework.
import { overlap } from "../drawing/boxes.ts";
import { beginning, type Camera, firstLook, keepInSight, pin, type Size } from "./camera.ts";
import { whenColoursChange } from "./colours.ts";
import { ConeIndex } from "./cone.ts";
import { Eye } from "./eye.ts";
import { type Click, listen } from "./gestures.ts";
import { type CommandName, type KeyAction, keyAction } from "./keys.ts";
import { lastId, type Marks, NO_MARKS } from "./marks.ts";
import { MOST_MOVED } from "./motion.ts";
import { Painter } from "./painter.ts";
import { PartMarks, type Parts } from "./parts.ts";
import type { Paintable } from "./protocol.ts";
import { isFrame, type StopIndex } from "./stops.ts";
import { installTheme } from "./theme.ts";
import { animate, standing } from "./transition.ts";
import { edgeOf, firstStop, type Stop, Trail } from "./walk.ts";

/** What a person points at in the drawing. */
export interface Pointed {
  readonly key: string;
  readonly eqn: string | null;
  readonly value: string | null;
}

export interface ViewerCallbacks {
  /** `further`: beside what is selected already (with Shift). */
  select(pointed: Pointed | null, further: boolean): void;
  hover(pointed: Pointed | null): void;
  toggle(path: string): void;
  /** A body is to be shown alone, or no longer. */
  enter(path: string): void;
  command(name: CommandName): void;
  /** Where it looks now: called for every movement, so it must be cheap. */
  looked(camera: Camera, view: Size): void;
  /** It has come to rest inside of an open body, or of none. */
  rested(inside: string | null): void;
  /** What a screen reader says of a stop. */
  describe(stop: Stop): string;
}

export interface ShowOptions {
  /** Instance path that was opened or closed: its header stays where it was on screen. */
  readonly anchor: string | null;
  /** Look at it afresh instead of keeping the camera. */
  readonly refit: boolean;
  /** Look at it from here, whatever else. */
  readonly camera?: Camera;
  /** The program was edited: where an instance that was drawn is now, null where it is gone. What is looked at stays in its place. */
  readonly moved?: (path: string) => string | null;
  readonly nonce?: string;
}

/** As long as the animation of what is new; without motion it is a mark that stays for as long. */
const FLASH_MS = 2400;

export class GraphViewer {
  readonly #host: HTMLElement;
  readonly #on: ViewerCallbacks;
  readonly #abort = new AbortController();
  readonly #resize: ResizeObserver;
  readonly #eye: Eye;
  #painter: Painter | null = null;
  #drawing: Paintable | null = null;
  #cones: ConeIndex | null = null;
  #stops: StopIndex | null = null;
  #trail = new Trail();
  /** The space bar: held down, and whether it was used for a drag meanwhile. */
  #hand: "no" | "held" | "used" = "no";
  #current: string | null = null;
  #hovered: Element | null = null;
  readonly #parts = new PartMarks();
  #flashing: ReturnType<typeof setTimeout> | undefined;
  #hoverMarks: Marks = NO_MARKS;
  #selectMarks: Marks = NO_MARKS;

  constructor(host: HTMLElement, callbacks: ViewerCallbacks) {
    this.#host = host;
    this.#on = callbacks;
    installTheme();
    this.#eye = new Eye(host, {
      apply: (camera, view) => {
        this.#painter?.look(camera, view);
        this.#on.looked(camera, view);
      },
      rest: () => this.#on.rested(this.#stops?.inside(this.#eye.view) ?? null),
    });
    const { signal } = this.#abort;
    listen(
      host,
      {
        grab: () => {
          this.#eye.stop();
          if (this.#hand === "held") this.#hand = "used";
        },
        pan: (dx, dy) => this.#eye.pan(dx, dy),
        zoom: (factor, x, y) => this.#eye.zoom(factor, x, y),
        fling: (velocity) => this.#eye.throw(velocity),
        click: (target, x, y, how) => this.#click(target, x, y, how),
        press: (target) => this.#press(target),
        hover: (target) => this.#hover(target),
      },
      signal,
    );
    host.addEventListener("keydown", (event) => this.#key(event), { signal });
    host.addEventListener("keyup", (event) => event.key === " " && this.#letHand(true), { signal });
    host.addEventListener("focusout", () => this.#letHand(false), { signal });
    host.addEventListener("focusin", (event) => this.#cameIn(event), { signal });
    whenColoursChange(() => this.#painter?.recolour(), signal);
    this.#resize = new ResizeObserver(() => {
      this.#eye.resized();
      if (this.#eye.moved) this.#eye.apply();
      else this.#lookAfresh();
    });
    this.#resize.observe(host);
  }

  get camera(): Camera {
    return this.#eye.camera;
  }

  /** The key of the stop that the keyboard is at. */
  get current(): Stop | null {
    return this.#stops?.at(this.#current) ?? null;
  }

  show(drawing: Paintable, options: ShowOptions): void {
    const held = options.anchor === null && options.moved !== undefined ? this.#inTheMiddle(options.moved) : null;
    const anchored = options.anchor ?? held?.now ?? null;
    const before = held !== null ? this.#anchorOnScreen(held.old) : anchored === null ? null : this.#anchorOnScreen(anchored);
    const followed = drawing.scene.nodes.length <= MOST_MOVED && held === null && before !== null && this.#drawing !== null;
    const stood = followed && this.#drawing !== null ? standing(this.#drawing.scene, this.#eye.camera) : null;
    const hadFocus = this.#host.contains(document.activeElement) && document.activeElement !== this.#host;
    const { scene } = drawing;
    this.#eye.stop();
    this.#eye.world = { x: 0, y: 0, w: scene.width, h: scene.height };
    this.#drawing = drawing;
    this.#stops = drawing.stops;
    this.#trail = new Trail();
    const painter = new Painter(this.#host, drawing, options.nonce === undefined ? {} : { nonce: options.nonce });
    this.#painter = painter;
    this.#hovered = null;
    this.#cones = null;
    const anchor = anchored === null ? null : this.#stops.of(anchored);
    if (options.camera !== undefined) this.#eye.set(keepInSight(options.camera, this.#eye.world, this.#eye.size), true);
    else if (before !== null && anchor !== null) {
      const grip = anchor.fold ?? anchor.box;
      this.#eye.set(pin(this.#eye.camera, grip.x, grip.y, before.x, before.y), true);
    } else if (options.refit || !this.#eye.moved) this.#lookAfresh();
    else this.#eye.set(keepInSight(this.#eye.camera, this.#eye.world, this.#eye.size), true);
    if (stood !== null) animate(stood, scene, this.#eye.camera, (key) => painter.elements(key), this.#stops.size);
    this.#setCurrent((held === null ? anchor?.key : undefined) ?? this.#stops.at(this.#current)?.key ?? firstStop(scene)?.key ?? null);
    if (hadFocus) this.#focusCurrent();
    painter.marks.mark("selected", this.#selectMarks);
    this.#light();
    this.#markParts();
  }

  clear(): void {
    this.#painter?.remove();
    this.#painter = null;
    this.#drawing = null;
    this.#cones = null;
    this.#stops = null;
    this.#eye.stop();
    this.#eye.world = null;
  }

  /** Marks what is new for a moment. */
  flash(ids: ReadonlySet<string>): void {
    clearTimeout(this.#flashing);
    this.#painter?.marks.mark("fresh", { ids, path: null, values: new Set() });
    this.#flashing = setTimeout(() => this.#painter?.marks.mark("fresh", NO_MARKS), FLASH_MS);
  }

  /** Lights what is pointed at and dims the rest; nothing is dimmed when nothing of it is in the drawing. */
  light(marks: Marks): void {
    this.#hoverMarks = marks;
    this.#light();
  }

  select(marks: Marks): void {
    this.#selectMarks = marks;
    this.#painter?.marks.mark("selected", marks);
    // A pill selects the equation whose body it stands in; the keyboard stays at the pill.
    const stop = marks.path === null || this.current?.eqn === marks.path ? null : (this.#stops?.of(marks.path) ?? null);
    if (stop !== null) this.#setCurrent(stop.key);
  }

  /** Marks what a search found, and the one of it (an instance path or a value) that it stands at. */
  found(parts: Parts | null, at: string | null): void {
    this.#parts.find(parts, at);
    this.#markParts();
  }

  /** Dims everything that is not among `parts`, until told otherwise. */
  keep(parts: Parts | null): void {
    this.#parts.keep(parts);
    this.#markParts();
  }

  /** Brings an instance, or the pill of a value, into view and clear of `cover` (on screen), if it is drawn. */
  reveal(path: string, cover: DOMRect | null = null): boolean {
    const box = this.#stops?.of(path)?.box ?? this.#drawing?.scene.chips.find((chip) => chip.eqn === path)?.box;
    if (box === undefined) return false;
    this.#eye.reveal(box, cover);
    return true;
  }

  /** Of an item on screen the part that is read: of an open body its title. */
  boxOnScreen(key: string): DOMRect | null {
    return (this.#painter?.focusable(key) ?? this.#painter?.elements(key)[0])?.getBoundingClientRect() ?? null;
  }

  focus(): void {
    if (!this.#focusCurrent()) this.#host.focus({ preventScroll: true });
  }

  fit(): void {
    if (this.#eye.world !== null) this.#eye.fit(this.#eye.world);
  }

  /** Fits an instance, or what the keyboard is at; everything when there is neither. */
  fitTo(path: string | null): void {
    const stop = (path === null ? null : this.#stops?.of(path)) ?? this.current;
    if (stop === null) this.fit();
    else this.#eye.fit(stop.box, 48, 1.5);
  }

  /** Moves so that a point of the drawing is in the middle. */
  centre(x: number, y: number): void {
    this.#eye.centre(x, y);
  }

  lookAt(camera: Camera): void {
    this.#eye.goTo(camera);
  }

  zoomBy(factor: number): void {
    this.#eye.zoomTo(factor);
  }

  zoomTo(scale: number): void {
    this.#eye.zoomTo(scale / this.#eye.camera.k);
  }

  dispose(): void {
    this.#abort.abort();
    clearTimeout(this.#flashing);
    this.#resize.disconnect();
    this.#eye.dispose();
    this.clear();
  }

  #light(): void {
    const count = this.#painter?.marks.mark("lit", this.#hoverMarks) ?? 0;
    if (this.#drawing !== null && count > 0) this.#cones ??= new ConeIndex(this.#drawing.scene);
    const cone = count > 0 ? this.#cones?.around(this.#hoverMarks.ids, this.#hoverMarks.path) : undefined;
    this.#painter?.marks.markKeys("lit-wire", cone?.wires ?? []);
    this.#painter?.marks.markKeys("lit-near", cone?.near ?? []);
    // An open body that is pointed at is the ground that everything in it stands on: lit, but nothing dims.
    const ground = count > 0 && this.#stops?.someFrame((path) => this.#means(path)) === true;
    this.#host.classList.toggle("lighting", count > 0 && !ground);
  }

  #markParts(): void {
    const { scene } = this.#drawing ?? {};
    if (scene !== undefined && this.#stops !== null && this.#painter !== null)
      this.#parts.show(this.#host, scene, this.#stops, this.#painter.marks);
  }

  #means(path: string): boolean {
    const { path: exact, ids } = this.#hoverMarks;
    return exact === null ? ids.has(lastId(path)) : exact === path;
  }

  #lookAfresh(): void {
    const { world, size } = this.#eye;
    if (world !== null) this.#eye.set(firstLook(world, size, beginning(this.#stops?.all ?? [])), false);
  }

  /** Of what is in sight and still there the nearest to the middle. */
  #inTheMiddle(moved: (path: string) => string | null): { old: string; now: string } | null {
    const { view } = this.#eye;
    const { x, y, w, h } = view;
    const away = ({ box }: Stop): number => Math.hypot(box.x - x - w / 2, box.y - y - h / 2);
    const near = (this.#stops?.all ?? []).filter(({ eqn, box }) => eqn !== null && overlap(box, view)).sort((a, b) => away(a) - away(b));
    for (const { eqn } of near) {
      const now = eqn === null ? null : moved(eqn);
      if (eqn !== null && now !== null) return { old: eqn, now };
    }
    return null;
  }

  #anchorOnScreen(path: string): { x: number; y: number } | null {
    const stop = this.#stops?.of(path) ?? null;
    if (stop === null) return null;
    const box = stop.fold ?? stop.box;
    const { x, y, k } = this.#eye.camera;
    return { x: (box.x - x) * k, y: (box.y - y) * k };
  }

  #pointed(target: Element): Pointed | null {
    const element = target.closest<SVGElement>("[data-key]");
    if (element === null || !this.#host.contains(element)) return null;
    const { key, eqn, value } = element.dataset;
    return { key: key ?? "", eqn: eqn === undefined || eqn === "" ? null : eqn, value: value === undefined || value === "" ? null : value };
  }

  #click(target: Element, x: number, y: number, { double, touch, shift }: Click): void {
    const pointed = this.#pointed(target);
    const stop = pointed === null ? undefined : this.#stops?.at(pointed.key);
    // A single click opens only on the triangle, so that a box can be selected and read about; a double one anywhere on it.
    const grip = this.#gripAt(x, y);
    if (grip !== null) {
      const gripped = this.#stops?.of(grip);
      this.#on.select(gripped == null ? pointed : aimOf(gripped), false);
      this.#on.toggle(grip);
      return;
    }
    if (double && stop?.toggle != null && target.closest("[data-toggle]") !== null) {
      if (isFrame(stop) && stop.eqn !== null) this.#on.enter(stop.eqn);
      else this.#on.toggle(stop.toggle);
      return;
    }
    if (double && touch) {
      this.#eye.zoomTo(2, { x, y });
      return;
    }
    if (stop !== undefined) this.#setCurrent(stop.key);
    this.#focusCurrent();
    this.#on.select(pointed, shift);
  }

  /** A finger has no hover: a long press does both. */
  #press(target: Element): void {
    const pointed = this.#pointed(target);
    if (pointed === null) return;
    if (this.#stops?.at(pointed.key) !== undefined) this.#setCurrent(pointed.key);
    this.#on.select(pointed, false);
    this.#on.hover(pointed);
  }

  /** The body whose triangle is under a point of the screen. */
  #gripAt(x: number, y: number): string | null {
    const at = this.#eye.under(x, y);
    return this.#stops?.gripAt(at.x, at.y, this.#eye.camera.k) ?? null;
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
    const stop = this.#stops?.at(key);
    if (element === undefined || stop === undefined) return;
    element.setAttribute("tabindex", "0");
    element.setAttribute("aria-label", spokenName(element, this.#on.describe(stop)));
    if (!element.hasAttribute("role")) element.setAttribute("role", "button");
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

  /** By Tab the keyboard comes to where it was, which may be out of sight by now. */
  #cameIn({ target, relatedTarget }: FocusEvent): void {
    if (relatedTarget instanceof Node && this.#host.contains(relatedTarget)) return;
    const box = this.current?.box;
    if (box === undefined || overlap(box, this.#eye.view)) return;
    if (target instanceof Element && target.matches(":focus-visible")) this.#eye.reveal(box);
  }

  #letHand(pressed: boolean): void {
    const was = this.#hand;
    this.#hand = "no";
    this.#host.classList.remove("hand");
    if (pressed && was === "held") this.#do({ do: "toggle" });
  }

  /** The keyboard goes to a stop: focus, selection and, where need be, the camera. */
  #goTo(stop: Stop | null | undefined): void {
    if (stop == null) return;
    this.#setCurrent(stop.key);
    this.#focusCurrent();
    this.#eye.reveal(stop.box);
    this.#on.select(aimOf(stop), false);
  }

  #do(action: KeyAction): void {
    const stop = this.current;
    const scene = this.#drawing?.scene;
    switch (action.do) {
      case "walk":
        if (scene !== undefined && stop !== null) this.#goTo(this.#stops?.at(this.#trail.next(scene, stop.key, action.direction)));
        return;
      case "edge":
        if (scene !== undefined && stop !== null) this.#goTo(this.#stops?.at(edgeOf(scene, stop.key, action.edge)));
        return;
      case "toggle":
        if (stop === null) return;
        this.#on.select(aimOf(stop), false);
        if (stop.toggle !== null) this.#on.toggle(stop.toggle);
        return;
      case "enter":
        if (stop?.toggle != null && stop.eqn !== null) this.#on.enter(stop.eqn);
        return;
      case "outward": {
        const slash = stop?.eqn?.lastIndexOf("/") ?? -1;
        this.#goTo(stop?.eqn == null || slash < 0 ? null : this.#stops?.of(stop.eqn.slice(0, slash)));
        return;
      }
      case "hand":
        if (this.#hand === "no") this.#hand = "held";
        this.#host.classList.add("hand");
        return;
      case "fit":
        this.fit();
        return;
      case "fit-selection":
        this.fitTo(null);
        return;
      case "zoom":
        if (action.to !== undefined) this.zoomTo(action.to);
        else this.zoomBy(action.by ?? 1);
        return;
      case "page":
        this.#eye.goBy(0, action.views * this.#eye.size.h);
        return;
      case "pan":
        this.#eye.stop();
        this.#eye.pan(action.dx, action.dy);
        return;
      case "command":
        this.#on.command(action.name);
        return;
    }
  }
}

function aimOf({ key, eqn, value }: Stop): Pointed {
  return { key, eqn, value };
}

/** What is said of an element begins with what is written on it, so that who speaks to the page can name it (WCAG 2.5.3). */
function spokenName(element: Element, said: string): string {
  const shown = (element.textContent ?? "").replace(/\s+/g, " ").trim();
  const more = said.indexOf(", ");
  return said.includes(shown) ? said : `${shown}${more < 0 ? "" : said.slice(more)}`;
}
