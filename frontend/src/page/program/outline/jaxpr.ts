// The outline of a program: its inputs, its equations with their bodies inside, its outputs. Keys are instance paths; a body of an equation
// that has several is `e3:0`, what goes into a body `e3|v1`, what comes out of it `e3|>0`.
import { equationsOf, isLeftOut } from "../../../drawing/graph/left.ts";
import type { Call, Eqn, Jaxpr, Program } from "../../../model/types.ts";
import type { Target } from "../../state/types.ts";
import { avalOfAtom, isLiteral, nameOf, nameOfAtom, parentOf, placeOf } from "../instances.ts";
import { titleOf } from "../titles.ts";
import { twinsOf } from "../twins.ts";
import { type Inside, type Item, indexIn, type Outline, ofThese, someOf } from "./items.ts";

/** A body that stands somewhere: under `path`, called by `call` of `outer`; the program itself has neither. */
interface Body {
  readonly jaxpr: Jaxpr;
  readonly path: string;
  readonly call: Call | null;
  readonly outer: Eqn | null;
}

export function jaxprOutline(program: Program): Outline | null {
  const entry = program.entry === null ? undefined : program.jaxprs[program.entry];
  if (entry === undefined) return null;
  const note = [count(entry.invars.length, "input"), count(equationsOf(entry), "equation"), count(entry.outvars.length, "output")];
  const root: Item = {
    key: "",
    kind: "program",
    role: null,
    line: { title: program.name, name: "", type: "", note: note.join(", ") },
    target: null,
    inside: insideOf(program, { jaxpr: entry, path: "", call: null, outer: null }),
  };
  /** The item that stands for the body under a prefix of paths. */
  const bodyKey = (prefix: string): string => {
    if (prefix === "" || /:\d+$/.test(prefix)) return prefix;
    return (placeOf(program, prefix)?.eqn.nested.length ?? 0) > 1 ? `${prefix}:0` : prefix;
  };
  const around = (key: string): string | null => {
    if (key === "") return null;
    const bar = key.lastIndexOf("|");
    if (bar >= 0) return bodyKey(key.slice(0, bar));
    return /:\d+$/.test(key) ? key.replace(/:\d+$/, "") : bodyKey(parentOf(key) ?? "");
  };
  return {
    root,
    parentOf: around,
    keyOf(target) {
      if (target.kind === "eqn") return placeOf(program, target.path) === null ? null : target.path;
      return target.kind === "value" ? valueKey(program, entry, target.key) : null;
    },
  };
}

/** Of a value that goes into its body its own row, of any other that of the equation that makes it. */
function valueKey(program: Program, entry: Jaxpr, key: string): string | null {
  const bar = key.lastIndexOf("|");
  if (bar < 0) return null;
  const path = key.slice(0, bar);
  const id = key.slice(bar + 1);
  const index = Number(/:(\d+)$/.exec(path)?.[1] ?? 0);
  const call = path === "" ? null : placeOf(program, path)?.eqn.nested[index];
  const jaxpr = path === "" ? entry : call === undefined || call === null ? undefined : program.jaxprs[call.jaxpr];
  if (jaxpr === undefined) return null;
  if (jaxpr.constvars.includes(id) || jaxpr.invars.includes(id)) return key;
  const maker = jaxpr.eqns.find((eqn) => eqn.results.some((result) => result.var === id));
  return maker === undefined ? null : path === "" ? maker.id : `${path}/${maker.id}`;
}

function insideOf(program: Program, body: Body): Inside {
  const { jaxpr, path } = body;
  const ins = jaxpr.constvars.length + jaxpr.invars.length;
  const left = isLeftOut(jaxpr);
  const eqns = left ? 1 : jaxpr.eqns.length;
  const outs = jaxpr.outvars.length;
  return {
    count: ins + eqns + outs,
    left: left ? jaxpr.id : null,
    at(index) {
      if (index < 0 || index >= ins + eqns + outs) return null;
      if (index < ins) return inputItem(body, index);
      if (index >= ins + eqns) return outputItem(body, index - ins - eqns);
      if (left) return leftItem(body);
      const eqn = jaxpr.eqns[index - ins];
      return eqn === undefined ? null : eqnItem(program, jaxpr, eqn, path === "" ? eqn.id : `${path}/${eqn.id}`);
    },
    indexOf(key) {
      const bar = key.lastIndexOf("|");
      if (bar < 0) {
        const at = indexIn(jaxpr.eqns, key.slice(key.lastIndexOf("/") + 1));
        return at < 0 ? -1 : ins + at;
      }
      const id = key.slice(bar + 1);
      if (id === "left") return left ? ins : -1;
      if (id.startsWith(">")) return ins + eqns + Number(id.slice(1));
      const at = jaxpr.constvars.indexOf(id);
      return at >= 0 ? at : jaxpr.invars.includes(id) ? jaxpr.constvars.length + jaxpr.invars.indexOf(id) : -1;
    },
  };
}

