// What stands side by side: the paste and the levels of the program, each as text or as graph. Pure.
import type { Program } from "../../model/types.ts";
import { LEVEL_NAMES, moduleLevels } from "./current.ts";
import type { Level } from "./types.ts";

/** A text is called by its level alone. */
export type ColumnId = "source" | Level | `${Level}-graph`;

export const DEFAULT_COLUMNS: readonly ColumnId[] = ["source", "jaxpr", "stablehlo"];
/** The paste and its three levels; more are too narrow to read. */
export const MOST_COLUMNS = 4;
export const FEWEST_COLUMNS = 2;

const LEVELS: readonly Level[] = ["jaxpr", "stablehlo", "hlo"];
export const ALL_COLUMNS: readonly ColumnId[] = ["source", ...LEVELS, ...LEVELS.map((level): ColumnId => `${level}-graph`)];

export function columnLevel(id: ColumnId): Level | null {
  return id === "source" ? null : (id.replace("-graph", "") as Level);
}

export function isGraph(id: ColumnId): boolean {
  return id.endsWith("-graph");
}

export function columnTitle(id: ColumnId): string {
  const level = columnLevel(id);
  if (level === null) return "Source";
  const name = LEVEL_NAMES[level];
  return `${name[0]?.toUpperCase()}${name.slice(1)}${isGraph(id) ? " graph" : ""}`;
}

/** Another thing in a column; where it stands in another one already, the two change places. */
export function withColumn(columns: readonly ColumnId[], at: number, id: ColumnId): readonly ColumnId[] {
  const before = columns[at];
  return before === undefined ? columns : columns.map((other, i) => (i === at ? id : other === id ? before : other));
}

export function withoutColumn(columns: readonly ColumnId[], at: number): readonly ColumnId[] {
  return columns.length <= FEWEST_COLUMNS ? columns : columns.filter((_, i) => i !== at);
}

/** One more: the next level that is not there, as text. */
export function oneMore(columns: readonly ColumnId[]): readonly ColumnId[] {
  const next = ALL_COLUMNS.find((id) => !columns.includes(id));
  return next === undefined || columns.length >= MOST_COLUMNS ? columns : [...columns, next];
}

/** Of a program that is a module: its own levels stand where the others would be empty. */
export function columnsOf(program: Program | null, columns: readonly ColumnId[]): readonly ColumnId[] {
  if (program === null || program.entry !== null) return columns;
  const levels = moduleLevels(program);
  const kept = columns.filter((id) => id === "source" || levels.includes(columnLevel(id) as (typeof levels)[number]));
  const more = levels.flatMap((level): ColumnId[] => [level, `${level}-graph`]).filter((id) => !kept.includes(id));
  return [...kept, ...more].slice(0, Math.max(FEWEST_COLUMNS, kept.length));
}
