// Puts the lines of a streamed answer together. Pure: every call returns a new trace and leaves the old one alone.
import type { LevelMessage, Program, ProgramPatch, Trace } from "../../model/types.ts";

/** The trace after `message`. A patch without a trace before it is dropped, for there is nothing it could add to. */
export function applyMessage(trace: Trace | null, message: LevelMessage): Trace | null {
  const base = message.trace ?? trace;
  const patch = message.patch;
  if (base === null || patch === null) return base;
  return {
    ...base,
    programs: base.programs.map((program) => patched(program, patch.programs[program.id])),
    diagnostics: [...base.diagnostics, ...patch.diagnostics],
    notes: [...base.notes, ...patch.notes],
    timings: { ...base.timings, ...patch.timings },
  };
}

function patched(program: Program, patch: ProgramPatch | undefined): Program {
  if (patch === undefined) return program;
  return {
    ...program,
    texts: { ...program.texts, ...patch.texts },
    modules: { ...program.modules, ...patch.modules },
    links: { ...program.links, ...patch.links },
  };
}
