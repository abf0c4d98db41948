/**
 * The drawing for hosts without modules: Python runs this in an embedded V8. Text in, text out.
 * Must never: use anything that a bare ECMAScript engine lacks.
 */
import type { Module, Program } from "../model/types.ts";
import { liveOf } from "./cost/live.ts";
import { regionLive } from "./cost/ops/live.ts";
import { regionWork } from "./cost/ops/work.ts";
import { workOf } from "./cost/work.ts";
import { type Diagram, diagramOf } from "./export/diagram.ts";
import { programLevel } from "./graph/jaxpr.ts";
import { moduleLevel } from "./graph/module.ts";
import { mainFunction } from "./graph/ops/context.ts";
import {
  drawModule,
  drawProgram,
  foldable,
  foldableOps,
  initialOpen,
  initialOpenOps,
  openModuleTo,
  openProgramTo,
  sceneToSvg,
  svgToString,
} from "./index.ts";
import type { Grouping, OverlayKind } from "./scene.ts";
import { LIGHT, LINES } from "./theme.ts";

/** What is to be seen of which level. */
interface Wish {
  program?: Program;
  module?: Module;
  /** Paths, or `initial` (what fits on a screen), `all`, `none`; a number is a depth. */
  open: "initial" | "all" | "none" | string[] | number;
  by?: Grouping | null;
}

interface Request extends Wish {
  theme: "light" | "dark" | "auto";
  title: string;
  legend: boolean;
  overlay?: OverlayKind | null;
  /** In the place of the words that are made from the picture. */
  alt?: string | null;
  /** Of the picture, in pixels; null is one for one. */
  width?: number | null;
}

const NOTHING = "nothing to draw: give a program or a module of the wire model";

/** Takes a JSON request, gives the SVG. */
export function draw(json: string): string {
  const request = JSON.parse(json) as Request;
  const { program, module, theme, title, legend, overlay, alt, width } = request;
  const by = request.by ?? "auto";
  const svg = { theme, title, legend, alt: alt ?? null, width: width ?? null };
  const open = opened(request);
  if (module) return svgToString(sceneToSvg(drawModule(module, { open, by, overlay: overlay ?? null }), svg));
  return svgToString(sceneToSvg(drawProgram(program!, { open, by, overlay: overlay ?? null }), svg));
}

/** Takes a JSON request, gives the same level as a plain graph: JSON of a Diagram, and how the roles look. */
export function diagram(json: string): string {
  const request = JSON.parse(json) as Wish;
  const by = request.by ?? "auto";
  const open = opened(request);
  const found: Diagram = diagramOf(request.module ? moduleLevel(request.module, open, by) : programLevel(request.program!, open, by));
  const roles = Object.fromEntries(
    Object.entries(LINES).map(([role, line]) => [role, { ...line, color: LIGHT.role[role as keyof typeof LINES] }]),
  );
  const { ink, muted, line, node, surface } = LIGHT;
  return JSON.stringify({ ...found, roles, colors: { ink, muted, line, node, surface } });
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

function opened({ program, module, open, by }: Wish): Set<string> {
  if (!module && (!program?.jaxprs || !program.twins)) throw new Error(NOTHING);
  if (open === "initial") return module ? initialOpenOps(module) : initialOpen(program!);
  if (open === "all") return new Set(module ? foldableOps(module) : foldable(program!));
  if (typeof open === "number")
    return (module ? openModuleTo(module, open, by ?? "auto") : openProgramTo(program!, open, by ?? "auto")).open;
  return new Set(open === "none" ? [] : open);
}
