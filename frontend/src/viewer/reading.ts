// A file that is read in the worker, and given to the page level by level as an answer of the server would be, a few things at a time.
// Loaded there when one is opened.
import { begin, type Reading } from "../model/check/index.ts";
import { type Piece, piecesOf } from "../model/pieces.ts";
import type { LevelMessage, Program, Trace } from "../model/types.ts";
import type { Level } from "./protocol.ts";

const LATER = ["stablehlo", "hlo"] as const;

/** The trace of a file, or null. */
export function readingOf(file: string | Uint8Array): Reading | null {
  try {
    return begin(typeof file === "string" ? file : new TextDecoder("utf-8", { fatal: true }).decode(file));
  } catch {
    // No text.
    return null;
  }
}

/** What there is of it: the jaxprs, then the levels after them. */
export function levelsOf({ has }: Reading): Level[] {
  return ["jaxpr", ...LATER.filter(has)];
}

/** One level, as the message of a run that would have it, in pieces. */
export function given(trace: Trace, level: Level): Generator<Piece> {
  return piecesOf(messageOf(trace, level));
}

function messageOf(trace: Trace, level: Level): LevelMessage {
  if (level === "jaxpr") {
    const programs = trace.programs.map((program) => ({ ...program, texts: only(program.texts, level), modules: {}, links: {} }));
    return { level, trace: { ...trace, programs }, patch: null, part: null };
  }
  const patches = trace.programs.map(({ id, ...program }) => [id, patchOf(program, level)] as const);
  return { level, trace: null, patch: { programs: Object.fromEntries(patches), diagnostics: [], notes: [], timings: {} }, part: null };
}

function patchOf({ texts, modules, links }: Pick<Program, "texts" | "modules" | "links">, level: Level) {
  return { texts: only(texts, level), modules: only(modules, level), links: only(links, level), left_out: [] };
}

function only<T extends object>(levels: T, level: Level): T {
  return Object.fromEntries(Object.entries(levels).filter(([name]) => name === level)) as T;
}
