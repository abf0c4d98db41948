// The modules of a saved trace are half of it and are drawn later: their text is cut out, so that the rest is read in half the time.
// Promises that what is cut out stands where it was: each program names its own piece, and no other place has one.
const KEY = ',"modules":';
/** What comes after them in what we write. In any other order nothing is cut out. */
const NEXT = ',"links":{';
/** Fewer characters are read at once. */
export const WORTH = 200_000;

export interface Cut {
  /** JSON, with a number in the place of the modules of each program. */
  readonly text: string;
  /** By that number: JSON, if the text was. */
  readonly modules: readonly string[];
}

/** Null where it is not worth it. In JSON a quote after a comma is the beginning of a name or a string, or the end of one: the key is a key. */
export function withoutModules(text: string, worth: number): Cut | null {
  const modules: string[] = [];
  const rest: string[] = [];
  let from = 0;
  let length = 0;
  for (let key = text.indexOf(`${KEY}{`); key >= 0; key = text.indexOf(`${KEY}{`, from)) {
    const start = key + KEY.length;
    const end = text.indexOf(NEXT, start);
    if (end < 0) return null;
    rest.push(text.slice(from, start), `${modules.length}`);
    modules.push(text.slice(start, end));
    length += end - start;
    from = end;
  }
  rest.push(text.slice(from));
  return length < worth ? null : { text: rest.join(""), modules };
}

/** Whether each program has one of the pieces, and each piece is of a program; then they have no modules for now. Answers the texts in order. */
export function cutOf(found: unknown, { modules }: Cut): readonly string[] | null {
  const { programs } = (found ?? {}) as { programs?: unknown };
  if (!Array.isArray(programs) || programs.length !== modules.length) return null;
  const texts: string[] = [];
  const left = new Set(modules.keys());
  for (const program of programs as { modules?: unknown }[]) {
    const number = program?.modules;
    if (typeof number !== "number" || !left.delete(number)) return null;
    texts.push(modules[number] as string);
    program.modules = {};
  }
  return texts;
}

/** Puts them back. Throws where one of them is no JSON. */
export function putBack(programs: readonly object[], texts: readonly string[]): void {
  for (const [at, program] of programs.entries()) (program as { modules: unknown }).modules = JSON.parse(texts[at] as string);
}
