// The lines of source, printed jaxpr and printed module that belong together: a group is a line of the paste with all that was traced on it. Pure.
import type { Program } from "../../model/types.ts";
import type { Level } from "../state/types.ts";
import { eqnIndex } from "./instances.ts";
import { eqnsOf } from "./links.ts";
import { type Printed, printedOf } from "./printed.ts";

/** The group of each line of a text, by line number from 1; -1 where it has none. */
export type Bands = Int32Array;

export interface Groups {
  /** Lines of the paste, in order: group 0 is the first that something was traced on. */
  readonly lines: readonly number[];
  readonly eqns: readonly (readonly string[])[];
  readonly of: ReadonlyMap<string, number>;
}

const known = new WeakMap<object, Groups>();

export function groupsOf(program: Program): Groups {
  let groups = known.get(program.jaxprs);
  if (groups === undefined) {
    const byLine = new Map<number, string[]>();
    for (const { eqn } of eqnIndex(program).values()) {
      if (eqn.span === null) continue;
      const list = byLine.get(eqn.span.line);
      if (list === undefined) byLine.set(eqn.span.line, [eqn.id]);
      else list.push(eqn.id);
    }
    const ordered = [...byLine].sort(([a], [b]) => a - b);
    groups = {
      lines: ordered.map(([line]) => line),
      eqns: ordered.map(([, eqns]) => eqns),
      of: new Map(ordered.flatMap(([, eqns], group) => eqns.map((eqn) => [eqn, group] as const))),
    };
    known.set(program.jaxprs, groups);
  }
  return groups;
}

export function sourceBands(program: Program, source: string): Bands {
  const bands = new Int32Array(source.split("\n").length + 1).fill(-1);
  const groups = groupsOf(program);
  const index = eqnIndex(program);
  for (const [group, line] of groups.lines.entries()) {
    const ends = (groups.eqns[group] ?? []).map((id) => index.get(id)?.eqn.span?.end_line ?? line);
    // An expression over several lines has those that nothing else was written on.
    for (let at = line; at <= Math.max(...ends) && at < bands.length; at++)
      if (at === line || (bands[at] === -1 && !groups.lines.includes(at))) bands[at] = group;
  }
  return bands;
}

/** Inner equations and ops have their own lines; what encloses them has the rest. */
export function printedBands(program: Program, level: Level): Bands {
  const printed = printedOf(program, level);
  const starts = lineStarts(printed.text);
  const bands = new Int32Array(starts.length + 1).fill(-1);
  const groups = groupsOf(program);
  for (const [id, [from, to]] of outerFirst(printed)) {
    const eqn = level === "jaxpr" ? id : eqnsOf(program, id)[0];
    const group = eqn === undefined ? -1 : (groups.of.get(eqn) ?? -1);
    for (let line = lineAt(starts, from); line <= lineAt(starts, Math.max(from, to - 1)); line++) bands[line] = group;
  }
  return bands;
}

function outerFirst(printed: Printed): [string, readonly [number, number]][] {
  return [...printed.ranges].sort(([, a], [, b]) => b[1] - b[0] - (a[1] - a[0]));
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** The number, from 1, of the line that holds an offset. */
function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}

/** The next group in a direction, around the end; the first or last where none was chosen. */
export function stepped(groups: Groups, from: number | null, by: 1 | -1): number | null {
  const count = groups.lines.length;
  if (count === 0) return null;
  if (from === null) return by === 1 ? 0 : count - 1;
  return (from + by + count) % count;
}
