/** What can be opened, and what is open at first. */
import { eqnCount, eqnsThat } from "../../model/lazy.ts";
import type { Eqn, Jaxpr, Program } from "../../model/types.ts";
import { embeddedModule, embeds, given, type Modules } from "./embedded.ts";
import { entry } from "./fold/items.ts";
import { equationsOf } from "./left.ts";
import { reducerWords } from "./reducers.ts";

/** Instances multiply when bodies are shared; nobody opens more than this by hand. */
const MOST = 20_000;
/** About what one screen can hold. */
const OPENED_EQUATIONS = 160;
/** Fewer branches stand beside each other, however large. */
const MOST_BRANCHES = 4;

export interface Foldable {
  path: string;
  eqn: Eqn;
  /** Equations that become visible when it opens. */
  size: number;
}

/** The path of one nested body: the first has the equation's own, the others carry their index. */
export function bodyPath(eqnPath: string, index: number): string {
  return index === 0 ? eqnPath : `${eqnPath}:${index}`;
}

/** The key of a card: it opens those that stand closed in an open frame. */
export function cardKey(eqnPath: string, index: number): string {
  return `${bodyPath(eqnPath, index)}#${index}`;
}

/** Of a linear solve the bodies that are there for derivatives: the program as it stands runs none of them. */
export function isKept({ primitive, nested }: Eqn, index: number): boolean {
  return primitive === "custom_linear_solve" && nested[index]!.label !== "solve";
}

/** Cards of an open frame that are closed until they are opened themselves: those, and the large ones of many branches, which no screen can hold. */
export function isCard(eqn: Eqn, index: number, { jaxprs }: Program): boolean {
  const { primitive, nested } = eqn;
  if (primitive !== "cond" || nested.length <= MOST_BRANCHES) return isKept(eqn, index);
  const sizes = nested.map(({ jaxpr }) => equationsOf(jaxprs[jaxpr]));
  const all = sizes.reduce((sum, size) => sum + size, 0);
  return all > OPENED_EQUATIONS && sizes[index]! > OPENED_EQUATIONS / nested.length;
}

export function childPath(jaxprPath: string, eqnId: string): string {
  return jaxprPath === "" ? eqnId : `${jaxprPath}/${eqnId}`;
}

/** Breadth first. */
export function* foldables(program: Program, modules: Modules | undefined): Generator<Foldable> {
  const queue: [string, string][] = program.entry === null ? [] : [["", program.entry]];
  const calling = embeds(program);
  for (let count = 0, i = 0; i < queue.length; i++) {
    const [path, id] = queue[i]!;
    const jaxpr = program.jaxprs[id];
    if (jaxpr === undefined) continue;
    for (const eqn of eqnsThat(jaxpr, ({ nested }) => calling || nested.length > 0)) {
      const at = childPath(path, eqn.id);
      const module = calling ? embeddedModule(program, eqn.id) : undefined;
      let size = module === undefined ? 0 : given(modules).ops(module);
      if (eqn.nested.length === 0 && size === 0) continue;
      eqn.nested.forEach((call, k) => {
        size += equationsOf(program.jaxprs[call.jaxpr]);
        queue.push([bodyPath(at, k), call.jaxpr]);
      });
      yield { path: at, eqn, size };
      if (++count >= MOST) return;
    }
  }
}

const known = new WeakMap<Program["jaxprs"], readonly string[]>();

/** Everything that can be opened. */
export function foldable(program: Program, modules?: Modules): readonly string[] {
  return entry(known, program.jaxprs, () => foldableAnew(program, modules));
}

function foldableAnew(program: Program, modules: Modules | undefined): string[] {
  return Array.from(foldables(program, modules), ({ path, eqn }) => {
    const module = embeddedModule(program, eqn.id);
    const cards = eqn.nested.flatMap((_, k) => (isCard(eqn, k, program) ? [cardKey(path, k)] : []));
    return [
      path,
      ...cards,
      ...(module
        ? given(modules)
            .foldable(module)
            .map((op) => childPath(path, op))
        : []),
    ];
  }).flat();
}

function equationsHere(jaxpr: Jaxpr | undefined): number {
  return jaxpr === undefined ? 0 : eqnCount(jaxpr);
}

/**
 * Everything that fits on about one screen, outermost first; helper functions of jax.numpy (jitted, their name begins with an
 * underscore) stay closed, and so do reducers that a word says.
 */
export function initialOpen(program: Program, modules?: Modules): Set<string> {
  const open = new Set<string>();
  let shown = program.entry === null ? 0 : equationsHere(program.jaxprs[program.entry]);
  let only = shown === 1;
  for (const { path, eqn, size } of foldables(program, modules)) {
    if (only) {
      // A program that is one call (`jax.jit` around all of it) is what it calls, however large: it is folded there.
      open.add(path);
      shown = size;
      only = size === 1;
      continue;
    }
    const parent = path.slice(0, Math.max(0, path.lastIndexOf("/"))).replace(/:\d+$/, "");
    if (parent !== "" && !open.has(parent)) continue;
    const name = eqn.params.find((p) => p.name === "name")?.text ?? "";
    if (/^(jit|pjit)$/.test(eqn.primitive) && name.startsWith("_")) continue;
    if (reducerWords(eqn, program)) continue;
    // Nothing goes in, nothing comes out and nothing happens: what dead code elimination left of a call.
    if (size + eqn.operands.length + eqn.results.length === 0) continue;
    if (shown + size > OPENED_EQUATIONS) continue;
    shown += size;
    open.add(path);
  }
  // A twin is read beside its twin, or not at all.
  for (const { forward, backward } of program.twins) {
    if (open.has(forward) === open.has(backward)) continue;
    for (const alone of [forward, backward]) {
      for (const path of open) if (path === alone || path.startsWith(`${alone}/`) || path.startsWith(`${alone}:`)) open.delete(path);
    }
  }
  return open;
}
