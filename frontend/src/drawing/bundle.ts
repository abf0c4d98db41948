/**
 * The drawing for hosts without modules: Python runs this in an embedded V8. Text in, text out.
 * Must never: use anything that a bare ECMAScript engine lacks.
 */
import type { Module, Program } from "../model/types.ts";
import { drawModule, drawProgram, foldable, foldableOps, initialOpen, initialOpenOps, sceneToSvg, svgToString } from "./index.ts";

interface Request {
  program?: Program;
  module?: Module;
  /** Paths, or `initial` (what fits on a screen), `all`, `none`. */
  open: "initial" | "all" | "none" | string[];
  theme: "light" | "dark" | "auto";
  title: string;
  legend: boolean;
}

/** Takes a JSON request, gives the SVG. */
export function draw(json: string): string {
  const request = JSON.parse(json) as Request;
  const { program, module, theme, title, legend } = request;
  const svg = { theme, title, legend };
  if (module) {
    const open = opened(
      request.open,
      () => initialOpenOps(module),
      () => foldableOps(module),
    );
    return svgToString(sceneToSvg(drawModule(module, { open }), svg));
  }
  if (!program?.jaxprs || !program.twins) throw new Error("nothing to draw: give a program or a module of the wire model");
  const open = opened(
    request.open,
    () => initialOpen(program),
    () => foldable(program),
  );
  return svgToString(sceneToSvg(drawProgram(program, { open }), svg));
}

function opened(wish: Request["open"], initial: () => Set<string>, all: () => string[]): Set<string> {
  if (wish === "initial") return initial();
  if (wish === "all") return new Set(all());
  return new Set(wish === "none" ? [] : wish);
}
