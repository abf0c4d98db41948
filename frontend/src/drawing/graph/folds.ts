/** What can be opened, and what is open at first. */
import type { Eqn, Program } from "../../model/types.ts";

/** Instances multiply when bodies are shared; nobody opens more than this by hand. */
const MOST = 20_000;
/** About what one screen can hold. */
const OPENED_EQUATIONS = 160;

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

export function childPath(jaxprPath: string, eqnId: string): string {
  return jaxprPath === "" ? eqnId : `${jaxprPath}/${eqnId}`;
}

/** Breadth first. */
export function* foldables(program: Program): Generator<Foldable> {
  const queue: [string, string][] = program.entry === null ? [] : [["", program.entry]];
  for (let count = 0, i = 0; i < queue.length; i++) {
    const [path, id] = queue[i]!;
    for (const eqn of program.jaxprs[id]?.eqns ?? []) {
      if (eqn.nested.length === 0) continue;
      const at = childPath(path, eqn.id);
      let size = 0;
      eqn.nested.forEach((call, k) => {
        size += program.jaxprs[call.jaxpr]?.eqns.length ?? 0;
        queue.push([bodyPath(at, k), call.jaxpr]);
      });
      yield { path: at, eqn, size };
      if (++count >= MOST) return;
    }
  }
}

export function foldable(program: Program): string[] {
  return Array.from(foldables(program), (f) => f.path);
}

/**
 * Everything that fits on about one screen, outermost first; helper functions of jax.numpy (jitted, their name begins with an
 * underscore) stay closed.
 */
export function initialOpen(program: Program): Set<string> {
  const open = new Set<string>();
  let shown = program.entry === null ? 0 : (program.jaxprs[program.entry]?.eqns.length ?? 0);
  for (const { path, eqn, size } of foldables(program)) {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf("/"))).replace(/:\d+$/, "");
    if (parent !== "" && !open.has(parent)) continue;
    const name = eqn.params.find((p) => p.name === "name")?.text ?? "";
    if (/^(jit|pjit)$/.test(eqn.primitive) && name.startsWith("_")) continue;
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
