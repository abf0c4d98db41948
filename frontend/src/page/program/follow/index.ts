// What an equation or a value depends on, what it feeds, and the ways between two: over all instances, in slices. Pure.
import type { Program } from "../../../model/types.ts";
import type { Parts } from "../../../viewer/index.ts";
import type { Following } from "../../state/finding.ts";
import { holders } from "../instances.ts";
import { shown, splitKey } from "./places.ts";
import type { Refs, Span } from "./refs.ts";
import { programWires, type Wires } from "./wires.ts";
import type { Step } from "./wiring.ts";

export interface Cone {
  /** The jaxprs of the program, or the module. */
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
  /** How far it is known what goes through refs; null where nothing does. */
  readonly refs: Refs | null;
}

interface Reached {
  readonly values: Set<string>;
  readonly eqns: Set<string>;
  readonly outlets: Set<string>;
  refs: Refs | null;
  /** Of refs: when what is followed is in them. */
  readonly spans: Map<string, Span[]>;
}

/** What can be reached from a value or an equation, itself apart. Yields after each value. */
export function* reach(subject: Program | Wires, from: string, way: "up" | "down"): Generator<void, Reached> {
  const wires = wiresOf(subject);
  const reached: Reached = { values: new Set(), eqns: new Set(), outlets: new Set(), refs: null, spans: new Map() };
  /** With the moments of refs that the walk has come to. */
  const met = new Set<string>();
  const queue: string[] = [];
  const come = (value: string): void => {
    if (met.has(value)) return;
    met.add(value);
    reached.values.add(shown(value));
    queue.push(value);
  };
  const add = (found: Step): void => {
    if (found.refs === "again") reached.refs = "again";
    else reached.refs ??= found.refs ?? null;
    for (const eqn of found.eqns) reached.eqns.add(eqn);
    for (const outlet of found.outlets) reached.outlets.add(outlet);
    for (const value of found.values) come(value);
  };
  for (const value of from.includes("|") ? [from] : wires.starts(from, way)) come(value);
  for (const value of queue) {
    // The array grows as it goes.
    const found = way === "up" ? wires.upstream(value) : wires.downstream(value);
    add(found);
    if (found.span !== undefined) reached.spans.set(shown(value), [...(reached.spans.get(shown(value)) ?? []), found.span]);
    yield;
  }
  return reached;
}

function wiresOf(subject: Program | Wires): Wires {
  return "upstream" in subject ? subject : programWires(subject);
}

export function* coneOf(subject: Program | Wires, following: Following): Generator<void, Cone> {
  const wires = wiresOf(subject);
  const { way, from, to } = following;
  yield* wires.prepare();
  if (way === "path" && to !== null) return yield* pathOf(wires, following, from, to);
  const parts: Reached[] = [];
  if (way === "up" || way === "both") parts.push(yield* reach(wires, from, "up"));
  if (way === "down" || way === "both") parts.push(yield* reach(wires, from, "down"));
  return yield* finish(wires, following, parts, [from], true);
}

function* pathOf(wires: Wires, following: Following, from: string, to: string): Generator<void, Cone> {
  for (const [first, last, forward] of [
    [from, to, true],
    [to, from, false],
  ] as const) {
    const down = yield* reach(wires, first, "down");
    const up = yield* reach(wires, last, "up");
    const both = yield* meet(down, up);
    // An end that is an equation is reached where a value of it is.
    if (both.values.size > 0) return yield* finish(wires, following, [both], [from, to], forward);
  }
  return yield* finish(wires, following, [], [from, to], true);
}

/** What lies on a way from the one to the other. A body is on it where something in it is: its equation alone may be passed on other ways. */
function* meet(down: Reached, up: Reached): Generator<void, Reached> {
  const refs = down.refs === "again" || up.refs === "again" ? "again" : (down.refs ?? up.refs);
  const met: Reached = { values: new Set(), eqns: new Set(), outlets: new Set(), refs, spans: new Map() };
  /** Equations of which the one has passed something inside, and those in which both have met. */
  const entered = new Set<string>();
  const holding = new Set<string>();
  for (const kind of ["values", "outlets"] as const) {
    for (const key of down[kind]) {
      yield;
      if (!up[kind].has(key) || !meetIn(down.spans.get(key), up.spans.get(key))) continue;
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

/** A ref is on a way where it held the one thing when the other was read out of it. */
function meetIn(down: readonly Span[] | undefined, up: readonly Span[] | undefined): boolean {
  if (down === undefined || up === undefined) return true;
  return down.some(([from, until]) => up.some(([first, last]) => from <= last && first <= until));
}

function* finish(
  wires: Wires,
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
      const held = wires.holds(eqn);
      (held.others ? within : paths).add(eqn);
      away ||= held.away;
    }
  }
  for (const end of ends) {
    if (end.includes("|")) values.add(end);
    else paths.add(end);
    for (const path of holders(end)) within.add(path);
  }
  const inputs = wires.inputs().filter((key) => values.has(key));
  const outputs = [...outlets].flatMap((outlet) => (splitKey(outlet).path === "" ? [Number(outlet.slice(4))] : [])).sort((a, b) => a - b);
  const parts = { paths, values, outlets, within, whole };
  const refs = reached.some((part) => part.refs === "again") ? "again" : reached.some((part) => part.refs !== null) ? "order" : null;
  return { of: wires.of, following, parts, eqns, inputs, outputs, forward, joined: reached.length > 0, away, refs };
}
