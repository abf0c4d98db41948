/** Bodies that an answer in parts left out: what stands in their place until they have come, and how the page finds out that one is wanted. */
import { eqnCount } from "../../model/lazy.ts";
import type { Jaxpr } from "../../model/types.ts";
import type { Scene } from "../scene.ts";
import type { LevelNode } from "./level.ts";

const MARK = "|left:";

/** How many equations a jaxpr has, whether they are here or not. */
export function equationsOf(jaxpr: Jaxpr | undefined): number {
  return jaxpr === undefined ? 0 : eqnCount(jaxpr) + (jaxpr.left_out ?? 0);
}

export function isLeftOut(jaxpr: Jaxpr): boolean {
  return (jaxpr.left_out ?? 0) > 0 && eqnCount(jaxpr) === 0;
}

/** The one box in the place of all of them. */
export function leftNode(jaxpr: Jaxpr, path: string): LevelNode {
  const count = jaxpr.left_out ?? 0;
  const title = `${count} equation${count === 1 ? "" : "s"} to come`;
  const words = { title, note: "", label: "", type: "", hint: "They are asked for when their body is opened.", scope: [] };
  const key = `${path}${MARK}${jaxpr.id}`;
  return { kind: "op", key, eqn: null, ...words, ins: [], feeds: [], outs: [], call: null, back: false, twin: null };
}

/** The jaxprs that a scene shows such a box for. */
export function leftOut(scene: Scene): string[] {
  const found = scene.nodes.flatMap(({ key }) => {
    const at = key.lastIndexOf(MARK);
    return at < 0 ? [] : [key.slice(at + MARK.length)];
  });
  return [...new Set(found)];
}
