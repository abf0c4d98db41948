// What is said to screen readers of a change that is seen at once by those who look: another program, level or grouping. Pure.
import type { Grouping } from "../../drawing/scene.ts";
import type { Depth } from "../state/levels.ts";
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
  auto: "Grouped as fits",
  scopes: "Grouped by name scopes",
  calls: "Grouped by functions",
  modules: "Grouped by modules",
  repeats: "Only repetitions grouped",
  none: "Nothing grouped",
};

function depthWords(depth: Depth): string {
  if (depth === null) return "Open as far as fits";
  if (depth === "all") return "Everything is open";
  return depth === 0 ? "Everything is closed" : `Open ${depth} ${depth === 1 ? "level" : "levels"} deep`;
}

/** Null where there is nothing to say. */
export function newsOf(action: Action, before: State, now: State): string | null {
  const program = currentProgram(now);
  // Back and forward say where they led.
  const other = now.program !== before.program && action.type !== "answer" ? program : null;
  const words = [
    ...(other === null ? [] : [`Program ${other.name}`]),
    ...(now.view === before.view ? [] : [VIEWS[now.view]]),
    // Asked for once more, what was opened or closed by hand goes back to it.
    ...(now.levels === before.levels || (now.levels.depth === before.levels.depth && now.levels.by !== before.levels.by)
      ? []
      : [depthWords(now.levels.depth)]),
    ...(now.levels.by === before.levels.by ? [] : [GROUPINGS[now.levels.by]]),
  ];
  return program === null || words.length === 0 ? null : words.join(". ");
}
