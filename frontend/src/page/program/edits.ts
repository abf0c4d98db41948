// What an edit did to a program: which equations are the same, which are new, which are gone. By structure, never by id: one equation more at
// the top gives every other another id. Pure.
import type { Eqn, Jaxpr, Program } from "../../model/types.ts";
import { avalOfAtom, eqnIndex, isLiteral } from "./instances.ts";

export interface Edits {
  /** Ids of the equations that are still there, by their old ids. */
  readonly same: ReadonlyMap<string, string>;
  /** New ids. */
  readonly added: readonly string[];
  /** New ids of those that stand where one of the same primitive stood, with other types or params. */
  readonly changed: readonly string[];
  readonly removed: number;
}

/** Longer stretches that differ are compared in order only. */
const MOST = 4_000_000;

export function editsOf(before: Program, after: Program): Edits {
  const same = new Map<string, string>();
  const changed: string[] = [];
  const seen = new Set<string>();
  const todo: [string, string][] = before.entry === null || after.entry === null ? [] : [[before.entry, after.entry]];
  for (let pair = todo.pop(); pair !== undefined; pair = todo.pop()) {
    const [from, to] = pair;
    if (seen.has(from) || seen.has(to)) continue;
    seen.add(from).add(to);
    for (const [old, now, exact] of paired(signed(before, from), signed(after, to))) {
      same.set(old.id, now.id);
      if (!exact) changed.push(now.id);
      for (const [at, call] of old.nested.entries()) {
        const inner = now.nested[at];
        if (inner !== undefined) todo.push([call.jaxpr, inner.jaxpr]);
      }
    }
  }
  const kept = new Set(same.values());
  const added = [...eqnIndex(after).keys()].filter((id) => !kept.has(id));
  return { same, added, changed, removed: eqnIndex(before).size - same.size };
}

/** Whether it is another program rather than an edited one, whatever its name: more of it is new than was there. */
export function isAnother({ same, added }: Edits): boolean {
  return added.length > same.size;
}

/** The path of the same instance after the edit, or null where something on the way is gone. */
export function movedPath({ same }: Edits, path: string): string | null {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    const colon = segment.indexOf(":");
    const id = same.get(colon < 0 ? segment : segment.slice(0, colon));
    if (id === undefined) return null;
    segments.push(colon < 0 ? id : id + segment.slice(colon));
  }
  return segments.join("/");
}

/** `2 equations added, 1 removed`; "" where nothing is to be told. */
export function editWords({ added, changed, removed }: Edits): string {
  const parts = [
    [added.length, "added"],
    [changed.length, "changed"],
    [removed, "removed"],
  ].filter(([count]) => count !== 0);
  return parts
    .map(([count, word], at) => (at === 0 ? `${count} ${count === 1 ? "equation" : "equations"} ${word}` : `${count} ${word}`))
    .join(", ");
}

/** An equation, and on demand all that makes it the same as another, as a text. */
class Signed {
  readonly eqn: Eqn;
  readonly #jaxpr: Jaxpr;
  #text: string | null = null;

  constructor(eqn: Eqn, jaxpr: Jaxpr) {
    this.eqn = eqn;
    this.#jaxpr = jaxpr;
  }

  get text(): string {
    this.#text ??= this.#written();
    return this.#text;
  }

  /** The same without writing it down: nearly all equations of a large program are as they were. */
  is(other: Signed): boolean {
    const [a, b] = [this.eqn, other.eqn];
    return (
      a.primitive === b.primitive &&
      a.results.length === b.results.length &&
      a.operands.length === b.operands.length &&
      a.results.every(({ aval }, i) => aval === b.results[i]?.aval) &&
      a.operands.every(({ atom }, i) => saidOf(this.#jaxpr, atom) === saidOf(other.#jaxpr, b.operands[i]?.atom)) &&
      paramsOf(a) === paramsOf(b)
    );
  }

  #written(): string {
    const { primitive, results, operands } = this.eqn;
    const read = operands.map(({ atom }) => saidOf(this.#jaxpr, atom));
    return [primitive, ...results.map(({ aval }) => aval), "(", ...read, ")", paramsOf(this.eqn)].join(" ");
  }
}

function saidOf(jaxpr: Jaxpr, atom: Eqn["operands"][number]["atom"] | undefined): string {
  return atom === undefined ? "" : isLiteral(atom) ? atom.literal : avalOfAtom(jaxpr, atom);
}

const said = new WeakMap<Eqn["params"], string>();

/** Without those that are bodies. */
function paramsOf({ params, nested }: Eqn): string {
  let text = said.get(params);
  if (text === undefined) {
    const inner = new Set(nested.map(({ param }) => param));
    text = params
      .filter(({ name }) => !inner.has(name))
      .map(({ name, text: value }) => `${name}=${value}`)
      .join(" ");
    said.set(params, text);
  }
  return text;
}

function signed(program: Program, id: string): Signed[] {
  const jaxpr = program.jaxprs[id];
  return jaxpr === undefined ? [] : jaxpr.eqns.map((eqn) => new Signed(eqn, jaxpr));
}

type Pair = readonly [old: Eqn, now: Eqn, exact: boolean];

function paired(before: readonly Signed[], after: readonly Signed[]): Pair[] {
  let start = 0;
  const same = (i: number, j: number): boolean => {
    const [old, now] = [before[i], after[j]];
    return old !== undefined && now !== undefined && old.is(now);
  };
  while (start < before.length && start < after.length && same(start, start)) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && same(before.length - 1 - end, after.length - 1 - end)) end++;
  const pairs: Pair[] = [];
  const pair = (old: Signed | undefined, now: Signed | undefined, exact: boolean): void => {
    if (old !== undefined && now !== undefined) pairs.push([old.eqn, now.eqn, exact]);
  };
  for (let at = 0; at < start; at++) pair(before[at], after[at], true);
  for (let at = end; at > 0; at--) pair(before.at(-at), after.at(-at), true);
  const left = before.slice(start, before.length - end);
  const right = after.slice(start, after.length - end);
  let i = 0;
  let j = 0;
  for (const [a, b] of [...common(left, right), [left.length, right.length] as const]) {
    // Between two that are the same: the same primitive in the same order is one that changed.
    for (let k = j; i < a; i++) {
      const found = right.slice(k, b).findIndex(({ eqn }) => eqn.primitive === left[i]?.eqn.primitive);
      if (found < 0) continue;
      pair(left[i], right[k + found], false);
      k += found + 1;
    }
    pair(left[a], right[b], true);
    i = a + 1;
    j = b + 1;
  }
  return pairs;
}

/** The longest common subsequence, as pairs of indexes. */
function common(left: readonly Signed[], right: readonly Signed[]): (readonly [number, number])[] {
  const [m, n] = [left.length, right.length];
  if (m === 0 || n === 0 || m * n > MOST) return [];
  const width = n + 1;
  const best = new Uint32Array((m + 1) * width);
  const at = (i: number, j: number): number => best[i * width + j] ?? 0;
  for (let i = m - 1; i >= 0; i--)
    for (let j = n - 1; j >= 0; j--)
      best[i * width + j] = left[i]?.text === right[j]?.text ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < m && j < n; ) {
    if (left[i]?.text === right[j]?.text) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}
