// The program that is shown as an outline: the same things as in the graph, one line each, for people who do not see or point.
import type { Program } from "../../../model/types.ts";
import type { Level } from "../../state/types.ts";
import type { Outline } from "./items.ts";
import { jaxprOutline } from "./jaxpr.ts";
import { moduleOutline } from "./module.ts";

export { type Item, type Outline, spokenLine } from "./items.ts";
export { type TreeStep, treeStep, typedRow } from "./keys.ts";
export { aroundOf, type Row, type Rows, rowsOf } from "./rows.ts";

/** Null where the level has nothing to show: a module that was not lowered yet, a program without a jaxpr. */
export function outlineOf(program: Program, level: Level): Outline | null {
  if (level === "jaxpr") return jaxprOutline(program);
  return moduleOutline(program, level);
}
