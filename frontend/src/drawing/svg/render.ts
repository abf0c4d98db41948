/**
 * A scene as SVG. No ids, no scripts, no foreignObject: several pictures can stand in one page, and sanitisers have nothing to cut.
 */
import { atOnce } from "../../model/slices.ts";
import type { Scene } from "../scene.ts";
import { legend } from "./legend.ts";
import type { SvgNode } from "./node.ts";
import { brushOf, hasLegend, pictured, type SvgOptions } from "./picture.ts";

export type { SvgOptions } from "./picture.ts";

export function sceneToSvg(scene: Scene, options: SvgOptions): SvgNode {
  const { root, ground, layers } = atOnce(pictured(scene, options));
  const children: (SvgNode | string)[] = [...ground];
  for (const layer of layers) {
    const made: SvgNode[] = [];
    for (let at = 0; at < layer.count; at++) made.push(layer.make(at));
    children.push({ ...layer.shell, children: made });
  }
  if (hasLegend(options)) children.push(legend(scene, brushOf(scene, options)));
  return { ...root, children };
}
