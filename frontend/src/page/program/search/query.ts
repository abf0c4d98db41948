// What a person types into the search field, read: words that must all fit, some of them for one field only. Pure; any text is a query.

export const FIELDS = ["name", "prim", "type", "param", "scope", "role", "source", "op", "line"] as const;
/** `written` is the expression itself, `source` the whole of its lines. */
export type Field = (typeof FIELDS)[number] | "written";

export interface Term {
  /** Null: any field will do. */
  readonly field: Field | null;
  /** Lower case, never empty. */
  readonly text: string;
  /** One or two letters fit whole words only: else `w` would find every `while`. */
  readonly whole: boolean;
}

/** `scan carry type:f32[4, "name with spaces"`: a quote keeps spaces together, and may be left open while it is typed. */
export function parseQuery(query: string): Term[] {
  const terms: Term[] = [];
  for (const [, name, quoted, plain] of query.matchAll(/(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/gi)) {
    const word = quoted ?? plain ?? "";
    const field = fieldOf(name);
    // `http://x` and `a:f32[3]` are words, not fields.
    const text = (field === null && name !== undefined ? `${name}:${word}` : word).trim().toLowerCase();
    if (text !== "") terms.push({ field, text, whole: /^\w{1,2}$/.test(text) });
  }
  return terms;
}

function fieldOf(name: string | undefined): (typeof FIELDS)[number] | null {
  const lower = name?.toLowerCase();
  if (lower === "primitive") return "prim";
  return FIELDS.find((field) => field === lower) ?? null;
}
