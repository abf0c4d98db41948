// What a screen reader says of a stop of the graph: one short sentence, the same words in the outline. Pure.
import type { Program } from "../../model/types.ts";
import type { Stop } from "../../viewer/index.ts";
import { placeOf } from "./instances.ts";

const PILLS: Readonly<Partial<Record<Stop["kind"], string>>> = { input: "input", output: "output", binder: "input", result: "result" };

/** `scan ×8, 3 inputs, 2 results`; `tanh f32[3], called h`; `input w f32[3]`. Whether it is open is said by the role of the element. */
export function spokenStop(program: Program | null, stop: Stop): string {
  // Pills belong to the equation whose body they stand in, and are something else.
  const pill = PILLS[stop.kind];
  const place = program === null || stop.eqn === null || pill !== undefined ? null : placeOf(program, stop.eqn);
  if (place === null) return firstOf([pill ?? "", stop.title, lineOf(stop.hint)]);
  const { eqn } = place;
  const inputs = eqn.operands.length;
  const results = eqn.results.map((result) => result.aval);
  const parts = [stop.title === "" ? eqn.primitive : stop.title];
  if (eqn.nested.length > 0) parts.push(count(inputs, "input"), count(results.length, "result"));
  else if (results.length === 1) parts[0] += ` ${results[0]}`;
  else parts.push(count(results.length, "result"));
  const names = [...new Set(eqn.results.flatMap((result) => place.jaxpr.vars[result.var]?.label ?? []))];
  if (names.length > 0) parts.push(`makes ${names.slice(0, 3).join(", ")}`);
  if (stop.twin !== null) parts.push("has a twin");
  return parts.join(", ");
}

/** `Opened scan ×8`; of a group its title. */
export function spokenToggle(title: string, opened: boolean): string {
  return `${opened ? "Opened" : "Closed"} ${title === "" ? "the body" : title}`;
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

function firstOf(words: readonly string[]): string {
  return words.filter((word) => word !== "").join(" ");
}

/** The first line of a hint, where the title is not all of it. */
function lineOf(hint: string): string {
  const [first = ""] = hint.split("\n");
  const space = first.indexOf(" ");
  return space < 0 ? "" : first.slice(space + 1);
}
