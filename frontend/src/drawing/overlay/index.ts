/** Overlays by name. Each is computed once for a program. */
import type { Program } from "../../model/types.ts";
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

const known = new WeakMap<Program, Map<OverlayKind, Overlay>>();

export function overlayOf(program: Program, kind: OverlayKind): Overlay {
  let overlays = known.get(program);
  if (overlays === undefined) {
    overlays = new Map();
    known.set(program, overlays);
  }
  const found = overlays.get(kind) ?? MAKERS[kind](program);
  overlays.set(kind, found);
  return found;
}
