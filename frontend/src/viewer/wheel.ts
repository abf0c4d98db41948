// Wheels and trackpads: two fingers pan, a pinch or Ctrl/Cmd with the wheel zooms about the pointer.

export interface WheelCallbacks {
  pan(dx: number, dy: number): void;
  zoom(factor: number, x: number, y: number): void;
}

/** One notch of a wheel (100 units) zooms by about this factor. */
const WHEEL_ZOOM = 1.35;

/** A trackpad's pinch comes as wheel events with Ctrl and few units; there each counts more. */
export function wheelZoom(units: number): number {
  const amount = Math.max(-240, Math.min(240, units));
  const gain = Math.abs(amount) < 40 ? 3 : 1;
  return WHEEL_ZOOM ** ((-amount * gain) / 100);
}

/** Safari has events of its own for the pinch of a trackpad. */
interface GestureEvent extends UIEvent {
  readonly scale: number;
  readonly clientX: number;
  readonly clientY: number;
}

export function listenWheel(host: HTMLElement, on: WheelCallbacks, signal: AbortSignal): void {
  const at = (event: { clientX: number; clientY: number }): [number, number] => {
    const rect = host.getBoundingClientRect();
    return [event.clientX - rect.left, event.clientY - rect.top];
  };
  host.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? 400 : 1;
      if (event.ctrlKey || event.metaKey) on.zoom(wheelZoom(event.deltaY * unit), ...at(event));
      else if (event.shiftKey && event.deltaX === 0) on.pan(event.deltaY * unit, 0);
      else on.pan(event.deltaX * unit, event.deltaY * unit);
    },
    { passive: false, signal },
  );
  let before = 1;
  const listen = (name: string, heard: (event: GestureEvent) => void): void =>
    host.addEventListener(
      name,
      (event) => {
        event.preventDefault();
        heard(event as GestureEvent);
      },
      { signal },
    );
  listen("gesturestart", () => {
    before = 1;
  });
  listen("gesturechange", (event) => {
    on.zoom(event.scale / before, ...at(event));
    before = event.scale;
  });
  listen("gestureend", () => {
    before = 1;
  });
}
