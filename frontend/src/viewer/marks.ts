// Which items of a drawing stand for which equation or value, and the classes that light them. Looks them up once per drawing.
import type { Fold } from "../drawing/scene.ts";
import type { Item } from "./items.ts";

/** What to light, in the words of the drawing: ids of equations or ops (last segment of an instance path), one exact path, values. */
export interface Marks {
  readonly ids: ReadonlySet<string>;
  readonly path: string | null;
  readonly values: ReadonlySet<string>;
}

export const NO_MARKS: Marks = { ids: new Set(), path: null, values: new Set() };

export class MarkIndex {
  readonly #byId = new Map<string, Item[]>();
  readonly #byPath = new Map<string, Item[]>();
  readonly #byValue = new Map<string, Item[]>();
  readonly #byKey = new Map<string, Item[]>();
  readonly #marked = new Map<string, readonly Item[]>();

  /** What stands in a closed group is lit by lighting the group. */
  constructor(items: Iterable<Item>, folds: readonly Fold[] = []) {
    for (const item of items) {
      if (item.key !== null) push(this.#byKey, item.key, item);
      if (item.eqn !== null && item.eqn !== "") {
        push(this.#byPath, item.eqn, item);
        push(this.#byId, lastId(item.eqn), item);
      }
      if (item.value !== null && item.value !== "") push(this.#byValue, item.value, item);
    }
    for (const fold of folds) for (const item of this.items(fold.key)) this.#within(fold, item);
  }

  #within(fold: Fold, item: Item): void {
    for (const eqn of fold.eqns) {
      push(this.#byPath, eqn, item);
      push(this.#byId, lastId(eqn), item);
    }
    for (const inner of fold.inner) this.#within(inner, item);
  }

  items(key: string): readonly Item[] {
    return this.#byKey.get(key) ?? [];
  }

  /** Sets class `name` on exactly what `marks` means; an exact path wins over its id. Answers how many items that are. */
  mark(name: string, marks: Marks): number {
    const wanted = new Set<Item>();
    for (const item of (marks.path === null ? undefined : this.#byPath.get(marks.path)) ?? []) wanted.add(item);
    if (wanted.size === 0) for (const id of marks.ids) for (const item of this.#byId.get(id) ?? []) wanted.add(item);
    for (const value of marks.values) for (const item of this.#byValue.get(value) ?? []) wanted.add(item);
    this.#set(name, [...wanted]);
    return wanted.size;
  }

  /** Sets class `name` on exactly the items of these keys. */
  markKeys(name: string, keys: Iterable<string>): void {
    this.#set(
      name,
      [...keys].flatMap((key) => this.items(key)),
    );
  }

  #set(name: string, items: readonly Item[]): void {
    for (const item of this.#marked.get(name) ?? []) item.setClass(name, false);
    for (const item of items) item.setClass(name, true);
    this.#marked.set(name, items);
  }
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
