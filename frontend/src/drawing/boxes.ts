/** Boxes of a scene among each other. */
import type { Box } from "./scene.ts";

/** Whether they have more than a border in common; what has no width, as a straight wire, only where it is inside. */
export function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}
