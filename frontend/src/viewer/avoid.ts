// Keeping what is shown out from under what lies over the view. Pure.
import type { Box } from "../drawing/scene.ts";
import type { Camera, Size } from "./camera.ts";

/** The camera moved so that `box` is clear of `cover` (pixels of the viewer): to its left or right, else below or above; the shortest way that stays in view. */
export function clearOf(camera: Camera, box: Box, view: Size, cover: Box, margin = 24): Camera {
  const { k } = camera;
  const seen = { x: (box.x - camera.x) * k, y: (box.y - camera.y) * k, w: box.w * k, h: box.h * k };
  const apart =
    seen.x + seen.w + margin <= cover.x ||
    seen.x >= cover.x + cover.w + margin ||
    seen.y + seen.h + margin <= cover.y ||
    seen.y >= cover.y + cover.h + margin;
  if (apart) return camera;
  // Beside it as far as it must go; along it only so far that all of the box is in view.
  const into = (at: number, size: number, length: number): number => Math.max(margin / 2, Math.min(length - margin / 2 - size, at));
  const x = into(seen.x, seen.w, view.w);
  const y = into(seen.y, seen.h, view.h);
  const places = [
    { x: cover.x - margin - seen.w, y },
    { x: cover.x + cover.w + margin, y },
    { x, y: cover.y + cover.h + margin },
    { x, y: cover.y - margin - seen.h },
  ].filter((place) => place.x === into(place.x, seen.w, view.w) && place.y === into(place.y, seen.h, view.h));
  const far = (place: { x: number; y: number }): number => Math.abs(place.x - seen.x) + Math.abs(place.y - seen.y);
  const [best] = places.sort((a, b) => far(a) - far(b));
  return best === undefined ? camera : { ...camera, x: camera.x + (seen.x - best.x) / k, y: camera.y + (seen.y - best.y) / k };
}
