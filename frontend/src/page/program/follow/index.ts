// What an equation or a value depends on, what it feeds, and the ways between two: over all instances, in slices. Pure.
import type { Program } from "../../../model/types.ts";
import type { Parts } from "../../../viewer/index.ts";
import type { Following } from "../../state/finding.ts";
import { holders, isLiteral, placeOf } from "../instances.ts";
import { bodyOf, splitKey, valueAt } from "./places.ts";
import { downstream, type Step, upstream } from "./wiring.ts";

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
  if (way === "path" && to !== null) return yield* pathOf(program, following, from, to);
  const ends = [from];
  if (way === "path") return finish(program, following, [], ends, true);
  const parts: Reached[] = [];
  if (way !== "down") parts.push(yield* reach(program, from, "up"));
  if (way !== "up") parts.push(yield* reach(program, from, "down"));
  return finish(program, following, parts, ends, true);
}

function* pathOf(program: Program, following: Following, from: string, to: string): Generator<void, Cone> {
  for (const [first, last, forward] of [[from, to, true] as const, [to, from, false] as const]) {
    const down = yield* reach(program, first, "down");
    const up = yield* reach(program, last, "up");
    const both = meet(down, up);
    // An end that is an equation is reached where a value of it is.
    if (both.values.size > 0) return finish(program, following, [both], [from, to], forward);
  }
  return finish(program, following, [], [from, to], true);
}

/** What lies on a way from the one to the other. A body is on it where something in it is: its equation alone may be passed on other ways. */
function meet(down: Reached, up: Reached): Reached {
  const values = new Set([...down.values].filter((value) => up.values.has(value)));
  const outlets = new Set([...down.outlets].filter((outlet) => up.outlets.has(outlet)));
  const holding = new Set([...values, ...outlets].flatMap(holders));
  const deep = (eqn: string): boolean => [...down.eqns].some((other) => other.startsWith(`${eqn}/`) || other.startsWith(`${eqn}:`));
  const eqns = new Set([...down.eqns].filter((eqn) => up.eqns.has(eqn) && (holding.has(eqn) || !deep(eqn))));
  return { values, eqns, outlets };
}

function finish(program: Program, following: Following, reached: readonly Reached[], ends: readonly string[], forward: boolean): Cone {
  const eqns = new Set(reached.flatMap((part) => [...part.eqns]));
  const values = new Set(reached.flatMap((part) => [...part.values]));
  const whole = new Set(ends.filter((end) => !end.includes("|")));
  const outlets = new Set(reached.flatMap((part) => [...part.outlets]));
  // What holds an end is not among what it depends on, though its values pass through it.
  for (const end of ends) for (const path of [end, ...holders(end)]) eqns.delete(path);
  const paths = new Set([...eqns].filter((path) => (placeOf(program, path)?.eqn.nested.length ?? 0) === 0));
  const within = new Set([...eqns, ...values].flatMap(holders));
  for (const eqn of eqns) if (!paths.has(eqn)) within.add(eqn);
  for (const end of ends) {
    if (end.includes("|")) values.add(end);
    else paths.add(end);
    for (const path of holders(end)) within.add(path);
  }
  const body = bodyOf(program, "");
  const inputs = [...(body?.jaxpr.constvars ?? []), ...(body?.jaxpr.invars ?? [])].map((id) => `|${id}`).filter((key) => values.has(key));
  const outputs = [...outlets].flatMap((outlet) => (splitKey(outlet).path === "" ? [Number(outlet.slice(4))] : [])).sort((a, b) => a - b);
  return {
    of: program.jaxprs,
    following,
    parts: { paths, values, outlets, within, whole },
    eqns,
    inputs,
    outputs,
    forward,
    joined: reached.length > 0,
  };
}