function eqnItem(program: Program, jaxpr: Jaxpr, eqn: Eqn, path: string): Item {
  // What is dropped is printed `_`, and nothing reads it.
  const named = eqn.results
    .map((result) => ({ name: nameOf(jaxpr.vars[result.var]), type: result.aval }))
    .filter(({ name }) => name !== "_");
  const made = named.map(({ name, type }) => `${name} ${type}`);
  const [only] = named;
  const unnamed = someOf(eqn.results.map((result) => result.aval));
  const makes = named.length === 1 && only !== undefined ? only : { name: someOf(made), type: named.length === 0 ? unnamed : "" };
  const reads = eqn.nested.length > 0 ? rolesOf(jaxpr, eqn) : ofThese(eqn.operands.map(({ atom }) => nameOfAtom(jaxpr, atom)));
  const note = [reads, twinsOf(program, path).length > 0 ? "has a twin" : ""].filter((words) => words !== "");
  return {
    key: path,
    kind: "eqn",
    role: null,
    line: { title: titleOf(eqn), ...makes, note: note.join("; ") },
    target: { kind: "eqn", path },
    inside: bodiesOf(program, eqn, path),
  };
}

/** `const lr; carry w; xs x, y; xs residual h`: in the order of the operands. */
function rolesOf(jaxpr: Jaxpr, eqn: Eqn): string {
  const byRole = new Map<string, string[]>();
  for (const { atom, role, kind } of eqn.operands) {
    const word = [isPlain(role) ? "" : role, kind ?? ""].filter((each) => each !== "").join(" ");
    byRole.set(word, [...(byRole.get(word) ?? []), nameOfAtom(jaxpr, atom)]);
  }
  return [...byRole].map(([word, names]) => (word === "" ? ofThese(names) : `${word} ${someOf(names)}`)).join("; ");
}

/** One body is what is in it; several are items of their own. */
function bodiesOf(program: Program, eqn: Eqn, path: string): Inside | null {
  const bodies = eqn.nested.flatMap((call, index): Body[] => {
    const jaxpr = program.jaxprs[call.jaxpr];
    return jaxpr === undefined ? [] : [{ jaxpr, path: index === 0 ? path : `${path}:${index}`, call, outer: eqn }];
  });
  const [first] = bodies;
  if (first === undefined) return null;
  if (bodies.length === 1) return insideOf(program, first);
  const key = (index: number): string => `${path}:${index}`;
  return {
    count: bodies.length,
    left: null,
    at(index) {
      const body = bodies[index];
      if (body === undefined) return null;
      return {
        key: key(index),
        kind: "body",
        role: null,
        line: { title: body.call?.label ?? "", name: "", type: "", note: count(equationsOf(body.jaxpr), "equation") },
        target: { kind: "eqn", path: body.path },
        inside: insideOf(program, body),
      };
    },
    indexOf: (wanted) => bodies.findIndex((_, index) => key(index) === wanted),
  };
}

function inputItem({ jaxpr, path, call, outer }: Body, index: number): Item {
  const consts = jaxpr.constvars.length;
  const id = (index < consts ? jaxpr.constvars[index] : jaxpr.invars[index - consts]) ?? "";
  const from = index < consts ? call?.consts[index] : call?.inputs[index - consts];
  const operand = from?.from === "operand" ? outer?.operands[from.index] : undefined;
  const role = index < consts && operand === undefined ? "const" : (operand?.role ?? from?.from ?? "input");
  const enters = isPlain(role) ? "input" : role.endsWith("const") ? role : `${role} in`;
  const note = call === null ? (index < consts ? "const" : "input") : withKind(enters, operand?.kind);
  const variable = jaxpr.vars[id];
  const line = { title: nameOf(variable), name: "", type: variable?.aval ?? "", note };
  const target: Target = { kind: "value", key: `${path}|${id}` };
  return { key: `${path}|${id}`, kind: "value", role: colourOf(role, operand?.kind), line, target, inside: null };
}

function outputItem({ jaxpr, path, call, outer }: Body, index: number): Item {
  const atom = jaxpr.outvars[index] ?? { literal: "?", aval: "" };
  const goes = call?.outputs[index] ?? [];
  const result = goes.flatMap(({ to, index: at }) => (to === "result" ? (outer?.results[at] ?? []) : []))[0];
  const next = goes.some(({ to }) => to === "next");
  const role = result?.role ?? (next ? "carry" : "result");
  const leaves = next ? "carry out" : role === "result" ? "result" : `${role} out`;
  const words = goes.some(({ to }) => to === "predicate") ? "predicate" : withKind(leaves, result?.kind);
  const target: Target = isLiteral(atom) ? { kind: "value", key: `${path}|>${index}` } : { kind: "value", key: `${path}|${atom.var}` };
  return {
    key: `${path}|>${index}`,
    kind: "value",
    role: colourOf(role, result?.kind),
    line: { title: nameOfAtom(jaxpr, atom), name: "", type: avalOfAtom(jaxpr, atom), note: call === null ? "output" : words },
    target,
    inside: null,
  };
}

/** Roles that say nothing beside that it is read. */
function isPlain(role: string): boolean {
  return role === "operand" || role === "arg";
}

function withKind(words: string, kind: string | null | undefined): string {
  return kind == null ? words : `${words}, ${kind}`;
}

/** As the inspector colours it: a residual is that before anything else. */
function colourOf(role: string, kind: string | null | undefined): string {
  return kind === "residual" ? kind : role;
}

function leftItem({ jaxpr, path }: Body): Item {
  const line = { title: `${count(jaxpr.left_out, "equation")} to come`, name: "", type: "", note: "asked for now" };
  return { key: `${path}|left`, kind: "left", role: null, line, target: null, inside: null };
}

function count(n: number, noun: string): string {
  return `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}
