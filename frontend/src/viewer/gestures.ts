// Pointer, wheel and touch on the viewer: pan, zoom about the cursor, pinch, click. Knows screen points only, no scene.

export interface GestureCallbacks {
  pan(dx: number, dy: number): void;
  zoom(factor: number, x: number, y: number): void;
  /** A press that did not move; `double` when it is the second one in a row at the same place. */
  click(target: Element, x: number, y: number, double: boolean): void;
  hover(target: Element | null): void;
}

/** A press that moves less than this many pixels is a click. */
const SLOP = 4;
const DOUBLE_MS = 350;
/** One notch of a wheel (100 units) zooms by about this factor. */
const WHEEL_ZOOM = 1.35;

export function listen(host: HTMLElement, on: GestureCallbacks, signal: AbortSignal): void {
  const pointers = new Map<number, { x: number; y: number }>();
  let start: { x: number; y: number; moved: boolean; target: Element | null } | null = null;
  let last: { time: number; x: number; y: number } | null = null;
  const at = (event: { clientX: number; clientY: number }): { x: number; y: number } => {
    const rect = host.getBoundingClientRect();
    return { x: event.clientX - rect.left, y: event.clientY - rect.top };
  };

  host.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? 400 : 1;
      const { x, y } = at(event);
      if (event.ctrlKey || event.metaKey) {
        const amount = Math.max(-240, Math.min(240, event.deltaY * unit));
        on.zoom(WHEEL_ZOOM ** (-amount / 100), x, y);
      } else if (event.shiftKey && event.deltaX === 0) on.pan(event.deltaY * unit, 0);
      else on.pan(event.deltaX * unit, event.deltaY * unit);
    },
    { passive: false, signal },
  );

  host.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button > 1) return;
      const point = at(event);
      pointers.set(event.pointerId, point);
      if (pointers.size === 1) start = { ...point, moved: false, target: event.target instanceof Element ? event.target : null };
      else if (start !== null) start.moved = true;
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
      if (start !== null && !start.moved && Math.hypot(point.x - start.x, point.y - start.y) > SLOP) {
        start.moved = true;
        host.setPointerCapture(event.pointerId);
        host.classList.add("dragging");
      }
      if (start?.moved !== true) return;
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      if (other !== undefined) {
        const spread = Math.hypot(point.x - other.x, point.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
        on.zoom(spread, (point.x + other.x) / 2, (point.y + other.y) / 2);
        on.pan((before.x - point.x) / 2, (before.y - point.y) / 2);
      } else on.pan(before.x - point.x, before.y - point.y);
      pointers.set(event.pointerId, point);
    },
    { signal },
  );

  const end = (event: PointerEvent): void => {
    pointers.delete(event.pointerId);
    if (pointers.size > 0) return;
    host.classList.remove("dragging");
    const press = start;
    start = null;
    if (press === null || press.moved || event.type === "pointercancel" || press.target === null || event.button !== 0) return;
    const double = last !== null && event.timeStamp - last.time < DOUBLE_MS && Math.hypot(press.x - last.x, press.y - last.y) < 8;
    last = double ? null : { time: event.timeStamp, x: press.x, y: press.y };
    on.click(press.target, press.x, press.y, double);
  };
  host.addEventListener("pointerup", end, { signal });
  host.addEventListener("pointercancel", end, { signal });
  host.addEventListener("pointerleave", (event) => !pointers.has(event.pointerId) && on.hover(null), { signal });
}
