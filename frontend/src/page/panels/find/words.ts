// What the search says of its hits, and which of them the list shows. Pure.
import type { Entry } from "../../program/search/entries.ts";
import type { Target } from "../../state/types.ts";

/** More rows nobody reads; those around where one stands are shown. */
const ROWS = 60;

export function countOf(count: number, at: number | null): string {
  if (count === 0) return "none";
  return at === null ? `${count.toLocaleString("en")} found` : `${(at + 1).toLocaleString("en")} of ${count.toLocaleString("en")}`;
}

export function windowOf(count: number, at: number | null): { from: number; until: number } {
  const from = Math.max(0, Math.min((at ?? 0) - ROWS / 2, count - ROWS));
  return { from, until: Math.min(count, from + ROWS) };
}

export function targetOfEntry({ kind, key, id }: Entry): Target {
  if (kind === "value") return { kind: "value", key };
  return kind === "op" ? { kind: "op", id } : { kind: "eqn", path: key };
}
