// A whole drawing for paper: light, with its legend. Loaded after the page, for few people print.
import type { Scene } from "../drawing/scene.ts";
import { sceneToSvg } from "../drawing/svg/render.ts";
import { build } from "../viewer/dom.ts";

export function picture(scene: Scene, title: string): SVGElement {
  return build(sceneToSvg(scene, { theme: "light", title, legend: true }));
}
