// The programs of a trace as the rows of a list: what is said of each, which of them fit what is looked for, and in which order. Pure.
import type { Program } from "../../model/types.ts";
import type { Listing } from "../state/types.ts";

export interface ProgramRow {
  readonly id: string;
  readonly name: string;
  readonly types: string;
  /** Of a run: how often it was called, traced and compiled, and for how long JAX worked for it. */
  readonly calls: number | null;
  readonly traces: number;
  readonly compiles: number;
  readonly milliseconds: number;
  /** Where its function is defined, or what kind of program it is. */
  readonly place: string;
  /** Why it was traced again. */
  readonly why: string;
  /** Only its numbers are there. */
  readonly empty: boolean;
}

export function rowOf(program: Program): ProgramRow {
  const { ran } = program;
  const again = ran !== null && ran.anew > 0 ? [`made anew ${ran.anew + 1} times with the same types`] : [];
  return {
    id: program.id,
    name: program.name,
    types: ran?.types ?? typesOf(program),
    calls: ran?.calls ?? null,
    traces: ran?.traces ?? 0,
    compiles: ran?.compiles ?? 0,
    milliseconds: ran === null ? 0 : ran.trace_ms + ran.lower_ms + ran.compile_ms,
    place: ran === null ? levelsOf(program) : ran.file === null ? "" : `${ran.file}:${ran.line}`,
    why: [...(ran !== null && ran.why !== "" ? [ran.why] : []), ...again].join("; "),
    empty: program.entry === null && Object.keys(program.modules).length === 0 && (program.left_out ?? []).length === 0,
  };
}

/** Every word must be somewhere in the row. */
export function rowsOf(programs: readonly Program[], { query, by }: Listing): ProgramRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = programs.map(rowOf).filter((row) => {
    const text = `${row.name} ${row.types} ${row.place} ${row.why}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (by === "time") return rows.sort((a, b) => b.milliseconds - a.milliseconds);
  if (by === "calls") return rows.sort((a, b) => (b.calls ?? 0) - (a.calls ?? 0));
  return by === "name" ? rows.sort((a, b) => a.name.localeCompare(b.name)) : rows;
}

function typesOf(program: Program): string {
  const jaxpr = program.entry === null ? undefined : program.jaxprs[program.entry];
  if (jaxpr !== undefined) {
    const shown = jaxpr.invars.slice(0, 6).map((id) => {
      const made = jaxpr.vars[id];
      return made === undefined ? "" : made.label === null ? made.aval : `${made.label}: ${made.aval}`;
    });
    return [...shown, ...(jaxpr.invars.length > 6 ? ["…"] : [])].join(", ");
  }
  const module = program.modules.stablehlo ?? program.modules.hlo;
  const main = module?.functions.find(({ name }) => name === "main") ?? module?.functions[0];
  const types = (main?.args ?? []).slice(0, 6).map((id) => module?.values[id]?.type ?? "");
  return [...types, ...((main?.args.length ?? 0) > 6 ? ["…"] : [])].join(", ");
}

function levelsOf(program: Program): string {
  const levels = [
    ...(program.entry === null ? [] : ["jaxpr"]),
    ...(program.modules.stablehlo === undefined ? [] : ["StableHLO"]),
    ...(program.modules.hlo === undefined && program.texts.hlo === undefined ? [] : ["HLO"]),
  ];
  return levels.join(", ");
}

/** `0.3 ms`, `12 ms`, `1.2 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
}
