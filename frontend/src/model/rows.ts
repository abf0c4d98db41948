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
    while (at.next < numbers.length) yield this.#filled(numbers, at);
  }

  /** The rows as they are, each to be made when it is asked for. */
  rows<T>(packed: string, made: (thing: unknown) => T): Rows<T> {
    return new Rows<T>(
      numbersOf(packed),
      this.#texts.map(holesOf),
      (numbers, next) => made(this.#filled(numbers, { next })),
      (template) => patternOf(this.#texts[template] ?? "null"),
    );
  }

  #filled(numbers: Int32Array, at: Cursor): unknown {
    const template = numbers[at.next++] ?? 0;
    this.#fills[template] ??= compiled(this.#texts[template] ?? "null");
    return this.#fills[template]?.(numbers, at);
  }
}

/** What the rows of one template have in common: the thing with `v#` for ids, and where its ids stand, as `operands.0.atom.var`, in order. */
export interface Pattern {
  readonly sample: unknown;
  readonly holes: readonly string[];
}

/** Packed rows of which nothing is made before it is asked for. */
export class Rows<T> {
  readonly count: number;
  readonly numbers: Int32Array;
  /** Where each row begins: its template, then its numbers. */
  readonly starts: Int32Array;
  readonly #make: (numbers: Int32Array, start: number) => T;
  readonly #pattern: (template: number) => Pattern | null;
  readonly #made: T[] = [];
  readonly #patterns: (Pattern | null | undefined)[] = [];

  constructor(
    numbers: Int32Array,
    holes: readonly number[],
    make: (numbers: Int32Array, start: number) => T,
    pattern: (template: number) => Pattern | null,
  ) {
    const starts = new Int32Array(numbers.length);
    let count = 0;
    for (let at = 0; at < numbers.length; at += 1 + (holes[numbers[at] ?? 0] ?? 0)) starts[count++] = at;
    this.numbers = numbers;
    this.starts = starts.slice(0, count);
    this.count = count;
    this.#make = make;
    this.#pattern = pattern;
  }

  /** The thing of a row, the same each time. */
  at(row: number): T {
    this.#made[row] ??= this.#make(this.numbers, this.starts[row] ?? 0);
    return this.#made[row];
  }

  templateOf(row: number): number {
    return this.numbers[this.starts[row] ?? 0] ?? 0;
  }

  /** Null of a template whose ids are not told apart by where they stand. */
  pattern(template: number): Pattern | null {
    let known = this.#patterns[template];
    if (known === undefined) {
      known = this.#pattern(template);
      this.#patterns[template] = known;
    }
    return known;
  }
}

function holesOf(text: string): number {
  return text.startsWith(" ") ? 0 : text.split(/"[a-z%]#"/).length - 1;
}

function patternOf(text: string): Pattern | null {
  if (text.startsWith(" ")) return { sample: JSON.parse(text), holes: [] };
  if (KEYED.test(text)) return null;
  const sample: unknown = JSON.parse(text);
  const holes: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (typeof value === "string" && HOLE.test(value)) holes.push(path);
    else if (typeof value === "object" && value !== null)
      for (const [key, item] of Object.entries(value)) walk(item, path === "" ? key : `${path}.${key}`);
  };
  walk(sample, "");
  return { sample, holes };
}

/** Little-endian int32 in base64. */
export function numbersOf(rows: string): Int32Array {
  const text = atob(rows);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  // As nearly every machine has them.
  if (LITTLE_ENDIAN) return new Int32Array(bytes.buffer, 0, bytes.length >> 2);
  const view = new DataView(bytes.buffer);
  return Int32Array.from({ length: bytes.length >> 2 }, (_, at) => view.getInt32(4 * at, true));
}

const LITTLE_ENDIAN = new Uint8Array(Int32Array.of(1).buffer)[0] === 1;

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
