/** A program's jaxprs as a picture. `modules` is what draws the modules that its equations call: it must be given where it `embeds` any. */
import type { Program } from "../model/types.ts";
import { drawLevel } from "./draw.ts";
import { withResiduals } from "./furniture/residuals.ts";
import { aloneLevel } from "./graph/alone.ts";
import type { Modules } from "./graph/embedded.ts";
import { type Opened, openTo } from "./graph/fold/depth.ts";
import { programLevel } from "./graph/jaxpr.ts";
import { decorate, overlayOf } from "./overlay/index.ts";
import type { DrawOptions, Grouping, Scene } from "./scene.ts";

export function drawProgram(program: Program, options: DrawOptions, modules?: Modules): Scene {
  options.tell?.("Folding");
  const alone = options.alone == null ? null : aloneLevel(program, options.open, options.alone, options.by, modules);
  const level = withResiduals(alone ?? programLevel(program, options.open, options.by, modules), program);
  if (options.overlay == null) return drawLevel(level, options.tell, options.direction);
  const overlay = overlayOf(program, options.overlay);
  return { ...drawLevel(decorate(level, overlay), options.tell, options.direction), overlay: overlay.legend };
}

/** What is open of a program down to a depth, as far as that can be drawn. */
export function openProgramTo(program: Program, depth: number, by?: Grouping, modules?: Modules): Opened {
  return openTo((open) => programLevel(program, open, by, modules), depth);
}
