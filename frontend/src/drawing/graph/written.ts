/**
 * Where equations were written: the calls of functions around each, and the loops of Python that they stand in.
 *
 * Promises: equations of one place share one object. A file of before these were on the wire has places without calls.
 */
import type { Eqn, Program, Span } from "../../model/types.ts";

/** One call of a function. */
export interface Step {
  /** Unique in the program. */
  id: number;
  /** `attend`; of the method that is called with the object, the class. */
  name: string;
  library: boolean;
  /** Of an object that is called: a module of equinox or flax. */
  method: boolean;
  /** It may have been made more than once from where it stands. */
  repeats: boolean;
  /** The loops that it stands in, outermost first. */
  loops: readonly number[];
}

export interface Written {
  /** Outermost first. */
  steps: readonly Step[];
  /** The place itself, as a name that no other place has; "" where none is known. */
  at: string;
  line: number;
  /** The loops around the place, outermost first. */
  loops: readonly number[];
}

export const LAMBDA = "lambda";
export const NOWHERE: Written = { steps: [], at: "", line: 0, loops: [] };

export class Places {
  readonly #loops: readonly Span[];
  readonly #chains: Step[][] = [];
  readonly #known = new Map<string, Written>();

  constructor(program: Pick<Program, "calls" | "loops">) {
    const calls = (program.calls as Program["calls"] | undefined) ?? [];
    this.#loops = (program.loops as Program["loops"] | undefined) ?? [];
    calls.forEach(({ function: name, caller, span, library, handed }, id) => {
      const loops = span === null ? [] : this.#loopsOf(span);
      const step = { id, name: spokenName(name), library, method: name.endsWith(".__call__"), repeats: handed || loops.length > 0, loops };
      this.#chains.push(caller === null ? [step] : [...this.#chains[caller]!, step]);
    });
  }

  of({ call, span, stack }: Pick<Eqn, "call" | "span" | "stack">): Written {
    if (span === null) return NOWHERE;
    const { line, col, end_line, end_col } = span;
    // What was transposed stands where its forward part does, but is not the same visit.
    const turned = stack.some((entry) => entry.kind === "transform" && entry.name === "transpose");
    const at = `${turned ? "t" : ""}${line}:${col}-${end_line}:${end_col}`;
    const key = `${call ?? ""} ${at}`;
    let known = this.#known.get(key);
    if (known === undefined) {
      known = { steps: this.#chains[call ?? -1] ?? [], at, line, loops: this.#loopsOf(span) };
      this.#known.set(key, known);
    }
    return known;
  }

  #loopsOf(span: Span): number[] {
    const around = this.#loops.flatMap((loop, i) => (holds(loop, span) ? [i] : []));
    return around.sort((i, j) => (holds(this.#loops[i]!, this.#loops[j]!) ? -1 : 1));
  }
}

function holds(outer: Span, inner: Span): boolean {
  return before(outer.line, outer.col, inner.line, inner.col) && before(inner.end_line, inner.end_col, outer.end_line, outer.end_col);
}

function before(line: number, col: number, thenLine: number, thenCol: number): boolean {
  return line < thenLine || (line === thenLine && col <= thenCol);
}

/** Where the equation that an op was lowered from was written, and its names. */
export interface OpPlace {
  scope: readonly string[];
  written: Written;
}

export type OpPlaces = ReadonlyMap<string, OpPlace>;

/** Of the ops of a lowered module, by what they are linked to. */
export function linkedPlaces(program: Program, level: "stablehlo" | "hlo"): OpPlaces {
  const links = program.links[level] ?? {};
  const places = placesOf(program);
  const scopes = new Map<string, readonly string[]>();
  const found = new Map<string, OpPlace>();
  for (const { eqns } of Object.values(program.jaxprs)) {
    for (const eqn of eqns) {
      const ops = links[eqn.id];
      if (ops === undefined || ops.length === 0) continue;
      const names = scopesOf(eqn);
      const key = names.join("/");
      const scope = scopes.get(key) ?? names;
      scopes.set(key, scope);
      const place = { scope, written: places.of(eqn) };
      for (const op of ops) if (!found.has(op)) found.set(op, place);
    }
  }
  return found;
}

const known = new WeakMap<object, Places>();

export function placesOf(program: Program): Places {
  let places = known.get(program.jaxprs);
  if (places === undefined) {
    places = new Places(program);
    known.set(program.jaxprs, places);
  }
  return places;
}

function spokenName(name: string): string {
  return name.replace(/\.(__call__|__init__)$/, "").replace("<lambda>", LAMBDA);
}

/** The names of the person's own, or of a module's; what einsum leaves is the equation it computed, which its result says, too. */
export function scopesOf({ stack }: Pick<Eqn, "stack">): string[] {
  return stack.flatMap(({ kind, name }) => (kind === "scope" && !name.includes("->") ? [name] : []));
}
