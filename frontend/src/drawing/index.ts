/** The drawing: model -> scene -> SVG. Pure functions, no DOM. */
import type { Module, Program } from "../model/types.ts";
import { drawLevel } from "./draw.ts";
import { withResiduals } from "./furniture/residuals.ts";
import { aloneLevel } from "./graph/alone.ts";
import { aloneOpLevel } from "./graph/aloneOp.ts";
import { type Opened, openTo } from "./graph/fold/depth.ts";
import { programLevel } from "./graph/jaxpr.ts";
import { moduleLevel } from "./graph/module.ts";
import type { OpPlaces } from "./graph/written.ts";
import { decorate, moduleOverlayOf, overlayOf } from "./overlay/index.ts";
import type { DrawOptions, Grouping, Scene } from "./scene.ts";

export { foldable, initialOpen } from "./graph/folds.ts";
export { equationsOf, leftOut } from "./graph/left.ts";
export { opPlacesOf } from "./graph/located.ts";
export { foldableOps, initialOpenOps } from "./graph/opfolds.ts";
export type { OpPlaces } from "./graph/written.ts";
export { OVERLAYS } from "./overlay/types.ts";
export * from "./scene.ts";
export { type SvgNode, svgToString } from "./svg/node.ts";
export { type SvgOptions, sceneToSvg } from "./svg/render.ts";

/** A program's jaxprs as a picture. */
export function drawProgram(program: Program, options: DrawOptions): Scene {
  options.tell?.("Folding");
  const alone = options.alone == null ? null : aloneLevel(program, options.open, options.alone, options.by);
  const level = withResiduals(alone ?? programLevel(program, options.open, options.by), program);
  if (options.overlay == null) return drawLevel(level, options.tell, options.direction);
  const overlay = overlayOf(program, options.overlay);
  return { ...drawLevel(decorate(level, overlay), options.tell, options.direction), overlay: overlay.legend };
}

/** A lowered module as a picture, in the same grammar; paths are those of ops (`op3/op9`). */
export function drawModule(module: Module, options: DrawOptions): Scene {
  options.tell?.("Folding");
  const alone = options.alone == null ? null : aloneOpLevel(module, options.open, options.alone, options.by, options.places);
  const level = alone ?? moduleLevel(module, options.open, options.by, options.places);
  if (options.overlay == null) return drawLevel(level, options.tell, options.direction);
  const overlay = moduleOverlayOf(module, options.overlay, options.places);
  return { ...drawLevel(decorate(level, overlay), options.tell, options.direction), overlay: overlay.legend };
}

/** What is open of a program down to a depth, as far as that can be drawn. */
export function openProgramTo(program: Program, depth: number, by?: Grouping): Opened {
  return openTo((open) => programLevel(program, open, by), depth);
}

export function openModuleTo(module: Module, depth: number, by?: Grouping, places?: OpPlaces): Opened {
  return openTo((open) => moduleLevel(module, open, by, places), depth);
}
