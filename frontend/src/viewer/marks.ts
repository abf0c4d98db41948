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
  readonly byKey = new Map<string, SVGElement>();
  #marked = new Map<string, Element[]>();

  constructor(root: Element) {
    for (const element of root.querySelectorAll<SVGElement>("[data-key]")) {
      const { key, eqn, value } = element.dataset;
      if (key !== undefined) this.byKey.set(key, element);
      if (eqn !== undefined && eqn !== "") {
        push(this.#byPath, eqn, element);
        push(this.#byId, lastId(eqn), element);
      }
      if (value !== undefined && value !== "") push(this.#byValue, value, element);
    }
  }

  /** Sets class `name` on exactly what `marks` means. An exact path wins over its id: other instances of a shared body get `<name>-kin`. */
  mark(name: string, marks: Marks): number {
    const wanted = new Set<Element>();
    const kin = new Set<Element>();
    for (const element of (marks.path === null ? undefined : this.#byPath.get(marks.path)) ?? []) wanted.add(element);
    for (const id of marks.ids)
      for (const element of this.#byId.get(id) ?? []) (wanted.size > 0 && marks.path !== null ? kin : wanted).add(element);
    for (const value of marks.values) for (const element of this.#byValue.get(value) ?? []) wanted.add(element);
    this.#set(name, [...wanted]);
    this.#set(
      `${name}-kin`,
      [...kin].filter((element) => !wanted.has(element)),
    );
    return wanted.size;
  }

  #set(name: string, elements: Element[]): void {
    for (const element of this.#marked.get(name) ?? []) element.classList.remove(name);
    for (const element of elements) element.classList.add(name);
    this.#marked.set(name, elements);
  }
}

function push(map: Map<string, Element[]>, key: string, element: Element): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [element]);
  else list.push(element);
}

/** `e3:1/e7` -> `e7`. */
export function lastId(path: string): string {
  const segment = path.slice(path.lastIndexOf("/") + 1);
  const colon = segment.indexOf(":");
  return colon < 0 ? segment : segment.slice(0, colon);
}
