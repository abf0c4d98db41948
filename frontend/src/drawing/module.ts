/** A lowered module as a picture, in the same grammar as a program; paths are those of ops (`op3/op9`). */
import type { Module } from "../model/types.ts";
import { drawLevel } from "./draw.ts";
import { aloneOpLevel } from "./graph/aloneOp.ts";
import type { Modules } from "./graph/embedded.ts";
import { type Opened, openTo } from "./graph/fold/depth.ts";
import { embeddedLevel, moduleLevel } from "./graph/module.ts";
import { foldableOps } from "./graph/opfolds.ts";
import { mainFunction } from "./graph/ops/context.ts";
import type { OpPlaces } from "./graph/written.ts";
import { decorate } from "./overlay/decorate.ts";
import { moduleOverlayOf } from "./overlay/ops.ts";
import type { DrawOptions, Grouping, Scene } from "./scene.ts";

/** What a program that calls modules is drawn with. */
export const MODULES: Modules = {
  level: embeddedLevel,
  foldable: foldableOps,
  ops: (module) => mainFunction(module)?.region.blocks[0]?.ops.length ?? 0,
};

export function drawModule(module: Module, options: DrawOptions): Scene {
  options.tell?.("Folding");
  const alone = options.alone == null ? null : aloneOpLevel(module, options.open, options.alone, options.by, options.places);
  const level = alone ?? moduleLevel(module, options.open, options.by, options.places);
  if (options.overlay == null) return drawLevel(level, options.tell, options.direction);
  const overlay = moduleOverlayOf(module, options.overlay, options.places);
  return { ...drawLevel(decorate(level, overlay), options.tell, options.direction), overlay: overlay.legend };
}

export function openModuleTo(module: Module, depth: number, by?: Grouping, places?: OpPlaces): Opened {
  return openTo((open) => moduleLevel(module, open, by, places), depth);
}
