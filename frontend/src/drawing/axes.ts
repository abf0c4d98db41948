/**
 * Which way the values flow on the screen. Layout and routing are written once, for a flow from top to bottom: x runs across it and y along
 * it. What that is on the screen is known here alone: for a flow from left to right the two change places, and text stays upright because
 * boxes are measured, and written on, as they stand there.
 */
import type { Box, Direction } from "./scene.ts";

/** Its own inverse. */
export function onScreen(direction: Direction, box: Box): Box {
  return direction === "TB" ? box : { x: box.y, y: box.x, w: box.h, h: box.w };
}

/** How far something goes across the flow and along it that is `w` by `h` on the screen. */
export function extents(direction: Direction, w: number, h: number): { across: number; along: number } {
  return direction === "TB" ? { across: w, along: h } : { across: h, along: w };
}
