// Which things of a drawing stand for which equation or value, and the classes that light them. What comes into sight later is lit when it comes.
import type { Fold, Scene } from "../drawing/scene.ts";
import type { Item } from "./items.ts";

/** What to light, in the words of the drawing: ids of equations or ops (last segment of an instance path), one exact path, values. */
export interface Marks {
  readonly ids: ReadonlySet<string>;
  readonly path: string | null;
  readonly values: ReadonlySet<string>;
}

export const NO_MARKS: Marks = { ids: new Set(), path: null, values: new Set() };

/** What a class is set on. */
interface Meant {
  readonly path: string | null;
  readonly ids: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
  readonly keys: ReadonlySet<string>;
}

/** How often things of the drawing stand for a path, an id, a value; and the closed groups that hold a path or an id. */
interface Known {
  readonly paths: ReadonlyMap<string, number>;
  readonly ids: ReadonlyMap<string, number>;
  readonly values: ReadonlyMap<string, number>;
  readonly foldsOfPath: ReadonlyMap<string, readonly string[]>;
  readonly foldsOfId: ReadonlyMap<string, readonly string[]>;
}

const NONE: ReadonlySet<string> = new Set();

export class MarkIndex {
  readonly #scene: Scene;
  readonly #items: () => Iterable<Item>;
  readonly #changed: () => void;
  readonly #meant = new Map<string, Meant>();
  #known: Known | null = null;

  /** `items` are those in the document; `changed` is called when other things are meant. */
  constructor(scene: Scene, items: () => Iterable<Item>, changed: () => void = () => undefined) {
    this.#scene = scene;
    this.#items = items;
    this.#changed = changed;
  }

  /**
   * Sets class `name` on exactly what `marks` means; an exact path wins over its id; what stands in a closed group is lit by lighting the
   * group. Answers how much of the drawing that is, in sight or not.
   */
  mark(name: string, marks: Marks): number {
    if (marks.path === null && marks.ids.size === 0 && marks.values.size === 0) {
      this.#set(name, null);
      return 0;
    }
    this.#known ??= knownOf(this.#scene);
    const known = this.#known;
    const path = marks.path !== null && (known.paths.has(marks.path) || known.foldsOfPath.has(marks.path)) ? marks.path : null;
    const ids = path === null ? marks.ids : NONE;
    const keys = new Set(path === null ? [...ids].flatMap((id) => known.foldsOfId.get(id) ?? []) : (known.foldsOfPath.get(path) ?? []));
    let count = keys.size + (path === null ? 0 : (known.paths.get(path) ?? 0));
    for (const id of ids) count += known.ids.get(id) ?? 0;
    for (const value of marks.values) count += known.values.get(value) ?? 0;
    this.#set(name, { path, ids, values: marks.values, keys });
    return count;
  }

  /** Sets class `name` on exactly the things of these keys. */
  markKeys(name: string, keys: Iterable<string>): void {
    const set = new Set(keys);
    this.#set(name, set.size === 0 ? null : { path: null, ids: NONE, values: NONE, keys: set });
  }

  /** Lights a thing that has come into the document. */
  dress(item: Item): void {
    for (const [name, meant] of this.#meant) item.target.classList.toggle(name, isMeant(item, meant));
  }

  /** Whether some class is set on a thing of the scene, in the document or not; null where none is set on anything. */
  get lights(): ((item: Pick<Item, "key" | "eqn" | "value">) => boolean) | null {
    const meant = [...this.#meant.values()];
    return meant.length === 0 ? null : (item) => meant.some((each) => isMeant(item, each));
  }

  /** The keys that some class is set on: they are seen also where nothing else is. */
  keys(): Set<string> {
    return new Set([...this.#meant.values()].flatMap(({ keys, path }) => [...keys, ...(path === null ? [] : [path])]));
  }

  #set(name: string, meant: Meant | null): void {
    if (meant === null) {
      if (!this.#meant.delete(name)) return;
      for (const item of this.#items()) item.target.classList.remove(name);
      this.#changed();
      return;
    }
    this.#meant.set(name, meant);
    for (const item of this.#items()) item.target.classList.toggle(name, isMeant(item, meant));
    this.#changed();
  }
}

function isMeant({ key, eqn, value }: Pick<Item, "key" | "eqn" | "value">, meant: Meant): boolean {
  if (key !== null && meant.keys.has(key)) return true;
  if (value !== null && meant.values.has(value)) return true;
  if (eqn === null || eqn === "") return false;
  return meant.path === null ? meant.ids.size > 0 && meant.ids.has(lastId(eqn)) : eqn === meant.path;
}

function knownOf({ frames, nodes, ports, chips, wires, folds }: Scene): Known {
  const [paths, ids, values] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const count = (map: Map<string, number>, key: string): void => void map.set(key, (map.get(key) ?? 0) + 1);
  for (const list of [frames, nodes, ports, chips, wires]) {
    for (const { eqn, value } of list) {
      if (eqn !== null && eqn !== "") {
        count(paths, eqn);
        count(ids, lastId(eqn));
      }
      if (value !== null && value !== "") count(values, value);
    }
  }
  const foldsOfPath = new Map<string, string[]>();
  const foldsOfId = new Map<string, string[]>();
  const within = (fold: Fold, key: string): void => {
    for (const eqn of fold.eqns) {
      push(foldsOfPath, eqn, key);
      push(foldsOfId, lastId(eqn), key);
    }
    for (const inner of fold.inner) within(inner, key);
  };
  for (const fold of folds) within(fold, fold.key);
  return { paths, ids, values, foldsOfPath, foldsOfId };
}

function push<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [item]);
  else list.push(item);
}

/** `e3:1/e7` -> `e7`. */
export function lastId(path: string): string {
  const segment = path.slice(path.lastIndexOf("/") + 1);
  const colon = segment.indexOf(":");
  return colon < 0 ? segment : segment.slice(0, colon);
}
