// Puts the lines of a streamed answer together. Pure: every call returns a new trace and leaves the old one alone.
import { packedProgram, rememberProgram } from "../../model/packed.ts";
import type { LevelMessage, Part, Program, ProgramPatch, Trace } from "../../model/types.ts";

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

/** The program with a part that was left out of it; `packed` is the same part as it came. */
export function putIn(program: Program, whole: Part, packed: Part): Program {
  const left_out = (program.left_out ?? []).filter((left) => left.part !== whole.name);
  const texts = { ...program.texts, ...whole.texts };
  const modules = { ...program.modules, ...whole.modules };
  const links = { ...program.links, ...whole.links };
  if (Object.keys(whole.jaxprs).length === 0) return { ...program, texts, modules, links, left_out };
  const jaxprs = { ...program.jaxprs, ...whole.jaxprs };
  const before = packedProgram(program);
  if (before !== null) rememberProgram(jaxprs, { outline: before.outline, parts: [...before.parts, packed] });
  return { ...program, jaxprs, texts, modules, links, left_out };
}

function patched(program: Program, patch: ProgramPatch | undefined): Program {
  if (patch === undefined) return program;
  return {
    ...program,
    texts: { ...program.texts, ...patch.texts },
    modules: { ...program.modules, ...patch.modules },
    links: { ...program.links, ...patch.links },
    left_out: [...(program.left_out ?? []), ...(patch.left_out ?? [])],
  };
}
