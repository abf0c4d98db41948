// What is followed from an equation or a value. (The walk is in walk.ts.)
import type { Parts } from "../../../viewer/index.ts";

export interface Cone {
  readonly parts: Parts;
}
