// The words of a drawing, for a page of its own whose reader has no scripts. Loaded into the worker when they are asked for.

import { diagramOf } from "../drawing/export/diagram.ts";
import { outlineOf } from "../drawing/export/outline.ts";
import { AS_FITS } from "../drawing/scene.ts";
import { levelOf } from "./draw.ts";
import type { Subject } from "./protocol.ts";

export function outlined(subject: Subject, open: ReadonlySet<string>, by = AS_FITS.by, title = ""): string {
  return outlineOf(diagramOf(levelOf(subject, open, by)), title);
}
