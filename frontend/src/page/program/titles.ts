// How an equation is called in a sentence or a list: its primitive and what tells it from others of its kind. Pure.
import type { Eqn } from "../../model/types.ts";
import { paramOf } from "./instances.ts";

/** `jit relu`, `scan ×8 reverse`. */
export function titleOf(eqn: Eqn): string {
  const name = paramOf(eqn, "name");
  const times = eqn.trips === null ? "" : ` ×${eqn.trips}`;
  const back = paramOf(eqn, "reverse") === "True" ? " reverse" : "";
  return `${eqn.primitive}${name === null ? "" : ` ${name}`}${times}${back}`;
}
