/**
 * How much of a structure is shown at once. A group that is all there is says nothing; one of other groups that has room is better read
 * than opened; what must be seen is not hidden.
 */
import { type Group, type Item, leavesOf } from "./items.ts";

/** With as few boxes, the largest group is opened in place... */
const FEW = 8;
/** ...as long as there are not more than this. */
const ROOM = 36;

/**
 * Of the lanes of a level, or of one sequence. What is opened is opened in each of them: a call is read beside its transpose. `needed[i]` must be
 * seen in lane i.
 */
export function fitIn(lanes: readonly (readonly Item[])[], needed: readonly (ReadonlySet<number> | null)[] = []): Item[][] {
  let shown = lanes.map((items, i) => (needed[i] ? uncovered(items, needed[i]) : [...items]));
  for (;;) {
    const wrappers = shown.flatMap((items) => (items.length < FEW ? items.filter(isWrapper) : []));
    const [largest] = wrappers.sort((a, b) => b.size - a.size);
    if (largest === undefined) return shown;
    // Calls of the same name are read alike.
    const next = shown.map((items) => items.flatMap((item) => (isWrapper(item) && item.title === largest.title ? item.items : [item])));
    if (next.some((items, i) => items.length > Math.max(ROOM, shown[i]!.length))) return shown;
    shown = next;
  }
}

/** Without the calls and names that hold what is needed; what is repeated stays together. */
function uncovered(items: readonly Item[], needed: ReadonlySet<number>): Item[] {
  return items.flatMap((item) => {
    if (!isPlace(item)) return [item];
    for (const v of leavesOf(item)) if (needed.has(v)) return uncovered(item.items, needed);
    return [item];
  });
}

/** It has parts of its own to show. */
function isWrapper(item: Item): item is Group {
  return isPlace(item) && item.items.some((inner) => typeof inner !== "number");
}

function isPlace(item: Item): item is Group {
  return typeof item !== "number" && (item.kind === "call" || item.kind === "scope");
}
