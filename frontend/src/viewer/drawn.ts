// One drawing from what is drawn and the open bodies. Pure. It knows programs; a module, and a program that calls one, is drawn by draw.ts.
import type { Modules } from "../drawing/graph/embedded.ts";
import type { Opened } from "../drawing/graph/fold/depth.ts";
import { foldable, initialOpen } from "../drawing/graph/folds.ts";
import { drawProgram, openProgramTo } from "../drawing/program.ts";
import { AS_FITS, type DrawOptions, type Grouping, type Scene, type Tell } from "../drawing/scene.ts";
import type { Program } from "../model/types.ts";
import type { Drawing, Wanted } from "./protocol.ts";

/** What is drawn: what can be open of it and is at first, and its scene. */
export interface Drawn {
  foldable(): readonly string[];
  initial(): Set<string>;
  openTo(depth: number, by: Grouping): Opened;
  scene(options: DrawOptions): Scene;
}

export function programDrawn(program: Program, modules?: Modules): Drawn {
  return {
    foldable: () => foldable(program, modules),
    initial: () => initialOpen(program, modules),
    openTo: (depth, by) => openProgramTo(program, depth, by, modules),
    scene: (options) => drawProgram(program, options, modules),
  };
}

export function drawingOf(drawn: Drawn, wanted: Wanted, title: string, tell: Tell = () => undefined): Drawing {
  const { levels = AS_FITS, overlay = null, alone = null, direction = "TB" } = wanted;
  const { open, left } = openOf(drawn, wanted);
  const scene = drawn.scene({ open, by: levels.by, overlay, alone, direction, tell });
  return {
    scene,
    title,
    open: [...open],
    foldable: drawn.foldable(),
    left,
    alone: alone !== null && holdsAll(alone, scene) ? alone : null,
  };
}

function openOf(drawn: Drawn, { open, levels: { by, depth } = AS_FITS }: Wanted): { open: Set<string>; left: number } {
  if (open !== null) return { open: new Set(open), left: 0 };
  if (depth === null) return { open: drawn.initial(), left: 0 };
  return drawn.openTo(depth === "all" ? Number.POSITIVE_INFINITY : depth, by);
}

/** Whether all that is drawn stands in one body: an unknown path draws everything. */
function holdsAll(alone: string, { frames, nodes }: Scene): boolean {
  return [...frames, ...nodes].every(
    ({ eqn }) => eqn === null || eqn === alone || eqn.startsWith(`${alone}/`) || eqn.startsWith(`${alone}:`),
  );
}
