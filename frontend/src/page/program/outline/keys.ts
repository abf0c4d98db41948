// What a key does in the outline, as the WAI-ARIA tree pattern has it. Pure.
import type { Outline } from "./items.ts";
import type { Rows } from "./rows.ts";

export type TreeStep =
  | { readonly do: "go"; readonly row: number }
  | { readonly do: "open" | "close"; readonly key: string }
  | { readonly do: "open-all"; readonly keys: readonly string[] }
  | { readonly do: "reveal" | "leave" };

const PAGE = 15;
/** `*` opens what is beside; nobody means thousands by it. */
const MOST_BESIDE = 200;
/** So far a letter leads: more items are not made for one key. */
const FARTHEST = 5_000;

/** Null where the key means nothing here. */
export function treeStep(outline: Outline, rows: Rows, row: number, key: string): TreeStep | null {
  const here = rows.at(row);
  if (here === null) return null;
  const { item, open } = here;
  const go = (to: number): TreeStep => ({ do: "go", row: Math.max(0, Math.min(rows.count - 1, to)) });
  switch (key) {
    case "ArrowDown":
      return go(row + 1);
    case "ArrowUp":
      return go(row - 1);
    case "PageDown":
      return go(row + PAGE);
    case "PageUp":
      return go(row - PAGE);
    case "Home":
      return go(0);
    case "End":
      return go(rows.count - 1);
    case "ArrowRight":
      if (item.inside === null) return null;
      return open ? go(row + 1) : { do: "open", key: item.key };
    case "ArrowLeft": {
      if (open) return { do: "close", key: item.key };
      const parent = outline.parentOf(item.key);
      return parent === null ? null : go(rows.rowOf(parent));
    }
    case " ":
      return item.inside === null ? null : { do: open ? "close" : "open", key: item.key };
    case "*":
      return { do: "open-all", keys: besides(outline, rows, item.key) };
    case "Enter":
      return { do: "reveal" };
    case "Escape":
      return { do: "leave" };
    default:
      return null;
  }
}

function besides(outline: Outline, rows: Rows, key: string): string[] {
  const around = outline.parentOf(key);
  const first = around === null ? 0 : rows.rowOf(around) + 1;
  const level = rows.at(first)?.level ?? 1;
  const found: string[] = [];
  for (let row = first; row < rows.count && found.length < MOST_BESIDE; row++) {
    const at = rows.at(row);
    if (at === null || at.level < level) break;
    if (at.level === level && at.item.inside !== null) found.push(at.item.key);
    if (row - first > FARTHEST) break;
  }
  return found;
}

/** The next row that begins with what was typed, from `row` on and around; the row itself counts while a word goes on. */
export function typedRow(rows: Rows, row: number, typed: string): number | null {
  const text = typed.toLowerCase();
  const begin = text.length > 1 ? 0 : 1;
  for (let step = begin; step < Math.min(rows.count, FARTHEST) + begin; step++) {
    const at = (row + step) % rows.count;
    const line = rows.at(at)?.item.line;
    if (line?.title.toLowerCase().startsWith(text) || line?.name.toLowerCase().startsWith(text)) return at;
  }
  return null;
}
