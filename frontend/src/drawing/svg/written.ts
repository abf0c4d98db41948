/**
 * A scene as the text of an SVG, in slices: what `svgToString(sceneToSvg(scene, options))` gives at once, letter by letter, for a page that must
 * not stand still while fifty thousand boxes are written down.
 */
import type { Slices } from "../../model/slices.ts";
import type { Scene } from "../scene.ts";
import { legend } from "./legend.ts";
import { type SvgNode, svgToString } from "./node.ts";
import { brushOf, hasLegend, pictured, type SvgOptions } from "./picture.ts";

/** Things between two stops. */
const SLICE = 100;

export function* svgWritten(scene: Scene, options: SvgOptions): Slices<string> {
  const { root, ground, layers } = yield* pictured(scene, options);
  const text: string[] = [opening(root), ...ground.map(svgToString)];
  for (const { shell, count, make } of layers) {
    if (count === 0) {
      text.push(svgToString({ ...shell, children: [] }));
      continue;
    }
    text.push(opening(shell));
    for (let at = 0; at < count; at++) {
      text.push(svgToString(make(at)));
      if (at % SLICE === 0) yield;
    }
    text.push(`</${shell.tag}>`);
  }
  if (hasLegend(options)) text.push(svgToString(legend(scene, brushOf(scene, options))));
  text.push(`</${root.tag}>`);
  return text.join("");
}

function opening(node: SvgNode): string {
  return svgToString({ ...node, children: [] }).replace(/\/>$/, ">");
}
