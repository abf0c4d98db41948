// Instances of equations: paths such as `e3/e7` through nested bodies (see visualizer/model/_program.py for their grammar).
import { type Site, sitesOf } from "../../model/sites.ts";
import type { Call, Eqn, Jaxpr, LiteralAtom, Program, Var, VarAtom } from "../../model/types.ts";

export type { Site as Place } from "../../model/sites.ts";
export { sitesOf as eqnIndex } from "../../model/sites.ts";

/** The id of the equation that a path ends at, without the index of a call. */
export function eqnOf(path: string): string {
  const segment = path.slice(path.lastIndexOf("/") + 1);
  const colon = segment.indexOf(":");
  return colon < 0 ? segment : segment.slice(0, colon);
}

/** The path of the enclosing equation, or null at the top. */
export function parentOf(path: string): string | null {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? null : path.slice(0, slash);
}

/** Every enclosing path, outermost first, without the path itself. */
export function ancestorsOf(path: string): string[] {
  const found: string[] = [];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) found.push(path.slice(0, at));
  return found;
}

/** The equations around an instance or a value, by path, and the bodies where one has several. */
export function holders(key: string): string[] {
  const bar = key.lastIndexOf("|");
  const around = bar < 0 ? ancestorsOf(key) : bar === 0 ? [] : ancestorsOf(`${key.slice(0, bar)}/`);
  return around.flatMap((path) => (/:\d+$/.test(path) ? [path, path.replace(/:\d+$/, "")] : [path]));
}

export function placeOf(program: Program, path: string): Site | null {
  return sitesOf(program).get(eqnOf(path)) ?? null;
}

/** The first instance of an equation in program order, or null when nothing reaches it from the entry. */
export function firstPath(program: Program, eqn: string): string | null {
  const place = sitesOf(program).get(eqn);
  if (place === undefined) return null;
  const segments = [eqn];
  const seen = new Set<string>();
  let jaxpr = place.jaxpr.id;
  while (jaxpr !== program.entry) {
    if (seen.has(jaxpr)) return null;
    seen.add(jaxpr);
    const caller = callers(program).get(jaxpr);
    if (caller === undefined) return null;
    segments.unshift(caller.segment);
    jaxpr = caller.jaxpr;
  }
  return segments.join("/");
}

interface Caller {
  readonly jaxpr: string;
  readonly segment: string;
}

const callerIndexes = new WeakMap<Program, ReadonlyMap<string, Caller>>();

function callers(program: Program): ReadonlyMap<string, Caller> {
  const known = callerIndexes.get(program);
  if (known !== undefined) return known;
  const found = new Map<string, Caller>();
  for (const { jaxpr, eqn } of sitesOf(program).values()) {
    for (const call of eqn.nested) if (!found.has(call.jaxpr)) found.set(call.jaxpr, { jaxpr: jaxpr.id, segment: eqn.id });
  }
  callerIndexes.set(program, found);
  return found;
}

export function isLiteral(atom: VarAtom | LiteralAtom): atom is LiteralAtom {
  return "literal" in atom;
}

/** How a value is called: the person's own name, else JAX's letter. */
export function nameOf(variable: Var | undefined): string {
  return variable === undefined ? "?" : (variable.label ?? variable.name);
}

export function nameOfAtom(jaxpr: Jaxpr, atom: VarAtom | LiteralAtom): string {
  return isLiteral(atom) ? atom.literal : nameOf(jaxpr.vars[atom.var]);
}

export function avalOfAtom(jaxpr: Jaxpr, atom: VarAtom | LiteralAtom): string {
  return isLiteral(atom) ? atom.aval : (jaxpr.vars[atom.var]?.aval ?? "");
}

/** The inner variable that operand `index` becomes in the body of `call`, or null when the body does not take it. */
export function binderOf(program: Program, call: Call, index: number): Var | null {
  const at = call.inputs.findIndex((input) => input.from === "operand" && input.index === index);
  const body = program.jaxprs[call.jaxpr];
  const id = at < 0 ? undefined : body?.invars[at];
  return id === undefined ? null : (body?.vars[id] ?? null);
}

/** The inner atom that becomes result `index` of the equation, or null when the body does not make it. */
export function makerOf(program: Program, call: Call, index: number): { name: string; aval: string } | null {
  const at = call.outputs.findIndex((outputs) => outputs.some((output) => output.to === "result" && output.index === index));
  const body = program.jaxprs[call.jaxpr];
  const atom = at < 0 ? undefined : body?.outvars[at];
  if (body === undefined || atom === undefined) return null;
  return { name: nameOfAtom(body, atom), aval: avalOfAtom(body, atom) };
}

/** The text of a param, or null. */
export function paramOf(eqn: Eqn, name: string): string | null {
  return eqn.params.find((param) => param.name === name)?.text ?? null;
}
