// Forward and backward halves of one differentiation, by instance. Pure.
import type { Program, Twin } from "../../model/types.ts";

/** The twins that an instance takes part in. */
export function twinsOf(program: Program, path: string): Twin[] {
  return program.twins.filter((twin) => twin.forward === path || twin.backward === path || twin.recomputed === path);
}
