// What a program was before it was unpacked. Sent to a worker it is a few long strings, which cost nothing; the program itself would hold the
// page up for a second.

import type { Module, Part, Program } from "./types.ts";

/** A program as it came, and the parts that came after it. */
export interface PackedProgram {
  readonly outline: Program;
  readonly parts: readonly Part[];
}

const programs = new WeakMap<object, PackedProgram>();
const modules = new WeakMap<Module, Module>();

/** Remembers what the jaxprs of a program were. */
export function rememberProgram(jaxprs: Program["jaxprs"], packed: PackedProgram): void {
  programs.set(jaxprs, packed);
}

export function rememberModule(whole: Module, packed: Module): void {
  modules.set(whole, packed);
}

export function isPacked(program: Program): boolean {
  return (program.templates ?? []).length > 0;
}

export function packedProgram({ jaxprs }: Program): PackedProgram | null {
  return programs.get(jaxprs) ?? null;
}

export function packedModule(module: Module): Module | null {
  return modules.get(module) ?? null;
}
