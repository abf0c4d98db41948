/**
 * The drawing for hosts without modules: Python runs this in an embedded V8. Text in, text out.
 * Must never: use anything that a bare ECMAScript engine lacks.
 */
import type { Module, Program } from "../model/types.ts";
import { cardOf, codeCard, readable } from "./card/card.ts";
import { factsOf, moduleFacts, NO_FACTS } from "./card/facts.ts";
import { liveOf } from "./cost/live.ts";
import { regionLive } from "./cost/ops/live.ts";
import { regionWork } from "./cost/ops/work.ts";
import { workOf } from "./cost/work.ts";
import { type Diagram, diagramOf } from "./export/diagram.ts";
import { outlineOf } from "./export/outline.ts";
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
  MODULES,
  openModuleTo,
  openProgramTo,
  sceneToSvg,
  svgToString,
} from "./index.ts";
import type { Direction, Grouping, OverlayKind, Scene } from "./scene.ts";
import { spokenAlt } from "./svg/picture.ts";
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
  direction?: Direction | null;
  theme: "light" | "dark" | "auto";
  title: string;
  legend: boolean;
  overlay?: OverlayKind | null;
  /** The path of the one body that is drawn. */
  alone?: string | null;
  /** In the place of the words that are made from the picture. */
  alt?: string | null;
  /** Of the picture, in pixels; null is one for one. */
  width?: number | null;
}

const NOTHING = "nothing to draw: give a program or a module of the wire model";

/** Takes a JSON request, gives the SVG. */
export function draw(json: string): string {
  const request = JSON.parse(json) as Request;
  const { theme, title, legend, alt, width } = request;
  return svgToString(sceneToSvg(sceneOf(request), { theme, title, legend, alt: alt ?? null, width: width ?? null }));
}

/** Takes a JSON request, gives the same level as a plain graph: JSON of a Diagram, and how the roles look. */
export function diagram(json: string): string {
  const request = JSON.parse(json) as Wish;
  const by = request.by ?? "auto";
  const open = opened(request);
  const found: Diagram = diagramOf(
    request.module ? moduleLevel(request.module, open, by) : programLevel(request.program!, open, by, MODULES),
  );
  const roles = Object.fromEntries(
    Object.entries(LINES).map(([role, line]) => [role, { ...line, color: LIGHT.role[role as keyof typeof LINES] }]),
  );
  const { ink, muted, line, node, surface } = LIGHT;
  return JSON.stringify({ ...found, roles, colors: { ink, muted, line, node, surface } });
}

/**
 * Takes a JSON request, gives as JSON the card of a link (`svg`), what it is of (`facts`), and in words what the picture of the same wish
 * shows (`alt`). Without a program the card shows the code.
 */
export function card(json: string): string {
  const request = JSON.parse(json) as Request & { level: string; code?: string };
  const { program, module, title, level, code } = request;
  if (!program && !module) {
    const svg = codeCard({ title, level, facts: NO_FACTS }, code ?? "");
    return JSON.stringify({ svg: svgToString(svg), facts: NO_FACTS, alt: `${title}: code, not drawn.` });
  }
  const facts = module ? moduleFacts(module) : factsOf(program!);
  const first = sceneOf(request);
  const scene = readable(first, lessOpen(request));
  return JSON.stringify({ svg: svgToString(cardOf({ title, level, facts }, scene)), facts, alt: spokenAlt(title, first) });
}

/** The same with less and less open. */
function* lessOpen(request: Request): Generator<Scene> {
  for (const open of ["initial", 1, "none"] as const) yield sceneOf({ ...request, open });
}

function sceneOf(request: Request): Scene {
  const { program, module, overlay = null, alone = null, direction } = request;
  const options = { open: opened(request), by: request.by ?? "auto", overlay, alone, direction: direction ?? "TB" };
  return module ? drawModule(module, options) : drawProgram(program!, options);
}

/** Takes JSON of a graph that `diagram` gave, with a title; gives it in words. */
export function outline(json: string): string {
  const { title, ...graph } = JSON.parse(json) as Diagram & { title: string };
  return outlineOf(graph, title);
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
