// What an equation or a value depends on, what it feeds, and the ways between two: over all instances, in slices. Pure.
import type { Program } from "../../../model/types.ts";
import type { Parts } from "../../../viewer/index.ts";
import type { Following } from "../../state/finding.ts";
import { holders, isLiteral, placeOf } from "../instances.ts";
import { bodyOf, prepare, splitKey, valueAt } from "./places.ts";
import { downstream, isAway, type Step, upstream } from "./wiring.ts";

export interface Cone {
  /** The jaxprs of the program. */
  readonly of: object;
  readonly following: Following;
  readonly parts: Parts;
  /** Equations in it, by instance; its ends, and what these stand in, apart. */
  readonly eqns: ReadonlySet<string>;
  /** Keys of the program's inputs and consts that it comes to. */
  readonly inputs: readonly string[];
  /** Results of the program that it comes to, by position. */
  readonly outputs: readonly number[];
  /** Of a path: false where it leads from the second to the first. */
  readonly forward: boolean;
  /** Of a path: whether there is one. */
  readonly joined: boolean;
  /** Whether bodies that have not come yet stand in it as a whole. */
  readonly away: boolean;
}

interface Reached {
  readonly values: Set<string>;
  readonly eqns: Set<string>;
  readonly outlets: Set<string>;
}

/** What can be reached from a value or an equation, itself apart. Yields after each value. */
export function* reach(program: Program, from: string, way: "up" | "down"): Generator<void, Reached> {
  const step = way === "up" ? upstream : downstream;
  const reached: Reached = { values: new Set(), eqns: new Set(), outlets: new Set() };
  const queue: string[] = [];
  const add = (found: Step): void => {
    for (const eqn of found.eqns) reached.eqns.add(eqn);
    for (const outlet of found.outlets) reached.outlets.add(outlet);
    for (const value of found.values) {
      if (reached.values.has(value)) continue;
      reached.values.add(value);
      queue.push(value);
    }
  };
  for (const value of startsOf(program, from, way)) {
    reached.values.add(value);
    queue.push(value);
  }
  for (const value of queue) {
    // The array grows as it goes.
    add(step(program, value));
    yield;
  }
  return reached;
}

/** The values that a walk begins with: the operands of an equation against the flow, its results with it. */
function startsOf(program: Program, from: string, way: "up" | "down"): string[] {
  if (from.includes("|")) return [from];
  const place = placeOf(program, from);
  if (place === null) return [];
  const slash = from.lastIndexOf("/");
  const inside = slash < 0 ? "" : from.slice(0, slash);
  if (way === "down") return place.eqn.results.map((result) => valueAt(inside, result.var));
  return place.eqn.operands.flatMap(({ atom }) => (isLiteral(atom) ? [] : [valueAt(inside, atom.var)]));
}

export function* coneOf(program: Program, following: Following): Generator<void, Cone> {
  const { way, from, to } = following;
  yield* prepare(program);
  if (way === "path" && to !== null) return yield* pathOf(program, following, from, to);
  const parts: Reached[] = [];
  if (way === "up" || way === "both") parts.push(yield* reach(program, from, "up"));
  if (way === "down" || way === "both") parts.push(yield* reach(program, from, "down"));
  return yield* finish(program, following, parts, [from], true);
}

function* pathOf(program: Program, following: Following, from: string, to: string): Generator<void, Cone> {
  for (const [first, last, forward] of [
    [from, to, true],
    [to, from, false],
  ] as const) {
    const down = yield* reach(program, first, "down");
    const up = yield* reach(program, last, "up");
    const both = yield* meet(down, up);
    // An end that is an equation is reached where a value of it is.
    if (both.values.size > 0) return yield* finish(program, following, [both], [from, to], forward);
  }
  return yield* finish(program, following, [], [from, to], true);
}

/** What lies on a way from the one to the other. A body is on it where something in it is: its equation alone may be passed on other ways. */
function* meet(down: Reached, up: Reached): Generator<void, Reached> {
  const met: Reached = { values: new Set(), eqns: new Set(), outlets: new Set() };
  /** Equations of which the one has passed something inside, and those in which both have met. */
  const entered = new Set<string>();
  const holding = new Set<string>();
  for (const kind of ["values", "outlets"] as const) {
    for (const key of down[kind]) {
      yield;
      if (!up[kind].has(key)) continue;
      met[kind].add(key);
      for (const path of holders(key)) holding.add(path);
    }
  }
  for (const eqn of down.eqns) {
    yield;
    for (const path of holders(eqn)) entered.add(path);
  }
  for (const eqn of down.eqns) {
    yield;
    if (up.eqns.has(eqn) && (holding.has(eqn) || !entered.has(eqn))) met.eqns.add(eqn);
  }
  return met;
}

function* finish(
  program: Program,
  following: Following,
  reached: readonly Reached[],
  ends: readonly string[],
  forward: boolean,
): Generator<void, Cone> {
  const [eqns, values, outlets] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const [paths, within] = [new Set<string>(), new Set<string>()];
  const whole = new Set(ends.filter((end) => !end.includes("|")));
  // What holds an end is not among what it depends on, though its values pass through it.
  const apart = new Set(ends.flatMap((end) => [end, ...holders(end)]));
  let away = false;
  for (const part of reached) {
    for (const outlet of part.outlets) outlets.add(outlet);
    for (const value of part.values) {
      yield;
      values.add(value);
      for (const path of holders(value)) within.add(path);
    }
    for (const eqn of part.eqns) {
      yield;
      for (const path of holders(eqn)) within.add(path);
      if (apart.has(eqn)) continue;
      eqns.add(eqn);
      const nested = placeOf(program, eqn)?.eqn.nested ?? [];
      (nested.length === 0 ? paths : within).add(eqn);
      away ||= nested.some((call) => isAway(program, call.jaxpr));
    }
  }
  for (const end of ends) {
    if (end.includes("|")) values.add(end);
    else paths.add(end);
    for (const path of holders(end)) within.add(path);
  }
  const body = bodyOf(program, "");
  const inputs = [...(body?.jaxpr.constvars ?? []), ...(body?.jaxpr.invars ?? [])].map((id) => `|${id}`).filter((key) => values.has(key));
  const outputs = [...outlets].flatMap((outlet) => (splitKey(outlet).path === "" ? [Number(outlet.slice(4))] : [])).sort((a, b) => a - b);
  const parts = { paths, values, outlets, within, whole };
  return { of: program.jaxprs, following, parts, eqns, inputs, outputs, forward, joined: reached.length > 0, away };
}
