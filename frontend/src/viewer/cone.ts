// What belongs together in a scene: the wires that touch an equation, and the equations at their other ends. Pure.
import type { Scene } from "../drawing/scene.ts";
import { lastId } from "./marks.ts";
import { stopsOf } from "./walk.ts";

export interface Cone {
  /** Keys of wires and ports that touch what is meant. */
  readonly wires: ReadonlySet<string>;
  /** Keys of nodes and frames at the other ends. */
  readonly near: ReadonlySet<string>;
}

export class ConeIndex {
  readonly #wires = new Map<string, { key: string; from: string; to: string; other: string }[]>();
  readonly #byPath = new Map<string, string[]>();
  readonly #byId = new Map<string, string[]>();

  constructor(scene: Scene) {
    const owners = new Map(scene.ports.map((port) => [port.key, port.owner]));
    for (const { key, from, to } of scene.wires) {
      const a = owners.get(from);
      const b = owners.get(to);
      if (a === undefined || b === undefined) continue;
      push(this.#wires, a, { key, from, to, other: b });
      push(this.#wires, b, { key, from, to, other: a });
    }
    for (const stop of stopsOf(scene)) {
      if (stop.eqn === null) continue;
      push(this.#byPath, stop.eqn, stop.key);
      push(this.#byId, lastId(stop.eqn), stop.key);
    }
  }

  /** One hop around an exact instance, or around every instance of some ids. */
  around(ids: ReadonlySet<string>, path: string | null): Cone {
    const exact = path === null ? undefined : this.#byPath.get(path);
    const owners = exact ?? [...ids].flatMap((id) => this.#byId.get(id) ?? []);
    const wires = new Set<string>();
    const near = new Set<string>();
    for (const owner of owners) {
      for (const wire of this.#wires.get(owner) ?? []) {
        wires.add(wire.key).add(wire.from).add(wire.to);
        near.add(wire.other);
      }
    }
    return { wires, near };
  }
}

function push<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [item]);
  else list.push(item);
}
