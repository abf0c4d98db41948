/** Overlays by name. Each is computed once for a program. */
import type { Module, Program } from "../../model/types.ts";
import { remembered } from "../cost/remembered.ts";
import type { OpPlaces } from "../graph/written.ts";
import { bytesOverlay, flopsOverlay, memoryOverlay } from "./amounts.ts";
import { linesOverlay, scopesOverlay } from "./kinds.ts";
import { opsOverlay } from "./ops.ts";
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

const known = new WeakMap<Module, Map<OverlayKind, { places: OpPlaces | undefined; overlay: Overlay }>>();

/** Of a lowered module; `places` say where its ops come from. */
export function moduleOverlayOf(module: Module, kind: OverlayKind, places: OpPlaces | undefined): Overlay {
  const overlays = known.get(module) ?? new Map<OverlayKind, { places: OpPlaces | undefined; overlay: Overlay }>();
  known.set(module, overlays);
  const last = overlays.get(kind);
  if (last !== undefined && last.places === places) return last.overlay;
  const overlay = opsOverlay(module, kind, places);
  overlays.set(kind, { places, overlay });
  return overlay;
}
