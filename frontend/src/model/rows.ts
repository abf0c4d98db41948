// The other side of visualizer/model/parts/_rows.py: things that are alike, from their templates and the numbers of their ids. What does not
// differ from row to row is one object that all of them share, so that 50,000 equations take the memory of their numbers.

type Fill = (numbers: Int32Array, at: Cursor) => unknown;

interface Cursor {
  next: number;
}

/** A string of a template that stands for an id. */
const HOLE = /^[a-z%]#$/;
/** A key that stands for an id, or that JSON.parse would put elsewhere: such a template is filled as text. */
const KEYED = /"(?:[a-z%]#|\d+)":/;

export class Templates {
  readonly #texts: readonly string[];
  readonly #fills: (Fill | undefined)[] = [];

  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  /** The things of some rows, one at a time. */
  *read(rows: string): Generator<unknown> {
    const numbers = numbersOf(rows);
    const at: Cursor = { next: 0 };
    while (at.next < numbers.length) {
      const template = numbers[at.next++] ?? 0;
      this.#fills[template] ??= compiled(this.#texts[template] ?? "null");
      yield this.#fills[template]?.(numbers, at);
    }
  }
}

/** Little-endian int32 in base64. */
export function numbersOf(rows: string): Int32Array {
  const text = atob(rows);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  const view = new DataView(bytes.buffer);
  return Int32Array.from({ length: bytes.length >> 2 }, (_, at) => view.getInt32(4 * at, true));
}

function compiled(text: string): Fill {
  if (text.startsWith(" ")) return constant(JSON.parse(text));
  if (KEYED.test(text)) return filledText(text);
  return filler(JSON.parse(text)) ?? constant(JSON.parse(text));
}

function constant(value: unknown): Fill {
  return () => value;
}

function filledText(text: string): Fill {
  const parts = text.split(/"([a-z%])#"/);
  return (numbers, at) => {
    let whole = parts[0] ?? "";
    for (let i = 1; i < parts.length; i += 2) whole += `"${parts[i]}${numbers[at.next++]}"${parts[i + 1]}`;
    return JSON.parse(whole);
  };
}

/** What makes a value with its holes filled, in the order of the text; null for one without holes. */
function filler(value: unknown): Fill | null {
  if (typeof value === "string") {
    if (!HOLE.test(value)) return null;
    const letter = value.slice(0, 1);
    return (numbers, at) => letter + numbers[at.next++];
  }
  if (Array.isArray(value)) {
    const fills = value.map(filler);
    if (fills.every((fill) => fill === null)) return null;
    const made = value.map((item, i) => fills[i] ?? constant(item));
    return (numbers, at) => made.map((fill) => fill(numbers, at));
  }
  if (typeof value !== "object" || value === null) return null;
  const entries = Object.entries(value).map(([key, item]) => [key, filler(item)] as const);
  const holes = entries.filter((entry): entry is [string, Fill] => entry[1] !== null);
  if (holes.length === 0) return null;
  const shared = value as Record<string, unknown>;
  return (numbers, at) => {
    const made = { ...shared };
    for (const [key, fill] of holes) made[key] = fill(numbers, at);
    return made;
  };
}
