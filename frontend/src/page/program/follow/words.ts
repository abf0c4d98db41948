// What is said of what something depends on or feeds. Pure.
import { mainFunction } from "../../../drawing/graph/ops/context.ts";
import { isReturn } from "../../../drawing/graph/ops/names.ts";
import type { Program } from "../../../model/types.ts";
import { listed, type Piece, type Sentence } from "../../explain/words.ts";
import { levelFollowed } from "../../state/finding.ts";
import type { Level } from "../../state/types.ts";
import { holders, nameOf, nameOfAtom, placeOf } from "../instances.ts";
import { titleOf } from "../titles.ts";
import type { Cone } from "./index.ts";
import { endInModule } from "./module.ts";
import { bodyOf, splitKey } from "./places.ts";

/** What things are called at a level. */
interface Names {
  readonly unit: string;
  end(key: string): string;
  /** Results of the program by position. */
  results(at: readonly number[]): string[];
}

function namesOf(program: Program, level: Level): Names {
  const module = level === "jaxpr" ? undefined : program.modules[level];
  if (module !== undefined) {
    const returned = mainFunction(module)?.region.blocks.flatMap(({ ops }) => ops.filter(({ name }) => isReturn(name))) ?? [];
    const last = returned[returned.length - 1]?.operands ?? [];
    const results = (at: readonly number[]): string[] =>
      at.flatMap((i) => (last[i] === undefined ? [] : [endInModule(module, `|${last[i].value}`)]));
    return { unit: "op", end: (key) => endInModule(module, key), results };
  }
  const entry = bodyOf(program, "")?.jaxpr;
  return {
    unit: "equation",
    end: (key) => endName(program, key),
    results: (at) => at.flatMap((i) => (entry?.outvars[i] === undefined ? [] : [nameOfAtom(entry, entry.outvars[i])])),
  };
}

export function coneWords(program: Program, cone: Cone): Sentence {
  const said = wordsOf(namesOf(program, levelFollowed(cone.following)), cone);
  const away = cone.away ? [" Bodies that were not sent yet count as a whole."] : [];
  return [...said, ...refWords(cone), ...away];
}

/** No value shows what goes through a ref: it is derived, and said to be so. */
function refWords({ refs }: Cone): Piece[] {
  if (refs === null) return [];
  if (refs === "order") return [" What goes through refs is derived from the order of the equations."];
  return [
    " What goes through refs is derived: where a loop or a grid comes again to what reads one, everything written into it there counts.",
  ];
}

function wordsOf(names: Names, cone: Cone): Sentence {
  const { way, from, to } = cone.following;
  const start: Piece = { code: names.end(from) };
  if (way === "path") {
    if (to === null) return ["From ", start, ": choose where the path ends and press p, or click it with Shift."];
    return pathWords(names, cone, start, { code: names.end(to) });
  }
  const up = ["depends on ", ...upWords(names, cone)];
  const down = ["feeds ", ...downWords(names, cone)];
  if (way === "up") return [start, " ", ...up, "."];
  if (way === "down") return [start, " ", ...down, "."];
  return [
    start,
    " takes part in a chain of ",
    count(cone.eqns.size, names.unit),
    ": from ",
    ...orNone(inputNames(names, cone), "no input"),
    " to ",
    ...results(names, cone),
    ".",
  ];
}

function pathWords(names: Names, cone: Cone, start: Piece, end: Piece): Sentence {
  const { from, to } = cone.following;
  if (to !== null && holders(from).includes(to)) return [start, " stands inside of ", end, "."];
  if (to !== null && holders(to).includes(from)) return [end, " stands inside of ", start, "."];
  if (!cone.joined) return ["No path: neither of ", start, " and ", end, " feeds the other."];
  const [first, last] = cone.forward ? [start, end] : [end, start];
  if (cone.eqns.size === 0) return ["From ", first, " straight to ", last, "."];
  return ["From ", first, " to ", last, ": ", count(cone.eqns.size, names.unit), " between."];
}

function upWords(names: Names, cone: Cone): Piece[] {
  const inputs = inputNames(names, cone);
  if (cone.eqns.size === 0 && inputs.length === 0) return ["nothing: it is made from literals alone"];
  const eqns = cone.eqns.size === 0 ? [] : [count(cone.eqns.size, names.unit)];
  if (inputs.length === 0) return [...eqns, " and no input"];
  return [...eqns, eqns.length > 0 ? " and " : "", inputs.length === 1 ? "input " : "inputs ", ...listed(inputs)];
}

function downWords(names: Names, cone: Cone): Piece[] {
  if (cone.eqns.size === 0 && cone.outputs.length === 0) return ["nothing"];
  const eqns = cone.eqns.size === 0 ? [] : [count(cone.eqns.size, names.unit)];
  if (cone.outputs.length === 0) return [...eqns, ", and no result of the program"];
  return [...eqns, eqns.length > 0 ? " and " : "", ...results(names, cone)];
}

function results(names: Names, cone: Cone): Piece[] {
  const found = names.results(cone.outputs);
  if (found.length === 0) return ["no result"];
  return [found.length === 1 ? "result " : "results ", ...listed([...new Set(found)])];
}

function inputNames(names: Names, cone: Cone): string[] {
  const own = cone.following.from;
  return cone.inputs.filter((key) => key !== own).map((key) => names.end(key));
}

function orNone(found: readonly string[], none: string): Piece[] {
  return found.length === 0 ? [none] : listed(found);
}

function count(size: number, unit: string): string {
  return size === 1 ? `one ${unit}` : `${size.toLocaleString("en")} ${unit}s`;
}

/** `mul k` for an equation, the name of a value. */
export function endName(program: Program, key: string): string {
  if (key.includes("|")) {
    const { path, id } = splitKey(key);
    return nameOf(bodyOf(program, path)?.jaxpr.vars[id]);
  }
  const place = placeOf(program, key);
  if (place === null) return "?";
  const [first, second] = place.eqn.results;
  const title = titleOf(place.eqn);
  return first === undefined || second !== undefined ? title : `${title} ${nameOf(place.jaxpr.vars[first.var])}`;
}
