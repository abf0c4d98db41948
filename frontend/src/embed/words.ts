// What is said of a thing in the picture: its title, what it is, and its hint, from the scene alone.
import type { Scene } from "../drawing/scene.ts";
import type { Pointed } from "../viewer/index.ts";

export interface Words {
  readonly title: string;
  readonly more: string;
}

/** Null where there is nothing to say. */
export function wordsOf(scene: Scene, pointed: Pointed): Words | null {
  const named = ({ key }: { key: string }): boolean => key === pointed.key;
  const thing = scene.nodes.find(named) ?? scene.frames.find(named) ?? scene.chips.find(named);
  if (thing !== undefined) return { title: "text" in thing ? thing.text : thing.title, more: thing.hint };
  const carried = scene.wires.find(named) ?? scene.ports.find(named);
  return carried === undefined || carried.hint === ""
    ? null
    : { title: carried.role === "plain" ? "value" : carried.role, more: carried.hint };
}
