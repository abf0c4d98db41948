// What an outline is made of: items that say in one line what the graph says of them, and the bodies inside of them, made when asked for.
import type { Target } from "../../state/types.ts";

/** The words of a row. Any of them may be empty but the title. */
export interface Line {
  /** The primitive with its steps, the op, the name of a value. */
  readonly title: string;
  /** What it makes, by the person's names. */
  readonly name: string;
  readonly type: string;
  /** What it reads, by role where it has roles; of a value the role itself. */
  readonly note: string;
}

export interface Item {
  /** Unique in the outline; what is open is kept by it. */
  readonly key: string;
  readonly kind: "program" | "eqn" | "body" | "value" | "left";
  /** Of a value: the colour it has in the graph. */
  readonly role: string | null;
  readonly line: Line;
  /** What choosing it selects; null for the program. */
  readonly target: Target | null;
  /** Null where there is nothing to open. */
  readonly inside: Inside | null;
}

/** The items in a body, in program order. Nothing of it is made before it is asked for. */
export interface Inside {
  readonly count: number;
  at(index: number): Item | null;
  /** Where the item with this key stands, or -1. */
  indexOf(key: string): number;
  /** The jaxpr that the server has not sent yet, or null. */
  readonly left: string | null;
}

export interface Outline {
  readonly root: Item;
  /** The key of the item around an item; null of the root. */
  parentOf(key: string): string | null;
  /** The key of what is selected, as far as this outline has it. */
  keyOf(target: Target): string | null;
}

/** `scan ×8 reverse, makes w, f32[3], const lr, carry w, xs x`. */
export function spokenLine({ kind, line: { title, name, type, note } }: Pick<Item, "kind" | "line">): string {
  return [title, name !== "" && kind === "eqn" ? `makes ${name}` : name, type, note].filter((words) => words !== "").join(", ");
}

/** `a, b and 3 more`. */
export function someOf(names: readonly string[], most = 3): string {
  if (names.length <= most + 1) return names.join(", ");
  return `${names.slice(0, most).join(", ")} and ${(names.length - most).toLocaleString("en")} more`;
}

/** What an equation reads: `of a, b`; nothing for none. */
export function ofThese(names: readonly string[]): string {
  return names.length === 0 ? "" : `of ${someOf(names)}`;
}

const indexes = new WeakMap<readonly { readonly id: string }[], ReadonlyMap<string, number>>();

/** Where an id stands in a list; the list is looked through once. */
export function indexIn(list: readonly { readonly id: string }[], id: string): number {
  let known = indexes.get(list);
  if (known === undefined) {
    known = new Map(list.map((each, index) => [each.id, index]));
    indexes.set(list, known);
  }
  return known.get(id) ?? -1;
}
