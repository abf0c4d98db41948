// What is said of what something depends on or feeds. Pure.
import type { Program } from "../../../model/types.ts";
import { listed, type Piece, type Sentence } from "../../explain/words.ts";
import { holders, nameOf, nameOfAtom, placeOf } from "../instances.ts";
import { titleOf } from "../titles.ts";
import type { Cone } from "./index.ts";
import { bodyOf, splitKey } from "./places.ts";

export function coneWords(program: Program, cone: Cone): Sentence {
  return cone.away ? [...wordsOf(program, cone), " Bodies that were not sent yet count as a whole."] : wordsOf(program, cone);
}

function wordsOf(program: Program, cone: Cone): Sentence {
  const { way, from, to } = cone.following;
  const start: Piece = { code: endName(program, from) };
  if (way === "path") {
    if (to === null) return ["From ", start, ": choose where the path ends and press p, or click it with Shift."];
    return pathWords(cone, start, { code: endName(program, to) });
  }
  const up = ["depends on ", ...upWords(program, cone)];
  const down = ["feeds ", ...downWords(program, cone)];
  if (way === "up") return [start, " ", ...up, "."];
  if (way === "down") return [start, " ", ...down, "."];
  return [
    start,
    " takes part in a chain of ",
    count(cone.eqns.size),
    ": from ",
    ...names(inputNames(program, cone), "no input"),
    " to ",
    ...results(program, cone),
    ".",
  ];
}

function pathWords(cone: Cone, start: Piece, end: Piece): Sentence {
  const { from, to } = cone.following;
  if (to !== null && holders(from).includes(to)) return [start, " stands inside of ", end, "."];
  if (to !== null && holders(to).includes(from)) return [end, " stands inside of ", start, "."];
  if (!cone.joined) return ["No path: neither of ", start, " and ", end, " feeds the other."];
  const [first, last] = cone.forward ? [start, end] : [end, start];
  if (cone.eqns.size === 0) return ["From ", first, " straight to ", last, "."];
  return ["From ", first, " to ", last, ": ", count(cone.eqns.size), " between."];
}

function upWords(program: Program, cone: Cone): Piece[] {
  const inputs = inputNames(program, cone);
  if (cone.eqns.size === 0 && inputs.length === 0) return ["nothing: it is made from literals alone"];
  const eqns = cone.eqns.size === 0 ? [] : [count(cone.eqns.size)];
  if (inputs.length === 0) return [...eqns, " and no input"];
  return [...eqns, eqns.length > 0 ? " and " : "", inputs.length === 1 ? "input " : "inputs ", ...listed(inputs)];
}

function downWords(program: Program, cone: Cone): Piece[] {
  if (cone.eqns.size === 0 && cone.outputs.length === 0) return ["nothing"];
  const eqns = cone.eqns.size === 0 ? [] : [count(cone.eqns.size)];
  if (cone.outputs.length === 0) return [...eqns, ", and no result of the program"];
  return [...eqns, eqns.length > 0 ? " and " : "", ...results(program, cone)];
}

function results(program: Program, cone: Cone): Piece[] {
  const entry = bodyOf(program, "")?.jaxpr;
  const found = cone.outputs.flatMap((at) => (entry?.outvars[at] === undefined ? [] : [nameOfAtom(entry, entry.outvars[at])]));
  if (found.length === 0) return ["no result"];
  return [found.length === 1 ? "result " : "results ", ...listed([...new Set(found)])];
}

function inputNames(program: Program, cone: Cone): string[] {
  const entry = bodyOf(program, "")?.jaxpr;
  const own = cone.following.from;
  return cone.inputs.filter((key) => key !== own).map((key) => nameOf(entry?.vars[splitKey(key).id]));
}

function names(found: readonly string[], none: string): Piece[] {
  return found.length === 0 ? [none] : listed(found);
}

function count(size: number): string {
  return size === 1 ? "one equation" : `${size.toLocaleString("en")} equations`;
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
