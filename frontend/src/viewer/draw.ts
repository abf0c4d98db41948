// One drawing from a subject, whichever it is. Pure, so tests and the embedded viewer call it directly; the worker loads it for what takes the
// drawing of modules.

import { programLevel } from "../drawing/graph/jaxpr.ts";
import type { Level } from "../drawing/graph/level.ts";
import { moduleLevel } from "../drawing/graph/module.ts";
import type { OpPlaces } from "../drawing/graph/written.ts";
import { drawModule, foldableOps, initialOpenOps, MODULES, openModuleTo } from "../drawing/index.ts";
import type { Grouping, Tell } from "../drawing/scene.ts";
import type { Module } from "../model/types.ts";
import { type Drawn, drawingOf, programDrawn } from "./drawn.ts";
import type { Drawing, Subject, Wanted } from "./protocol.ts";

export function draw(subject: Subject, wanted: Wanted, title: string, tell?: Tell): Drawing {
  const drawn = subject.kind === "program" ? programDrawn(subject.program, MODULES) : moduleDrawn(subject.module, subject.places);
  return drawingOf(drawn, wanted, title, tell);
}

/** What is drawn, before it has places. */
export function levelOf(subject: Subject, open: ReadonlySet<string>, by: Grouping): Level {
  return subject.kind === "program" ? programLevel(subject.program, open, by, MODULES) : moduleLevel(subject.module, open, by);
}

function moduleDrawn(module: Module, places?: OpPlaces): Drawn {
  return {
    foldable: () => foldableOps(module),
    initial: () => initialOpenOps(module),
    openTo: (depth, by) => openModuleTo(module, depth, by, places),
    scene: (options) => drawModule(module, { ...options, places }),
  };
}
