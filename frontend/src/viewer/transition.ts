// From one drawing to the next: what is in both slides from where it was on screen, what is new fades in.
import type { Box, Scene } from "../drawing/scene.ts";
import type { Camera } from "./camera.ts";
import { fade, slide } from "./motion.ts";

/** Where everything stood, and from where it was looked at. */
export interface Before {
  readonly boxes: ReadonlyMap<string, Box>;
  readonly camera: Camera;
}

function itemsOf(scene: Scene): readonly { readonly key: string; readonly box: Box }[] {
  return [...scene.frames, ...scene.nodes, ...scene.ports, ...scene.chips];
}

export function standing(scene: Scene, camera: Camera): Before {
  return { boxes: new Map(itemsOf(scene).map(({ key, box }) => [key, box])), camera };
}

/** `elements` are those on screen for a key; `count` says how much there is, for nobody follows a thousand boxes. */
export function animate(before: Before, scene: Scene, now: Camera, elements: (key: string) => readonly Element[], count: number): void {
  for (const { key, box } of itemsOf(scene)) {
    const old = before.boxes.get(key);
    for (const element of elements(key)) {
      if (old === undefined) fade(element, count);
      else slide(element, old.x - before.camera.x - (box.x - now.x), old.y - before.camera.y - (box.y - now.y), count);
    }
  }
  for (const { key } of scene.wires) for (const element of elements(key)) fade(element, count);
}
