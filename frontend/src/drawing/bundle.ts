/**
 * The drawing for hosts without modules: Python runs this in an embedded V8. Text in, text out.
 * Must never: use anything that a bare ECMAScript engine lacks.
 */
import type { Module, Program } from "../model/types.ts";
import { liveOf } from "./cost/live.ts";
import { regionLive } from "./cost/ops/live.ts";
import { regionWork } from "./cost/ops/work.ts";
import { workOf } from "./cost/work.ts";
import { mainFunction } from "./graph/ops/context.ts";
import { drawModule, drawProgram, foldable, foldableOps, initialOpen, initialOpenOps, sceneToSvg, svgToString } from "./index.ts";
import type { OverlayKind } from "./scene.ts";

interface Request {
  program?: Program;
  module?: Module;
  /** Paths, or `initial` (what fits on a screen), `all`, `none`. */
  open: "initial" | "all" | "none" | string[];
  theme: "light" | "dark" | "auto";
  title: string;
  legend: boolean;
  overlay?: OverlayKind | null;
}

/** Takes a JSON request, gives the SVG. */
export function draw(json: string): string {
  const request = JSON.parse(json) as Request;
  const { program, module, theme, title, legend, overlay } = request;
  const svg = { theme, title, legend };
  if (module) {
    const open = opened(
      request.open,
      () => initialOpenOps(module),
      () => foldableOps(module),
    );
    return svgToString(sceneToSvg(drawModule(module, { open, overlay: overlay ?? null }), svg));
  }
  if (!program?.jaxprs || !program.twins) throw new Error("nothing to draw: give a program or a module of the wire model");
  const open = opened(
    request.open,
    () => initialOpen(program),
    () => [...foldable(program)],
  );
  return svgToString(sceneToSvg(drawProgram(program, { open, overlay: overlay ?? null }), svg));
}

/** Takes a JSON request with a program or a module, gives what it costs as JSON. */
export function estimate(json: string): string {
  const { program, module } = JSON.parse(json) as Request;
  if (module) {
    const { region } = mainFunction(module) ?? {};
    if (region === undefined) throw new Error("a module without a function has no estimate");
    const { flops, uncounted, perTurn } = regionWork(module, region);
    return JSON.stringify({ flops, uncounted: [...uncounted].sort(), perTurn, peak: regionLive(module, region).peak });
  }
  if (!program?.jaxprs) throw new Error("nothing to estimate: give a program of the wire model");
  if (program.entry === null) throw new Error("a module without a jaxpr has no estimate");
  const { flops, uncounted, perTurn } = workOf(program, program.entry);
  return JSON.stringify({ flops, uncounted: [...uncounted].sort(), perTurn, peak: liveOf(program, program.entry).peak });
}

function opened(wish: Request["open"], initial: () => Set<string>, all: () => string[]): Set<string> {
  if (wish === "initial") return initial();
  if (wish === "all") return new Set(all());
  return new Set(wish === "none" ? [] : wish);
}
