// Where the viewer looks: pure geometry. A world point p is seen at (p - {x, y}) * k pixels from the top left corner of the viewer.
import type { Box } from "../drawing/scene.ts";

export interface Camera {
  readonly x: number;
  readonly y: number;
  /** Pixels on screen per pixel of the drawing. */
  readonly k: number;
}

export interface Size {
  readonly w: number;
  readonly h: number;
}

/** Something drawn, and what it is (a node's kind). */
interface Stop {
  readonly kind: string;
  readonly box: Box;
}

/** A hundred thousand pixels of a drawing fit into a view: what is fitted and cannot be whole may show nothing at all. */
export const SMALLEST = 0.005;
export const LARGEST = 4;
/** The least scale at which the small print can be read. */
const READABLE = 0.6;

export function clampScale(k: number): number {
  return Math.min(LARGEST, Math.max(SMALLEST, k));
}

/** Shows `box` whole and centred with `margin` pixels around it, never larger than `most`. */
export function fitTo(box: Box, view: Size, margin = 24, most = 1): Camera {
  const w = Math.max(1, view.w - 2 * margin);
  const h = Math.max(1, view.h - 2 * margin);
  const k = clampScale(Math.min(most, w / Math.max(1, box.w), h / Math.max(1, box.h)));
  return { k, x: box.x - (view.w / k - box.w) / 2, y: box.y - (view.h / k - box.h) / 2 };
}

/**
 * The first look at a drawing: whole when its text stays readable (`least` or more), else around where it begins (`start`, a world
 * point). A picture of three thousand equations fitted whole is a grey smear that tells nobody where to begin.
 */
export function firstLook(
  box: Box,
  view: Size,
  start: { readonly x: number; readonly y: number } | null = null,
  margin = 24,
  least = 0.4,
): Camera {
  const whole = fitTo(box, view, margin);
  if (whole.k >= least) return whole;
  const k = Math.min(1, Math.max(READABLE, (view.w - 2 * margin) / Math.max(1, box.w)));
  const { x, y } = start ?? { x: box.x + box.w / 2, y: box.y };
  return {
    k,
    x: along(x, view.w / k / 2, view.w / k, box.x, box.w, margin / k),
    y: along(y, view.h / k / 3, view.h / k, box.y, box.h, margin / k),
  };
}

/** Where a drawing begins: at its inputs, where they stand in one row; else at the operation nearest to its top left corner. */
export function beginning(stops: readonly Stop[]): { x: number; y: number } | null {
  const inputs = stops.filter((stop) => stop.kind === "input");
  const [left] = [...inputs].sort((a, b) => a.box.x - b.box.x);
  const right = Math.max(...inputs.map(({ box }) => box.x + box.w));
  if (left !== undefined && inputs.every(({ box }) => box.y === left.box.y)) return { x: (left.box.x + right) / 2, y: left.box.y };
  const ops = stops.filter((stop) => stop.kind === "op" || stop.kind === "closed");
  const first = ops.reduce<Stop | null>((best, stop) => (best === null || early(stop) < early(best) ? stop : best), null);
  return first === null ? null : { x: first.box.x + first.box.w / 2, y: first.box.y };
}

function early({ box }: Stop): number {
  return box.y + box.x / 2;
}

/** Where a window of `length` begins that shows `at` at `offset`, without leaving the drawing more than needed. */
function along(at: number, offset: number, length: number, from: number, size: number, margin: number): number {
  if (size + 2 * margin <= length) return from - (length - size) / 2;
  return Math.min(from + size + margin - length, Math.max(from - margin, at - offset));
}

/** Zooms by `factor` and keeps the world point under screen point (sx, sy) where it is. */
export function zoomAt(camera: Camera, factor: number, sx: number, sy: number): Camera {
  const k = clampScale(camera.k * factor);
  return { k, x: camera.x + sx / camera.k - sx / k, y: camera.y + sy / camera.k - sy / k };
}

export function pan(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x + dx / camera.k, y: camera.y + dy / camera.k };
}

/** Moves the camera so that world point (wx, wy) is seen at screen point (sx, sy). */
export function pin(camera: Camera, wx: number, wy: number, sx: number, sy: number): Camera {
  return { ...camera, x: wx - sx / camera.k, y: wy - sy / camera.k };
}

/** Moves the camera so that world point (wx, wy) is seen in the middle. */
export function centreOn(camera: Camera, wx: number, wy: number, view: Size): Camera {
  return pin(camera, wx, wy, view.w / 2, view.h / 2);
}

/** The least movement that brings `box` into view with a margin; a box larger than the view is shown from its top left. */
export function reveal(camera: Camera, box: Box, view: Size, margin = 32): Camera {
  const m = margin / camera.k;
  const w = view.w / camera.k;
  const h = view.h / camera.k;
  return { ...camera, x: shift(camera.x, w, box.x, box.w, m), y: shift(camera.y, h, box.y, box.h, m) };
}

function shift(at: number, length: number, from: number, size: number, margin: number): number {
  if (from - margin < at || size + 2 * margin > length)
    return from - margin > at && from + size + margin < at + length ? at : from - margin;
  return from + size + margin > at + length ? from + size + margin - length : at;
}

/** Keeps at least `margin` pixels of the drawing in sight, so that it cannot be lost by panning. */
export function keepInSight(camera: Camera, box: Box, view: Size, margin = 60): Camera {
  const m = margin / camera.k;
  const x = Math.min(box.x + box.w - m, Math.max(box.x + m - view.w / camera.k, camera.x));
  const y = Math.min(box.y + box.h - m, Math.max(box.y + m - view.h / camera.k, camera.y));
  return x === camera.x && y === camera.y ? camera : { ...camera, x, y };
}
