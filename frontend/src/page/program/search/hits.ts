// What a search found at a level, and what of it the panes light.
import type { Module, Program } from "../../../model/types.ts";
import type { Parts } from "../../../viewer/index.ts";
import { holders } from "../instances.ts";
import { type Entry, moduleEntries, programEntries } from "./entries.ts";
import { matching } from "./match.ts";
import { parseQuery } from "./query.ts";

export interface Hits {
  /** What was searched: the jaxprs of a program, or a module. */
  readonly of: object;
  readonly query: string;
  readonly entries: readonly Entry[];
  readonly parts: Parts;
}

/** The entries of a level, made once for each text. */
const made = new WeakMap<object, { source: string; entries: readonly Entry[] }>();

export function* search(program: Program, module: Module | null, source: string, query: string): Generator<void, Hits> {
  const of = module ?? program.jaxprs;
  let known = made.get(of);
  if (known === undefined || known.source !== source) {
    known = { source, entries: yield* module === null ? programEntries(program, source) : moduleEntries(module, source) };
    made.set(of, known);
  }
  const entries = yield* matching(known.entries, parseQuery(query));
  return { of, query, entries, parts: yield* partsOf(entries) };
}

function* partsOf(entries: readonly Entry[]): Generator<void, Parts> {
  const paths = new Set<string>();
  const values = new Set<string>();
  const within = new Set<string>();
  for (const { kind, key } of entries) {
    if (kind === "value") values.add(key);
    else paths.add(key);
    for (const path of holders(key)) within.add(path);
    yield;
  }
  return { paths, values, within, outlets: new Set(), whole: new Set() };
}
