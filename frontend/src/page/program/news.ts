// What is said to screen readers of a change that is seen at once by those who look: another program, level or grouping. Pure.
import type { Grouping } from "../../drawing/scene.ts";
import { spokenDepth } from "../state/levels.ts";
import type { State, View } from "../state/types.ts";
import { type Action, currentProgram } from "../state/update.ts";

const VIEWS: Readonly<Record<View, string>> = {
  jaxpr: "Graph of the jaxpr",
  "jaxpr-text": "Text of the jaxpr",
  stablehlo: "Graph of the StableHLO module",
  "stablehlo-text": "Text of the StableHLO module",
  hlo: "Graph of the optimised HLO module",
  "hlo-text": "Text of the optimised HLO module",
  "beside-text": "Levels side by side",
};
const GROUPINGS: Readonly<Record<Grouping, string>> = {
  auto: "grouped as fits",
  scopes: "grouped by name scopes",
  calls: "grouped by functions",
  modules: "grouped by modules",
  repeats: "only repetitions grouped",
  none: "nothing grouped",
};

/** Null where there is nothing to say. */
export function newsOf(action: Action, before: State, now: State): string | null {
  const program = currentProgram(now);
  // Back and forward say where they led.
  const other = now.program !== before.program && action.type !== "answer" ? program : null;
  const words = [
    ...(other === null ? [] : [`Program ${other.name}`]),
    ...(now.view === before.view ? [] : [VIEWS[now.view]]),
    ...(now.levels === before.levels ? [] : [`Open down to: ${spokenDepth(now.levels.depth).toLowerCase()}; ${GROUPINGS[now.levels.by]}`]),
  ];
  return program === null || words.length === 0 ? null : words.join(". ");
}
