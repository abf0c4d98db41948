// Mouse, pen and fingers on the viewer: drag, pinch, throw, click, long press. Knows screen points only, no scene.
import { Track, type Velocity } from "./inertia.ts";
import { listenWheel, type WheelCallbacks } from "./wheel.ts";

export interface Click {
  /** The second one in a row at the same place. */
  readonly double: boolean;
  readonly touch: boolean;
  readonly shift: boolean;
}

export interface GestureCallbacks extends WheelCallbacks {
  /** A hand lies on the drawing: what moves by itself stops. */
  grab(): void;
  /** A finger let go while it moved, in pixels per millisecond. */
  fling(velocity: Velocity): void;
  /** A press that did not move. */
  click(target: Element, x: number, y: number, how: Click): void;
  /** A finger that rests: its way of pointing at something without opening it. */
  press(target: Element): void;
  hover(target: Element | null): void;
}

/** A press that moves less than this many pixels is a click; fingers are less steady. */
const SLOP = 4;
const TOUCH_SLOP = 9;
const DOUBLE_MS = 350;
const DOUBLE_SLOP = 8;
const TOUCH_DOUBLE_SLOP = 28;
const LONG_MS = 450;

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Press extends Point {
  readonly target: Element | null;
  readonly touch: boolean;
  moved: boolean;
}

/** What is pressed: on a canvas the element of what is painted there comes with the press, over what the browser knows of. */
function pressed({ target, clientX, clientY }: PointerEvent, host: HTMLElement): Element | null {
  if (!(target instanceof Element) || target.closest("[data-key]") !== null) return target instanceof Element ? target : null;
  const now = document.elementFromPoint(clientX, clientY);
  return now !== null && host.contains(now) ? now : target;
}

/** While the host has class `hand` (the space bar is held) or the middle button is down, a press is a drag from its first pixel. */
export function listen(host: HTMLElement, on: GestureCallbacks, signal: AbortSignal): void {
  const pointers = new Map<number, Point>();
  const track = new Track();
  let start: Press | null = null;
  let last: (Point & { time: number }) | null = null;
  let held: ReturnType<typeof setTimeout> | undefined;
  const at = (event: { clientX: number; clientY: number }): Point => {
    const rect = host.getBoundingClientRect();
    return { x: event.clientX - rect.left, y: event.clientY - rect.top };
  };
  const drag = (press: Press, id: number): void => {
    press.moved = true;
    clearTimeout(held);
    host.setPointerCapture(id);
    host.classList.add("dragging");
  };

  listenWheel(host, { pan: (dx, dy) => moved(() => on.pan(dx, dy)), zoom: (f, x, y) => moved(() => on.zoom(f, x, y)) }, signal);
  function moved(move: () => void): void {
    on.grab();
    move();
  }

  host.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button > 1) return;
      // The middle button would start the browser's own scrolling.
      if (event.button === 1) event.preventDefault();
      on.grab();
      const point = at(event);
      pointers.set(event.pointerId, point);
      clearTimeout(held);
      if (pointers.size > 1) {
        if (start !== null) drag(start, event.pointerId);
        track.clear();
        return;
      }
      const press: Press = {
        ...point,
        moved: false,
        target: pressed(event, host),
        touch: event.pointerType === "touch",
      };
      start = press;
      track.clear();
      track.add(event.timeStamp, point.x, point.y);
      if (event.button === 1 || host.classList.contains("hand")) drag(press, event.pointerId);
      else if (press.touch)
        held = setTimeout(() => {
          if (press.target === null || press.moved) return;
          press.moved = true;
          on.press(press.target);
        }, LONG_MS);
    },
    { signal },
  );

  host.addEventListener(
    "pointermove",
    (event) => {
      const before = pointers.get(event.pointerId);
      const point = at(event);
      if (before === undefined) {
        if (event.pointerType !== "touch") on.hover(event.target instanceof Element ? event.target : null);
        return;
      }
      if (start === null) return;
      const way = Math.hypot(point.x - start.x, point.y - start.y);
      if (!host.classList.contains("dragging") && way > (start.touch ? TOUCH_SLOP : SLOP)) drag(start, event.pointerId);
      if (!host.classList.contains("dragging")) return;
      pointers.set(event.pointerId, point);
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      if (other === undefined) {
        track.add(event.timeStamp, point.x, point.y);
        on.pan(before.x - point.x, before.y - point.y);
        return;
      }
      // What lay between two fingers stays between them: half of each finger's way is a pan, the change of their distance a zoom.
      on.pan((before.x - point.x) / 2, (before.y - point.y) / 2);
      const spread = Math.hypot(point.x - other.x, point.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
      on.zoom(spread, (point.x + other.x) / 2, (point.y + other.y) / 2);
    },
    { signal },
  );

  const end = (event: PointerEvent): void => {
    if (!pointers.delete(event.pointerId)) return;
    clearTimeout(held);
    if (pointers.size > 0) {
      track.clear();
      return;
    }
    host.classList.remove("dragging");
    const press = start;
    start = null;
    if (press === null || event.type === "pointercancel") return;
    if (press.moved) {
      const velocity = press.touch ? track.release(event.timeStamp) : null;
      if (velocity !== null) on.fling(velocity);
      return;
    }
    if (press.target === null || event.button !== 0) return;
    const near = press.touch ? TOUCH_DOUBLE_SLOP : DOUBLE_SLOP;
    const double = last !== null && event.timeStamp - last.time < DOUBLE_MS && Math.hypot(press.x - last.x, press.y - last.y) < near;
    last = double ? null : { time: event.timeStamp, x: press.x, y: press.y };
    on.click(press.target, press.x, press.y, { double, touch: press.touch, shift: event.shiftKey });
  };
  host.addEventListener("pointerup", end, { signal });
  host.addEventListener("pointercancel", end, { signal });
  host.addEventListener("pointerleave", (event) => !pointers.has(event.pointerId) && on.hover(null), { signal });
  // A finger that rests means to select, not to have the browser's menu.
  host.addEventListener("contextmenu", (event) => start?.touch === true && event.preventDefault(), { signal });
}
