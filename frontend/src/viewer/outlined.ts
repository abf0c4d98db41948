// The words of a drawing, for a page of its own whose reader has no scripts. Loaded into the worker when they are asked for.

import { diagramOf } from "../drawing/export/diagram.ts";
import { outlineOf } from "../drawing/export/outline.ts";
import { programLevel } from "../drawing/graph/jaxpr.ts";
import { moduleLevel } from "../drawing/graph/module.ts";
import { AS_FITS } from "../drawing/index.ts";
import type { Subject } from "./protocol.ts";

export function outlined(subject: Subject, open: ReadonlySet<string>, by = AS_FITS.by, title = ""): string {
  const level = subject.kind === "program" ? programLevel(subject.program, open, by) : moduleLevel(subject.module, open, by);
  return outlineOf(diagramOf(level), title);
}
