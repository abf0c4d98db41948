/**
 * Modules that equations call as they are (`call_exported`): a module stands where another call has a jaxpr. What draws modules is much, and
 * few programs hold one: whoever draws a program that does gives it, and the others need not load it.
 *
 * Must never: draw such an equation as one that holds nothing, because nobody gave what draws it.
 */
import type { Module, Program } from "../../model/types.ts";
import type { Level, PortInfo } from "./level.ts";

/** What draws modules (`module.ts`). */
export interface Modules {
  /** The inside of the equation at `at`, whose ports are `ins` and `outs`. */
  readonly level: (
    module: Module,
    open: ReadonlySet<string>,
    at: string,
    ins: readonly PortInfo[],
    outs: readonly PortInfo[],
  ) => Level | null;
  /** Paths of all that can be opened in a module. */
  readonly foldable: (module: Module) => readonly string[];
  /** How many ops stand in its main function. */
  readonly ops: (module: Module) => number;
}

/** Whether a program can only be drawn with what draws modules. */
export function embeds(program: Program): boolean {
  // A file saved before these were on the wire has none.
  return ((program.embedded as Program["embedded"] | undefined) ?? []).length > 0;
}

/** The module that an equation calls as it is. */
export function embeddedModule(program: Program, eqn: string): Module | undefined {
  return embeds(program) ? program.embedded.find((each) => each.eqns.includes(eqn))?.module : undefined;
}

export function given(modules: Modules | undefined): Modules {
  if (modules === undefined) throw new Error("The program calls a module, and what draws modules was not given.");
  return modules;
}
