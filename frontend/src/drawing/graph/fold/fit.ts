/**
 * How much of a structure is shown at once. A group that is all there is says nothing; one of other groups that has room is better read
 * than opened; what must be seen is not hidden.
 */
import { type Group, type Item, leavesOf } from "./items.ts";

/** With as few boxes, the largest group is opened in place... */
const FEW = 8;
/** ...as long as there are not more than this. */
const ROOM = 36;

export function fitIn(items: readonly Item[], needed: ReadonlySet<number> | null = null): Item[] {
  let shown = needed === null ? [...items] : uncovered(items, needed);
  while (shown.length < FEW) {
    const largest = shown.filter(isWrapper).reduce<Group | null>((best, each) => (best && best.size >= each.size ? best : each), null);
    if (largest === null) return shown;
    // Calls of the same name are read alike.
    const next = shown.flatMap((item) => (isWrapper(item) && item.title === largest.title ? item.items : [item]));
    if (next.length > ROOM) return shown;
    shown = next;
  }
  return shown;
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
