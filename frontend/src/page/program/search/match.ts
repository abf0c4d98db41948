// Which entries a query means. In slices, as the entries are made.
import type { Entry, Facts } from "./entries.ts";
import type { Field, Term } from "./query.ts";

/** Where a word without a field is looked for. The rest of a line is about other equations; the ops of an equation are another level: only where they are asked for. */
const EVERYWHERE: readonly Field[] = ["prim", "name", "type", "param", "scope", "role", "written"];
export const SEARCHED = "names, primitives, types, params, name stacks, roles and the source";

export function* matching(entries: readonly Entry[], terms: readonly Term[]): Generator<void, Entry[]> {
  if (terms.length === 0) return [];
  const tests = terms.map(testOf);
  const known = new Map<Facts, boolean>();
  const found: Entry[] = [];
  for (const entry of entries) {
    let fits = known.get(entry.facts);
    if (fits === undefined) {
      fits = tests.every((test) => test(entry.facts));
      known.set(entry.facts, fits);
      yield;
    }
    if (fits) found.push(entry);
  }
  return found;
}

function testOf(term: Term): (facts: Facts) => boolean {
  if (term.field === "line") return lineTest(term.text);
  const fields = term.field === null ? EVERYWHERE : [term.field];
  const word = term.whole ? new RegExp(`(?<!\\w)${term.text}(?!\\w)`) : null;
  const param = paramTest(term);
  return (facts) =>
    fields.some((field) => (word === null ? facts.text(field).includes(term.text) : word.test(facts.text(field)))) || param(facts);
}

/** `12`, or `12-20`. */
function lineTest(text: string): (facts: Facts) => boolean {
  const [, from, to] = text.match(/^(\d+)(?:-(\d+))?$/) ?? [];
  if (from === undefined) return () => false;
  const first = Number(from);
  const last = to === undefined ? first : Number(to);
  return ({ line, lastLine }) => line !== null && line <= last && (lastLine ?? line) >= first;
}

/** `axes=0` is said of `axes=(0,)` too: the value is one of those in the brackets. */
function paramTest({ field, text }: Term): (facts: Facts) => boolean {
  const at = text.indexOf("=");
  if (at <= 0 || at === text.length - 1 || (field !== null && field !== "param")) return () => false;
  const name = text.slice(0, at + 1);
  const value = text.slice(at + 1);
  return (facts) =>
    facts
      .text("param")
      .split("\n")
      .some(
        (line) =>
          line.startsWith(name) &&
          line
            .slice(at + 1)
            .split(/[\s,()[\]{}]+/)
            .includes(value),
      );
}
