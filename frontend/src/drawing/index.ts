/** The drawing: model -> scene -> SVG. Pure functions, no DOM. */
import type { Module, Program } from "../model/types.ts";
import type { DrawOptions, Scene } from "./scene.ts";
import type { SvgNode } from "./svg/node.ts";

export * from "./scene.ts";
export { type SvgNode, svgToString } from "./svg/node.ts";

export interface SvgOptions {
  theme: "light" | "dark" | "auto";
  /** Alt text: the `<title>` of the picture. */
  title?: string;
  /** Adds data-key, data-eqn, data-value, data-toggle, roles, labels and tabindex. */
  interactive?: boolean;
  /** Adds a legend of the roles that occur below the picture; default true when static, false when interactive. */
  legend?: boolean;
}

export declare function drawProgram(program: Program, options: DrawOptions): Scene;
export declare function drawModule(module: Module, options: DrawOptions): Scene;
export declare function sceneToSvg(scene: Scene, options: SvgOptions): SvgNode;
/** Every instance path that can be opened, outermost first. */
export declare function foldable(program: Program): string[];
export declare function foldableOps(module: Module): string[];
/** What is open at first: everything while the picture stays small, else only the outer levels. */
export declare function initialOpen(program: Program): Set<string>;
export declare function initialOpenOps(module: Module): Set<string>;
