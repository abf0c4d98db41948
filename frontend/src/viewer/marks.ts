// Which elements of a drawing stand for which equation or value, and the classes that light them. Looks elements up once per drawing.

/** What to light, in the words of the drawing: ids of equations or ops (last segment of an instance path), one exact path, values. */
export interface Marks {
  readonly ids: ReadonlySet<string>;
  readonly path: string | null;
  readonly values: ReadonlySet<string>;
}

export const NO_MARKS: Marks = { ids: new Set(), path: null, values: new Set() };

export class MarkIndex {
  readonly #byId = new Map<string, Element[]>();
  readonly #byPath = new Map<string, Element[]>();
  readonly #byValue = new Map<string, Element[]>();
  readonly #byKey = new Map<string, SVGElement[]>();
  readonly #marked = new Map<string, readonly Element[]>();

  constructor(root: Element) {
    for (const element of root.querySelectorAll<SVGElement>("[data-key]")) {
      const { key, eqn, value } = element.dataset;
      if (key !== undefined) push(this.#byKey, key, element);
      if (eqn !== undefined && eqn !== "") {
        push(this.#byPath, eqn, element);
        push(this.#byId, lastId(eqn), element);
      }
      if (value !== undefined && value !== "") push(this.#byValue, value, element);
    }
  }

  /** Every element of an item: a frame has a border and a header. */
  elements(key: string): readonly SVGElement[] {
    return this.#byKey.get(key) ?? [];
  }

  /** The element of an item that takes the focus: its button, else the last. */
  focusable(key: string): SVGElement | undefined {
    const all = this.elements(key);
    return all.find((element) => element.hasAttribute("data-toggle")) ?? all[all.length - 1];
  }

  /** Sets class `name` on exactly what `marks` means; an exact path wins over its id. Answers how many elements that are. */
  mark(name: string, marks: Marks): number {
    const wanted = new Set<Element>();
    for (const element of (marks.path === null ? undefined : this.#byPath.get(marks.path)) ?? []) wanted.add(element);
    if (wanted.size === 0) for (const id of marks.ids) for (const element of this.#byId.get(id) ?? []) wanted.add(element);
    for (const value of marks.values) for (const element of this.#byValue.get(value) ?? []) wanted.add(element);
    this.#set(name, [...wanted]);
    return wanted.size;
  }

  /** Sets class `name` on exactly the items of these keys. */
  markKeys(name: string, keys: Iterable<string>): void {
    this.#set(
      name,
      [...keys].flatMap((key) => this.elements(key)),
    );
  }

  #set(name: string, elements: readonly Element[]): void {
    for (const element of this.#marked.get(name) ?? []) element.classList.remove(name);
    for (const element of elements) element.classList.add(name);
    this.#marked.set(name, elements);
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
