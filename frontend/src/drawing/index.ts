/** The drawing: model -> scene -> SVG. Pure functions, no DOM. Here programs are drawn with the modules that they call. */
import type { Program } from "../model/types.ts";
import type { Opened } from "./graph/fold/depth.ts";
import * as folds from "./graph/folds.ts";
import { MODULES } from "./module.ts";
import * as programs from "./program.ts";
import type { DrawOptions, Grouping, Scene } from "./scene.ts";

export { equationsOf, leftOut } from "./graph/left.ts";
export { opPlacesOf } from "./graph/located.ts";
export { foldableOps, initialOpenOps } from "./graph/opfolds.ts";
export type { OpPlaces } from "./graph/written.ts";
export { drawModule, MODULES, openModuleTo } from "./module.ts";
export { OVERLAYS } from "./overlay/types.ts";
export * from "./scene.ts";
export { type SvgNode, svgToString } from "./svg/node.ts";
export { type SvgOptions, sceneToSvg } from "./svg/render.ts";

export const drawProgram = (program: Program, options: DrawOptions): Scene => programs.drawProgram(program, options, MODULES);

export const openProgramTo = (program: Program, depth: number, by?: Grouping): Opened =>
  programs.openProgramTo(program, depth, by, MODULES);

export const foldable = (program: Program): readonly string[] => folds.foldable(program, MODULES);

export const initialOpen = (program: Program): Set<string> => folds.initialOpen(program, MODULES);
