/** Overlays of a program by name (those of a module: ops.ts). Each is computed once for a program. */
import type { Program } from "../../model/types.ts";
import { remembered } from "../cost/remembered.ts";
import { bytesOverlay, flopsOverlay, memoryOverlay } from "./amounts.ts";
import { linesOverlay, scopesOverlay } from "./kinds.ts";
import type { Overlay, OverlayKind } from "./types.ts";

export { decorate } from "./decorate.ts";
export { type Fill, type Mark, OVERLAYS, type Overlay, type OverlayKind, type OverlayLegend } from "./types.ts";

const MAKERS: Record<OverlayKind, (program: Program) => Overlay> = {
  bytes: bytesOverlay,
  flops: flopsOverlay,
  memory: memoryOverlay,
  lines: linesOverlay,
  scopes: scopesOverlay,
};

export const overlayOf = remembered((program: Program, kind: OverlayKind): Overlay => MAKERS[kind](program));
