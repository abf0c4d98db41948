// Everything of a level that can be found, in program order, with where it stands. Made in slices: a large program has tens of thousands.
import { rootsOf } from "../../../drawing/graph/ops/context.ts";
import { attributeText } from "../../../drawing/graph/ops/notes.ts";
import type { Call, Eqn, Jaxpr, Module, Op, Program } from "../../../model/types.ts";
import { isLiteral, nameOf } from "../instances.ts";
import { allOpsOf, opName, opOf } from "../links.ts";
import type { Field } from "./query.ts";

/** What is searched of an equation, an op or a value: the same object for every instance. */
export interface Facts {
  readonly title: string;
  /** Beside the title: its type, or what it is called. */
  readonly note: string;
  /** Line of the paste, where known. */
  readonly line: number | null;
  /** The last line of it. */
  readonly lastLine: number | null;
  /** Lower case, one item a line. */
  text(field: Field): string;
}

export interface Entry {
  readonly kind: "eqn" | "op" | "value";
  /** Instance path of an equation or op; of a value `<path of its jaxpr>|v5`. */
  readonly key: string;
  /** Id of the equation or op; of a value its key. */
  readonly id: string;
  readonly facts: Facts;
}

/** Bodies that are shared stand in many places; more than this nobody steps through. */
export const MOST_ENTRIES = 200_000;
/** A body in a body, as deep as anyone nests; also what ends a module that calls itself. */
const DEEPEST = 64;
/** Of a span that covers many lines the first are searched. */
const MOST_LINES = 4;

/** All entries of the jaxpr level. `source` is the text that was traced. Yields after every step that takes time. */
export function* programEntries(program: Program, source: string): Generator<void, Entry[]> {
  const entries: Entry[] = [];
  const facts = new Map<string, Facts>();
  const lines = source.split("\n");
  const walk = function* (jaxpr: Jaxpr, path: string, call: Call | null, outer: Eqn | null, depth: number): Generator<void> {
    const values = [...jaxpr.constvars, ...jaxpr.invars];
    for (const [at, id] of values.entries()) {
      const key = `${path}|${id}`;
      const role = at < jaxpr.constvars.length ? "const" : roleOf(call, outer, at - jaxpr.constvars.length);
      entries.push({ kind: "value", key, id: key, facts: valueFacts(jaxpr, id, role) });
    }
    for (const eqn of jaxpr.eqns) {
      if (entries.length >= MOST_ENTRIES) return;
      let known = facts.get(eqn.id);
      if (known === undefined) {
        known = eqnFacts(program, jaxpr, eqn, lines);
        facts.set(eqn.id, known);
      }
      const key = path === "" ? eqn.id : `${path}/${eqn.id}`;
      entries.push({ kind: "eqn", key, id: eqn.id, facts: known });
      yield;
      if (depth >= DEEPEST) continue;
      for (const [index, nested] of eqn.nested.entries()) {
        const body = program.jaxprs[nested.jaxpr];
        if (body !== undefined) yield* walk(body, index === 0 ? key : `${key}:${index}`, nested, eqn, depth + 1);
      }
    }
  };
  const entry = program.entry === null ? undefined : program.jaxprs[program.entry];
  if (entry !== undefined) yield* walk(entry, "", null, null, 0);
  return entries;
}

/** All entries of a lowered module: the arguments of its main function, and every op that is drawn or printed, callees inside of calls. */
export function* moduleEntries(module: Module, source: string): Generator<void, Entry[]> {
  const entries: Entry[] = [];
  const facts = new Map<string, Facts>();
  const lines = source.split("\n");
  const functions = new Map(module.functions.map((each) => [each.name, each]));
  const walk = function* (ops: readonly Op[], path: string, depth: number): Generator<void> {
    for (const op of ops) {
      if (entries.length >= MOST_ENTRIES) return;
      if (/\.(return|yield)$/.test(op.name)) continue;
      let known = facts.get(op.id);
      if (known === undefined) {
        known = opFacts(module, op, lines);
        facts.set(op.id, known);
      }
      const key = path === "" ? op.id : `${path}/${op.id}`;
      entries.push({ kind: "op", key, id: op.id, facts: known });
      yield;
      if (depth >= DEEPEST) continue;
      const callee = op.callee === null ? undefined : functions.get(op.callee);
      for (const region of callee === undefined ? op.regions : [callee.region]) {
        for (const block of region.blocks) yield* walk(block.ops, key, depth + 1);
      }
    }
  };
  const roots = rootsOf(module);
  for (const { id: name, region } of roots) {
    const path = roots.length > 1 ? name : "";
    for (const id of region.blocks[0]?.args ?? []) {
      entries.push({ kind: "value", key: `${path}|${id}`, id: `${path}|${id}`, facts: argumentFacts(module, id) });
    }
    for (const block of region.blocks) yield* walk(block.ops, path, 0);
  }
  return entries;
}

function roleOf(call: Call | null, outer: Eqn | null, at: number): string {
  if (call === null || outer === null) return "input";
  const from = call.inputs[at];
  return from?.from === "operand" ? (outer.operands[from.index]?.role ?? "") : (from?.from ?? "");
}

function eqnFacts(program: Program, jaxpr: Jaxpr, eqn: Eqn, lines: readonly string[]): Facts {
  const names = (id: string): string[] => {
    const variable = jaxpr.vars[id];
    return variable === undefined ? [] : variable.label === null ? [variable.name] : [variable.label, variable.name];
  };
  const nested = new Set(eqn.nested.map((call) => call.param.replace(/\[.*/, "")));
  const called = eqn.params.find((param) => param.name === "name")?.text;
  return factsOf(
    called === undefined ? eqn.primitive : `${eqn.primitive} ${called}`,
    eqn.results.map((result) => result.aval).join(" "),
    eqn.span?.line ?? null,
    eqn.span?.end_line ?? null,
    {
      name: () => eqn.results.flatMap((result) => names(result.var)),
      prim: () => [eqn.primitive],
      type: () => [
        ...eqn.results.map((result) => result.aval),
        ...eqn.operands.map(({ atom }) => (isLiteral(atom) ? atom.aval : (jaxpr.vars[atom.var]?.aval ?? ""))),
      ],
      param: () => eqn.params.filter((param) => !nested.has(param.name)).map((param) => `${param.name}=${param.text}`),
      scope: () => eqn.stack.map((entry) => (entry.kind === "transform" ? `${entry.name}()` : entry.name)),
      role: () => [...eqn.operands, ...eqn.results].flatMap(({ role, kind }) => (kind === null ? [role] : [role, kind])),
      source: () => excerpt(lines, eqn.span),
      written: () => written(lines, eqn.span),
      op: () => {
        return allOpsOf(program, eqn.id).map((id) => opOf(program, id)?.name ?? "");
      },
    },
  );
}

function valueFacts(jaxpr: Jaxpr, id: string, role: string): Facts {
  const variable = jaxpr.vars[id];
  return factsOf(nameOf(variable), variable?.aval ?? "", null, null, {
    name: () => (variable === undefined ? [] : variable.label === null ? [variable.name] : [variable.label, variable.name]),
    type: () => [variable?.aval ?? ""],
    role: () => [role],
  });
}

function opFacts(module: Module, op: Op, lines: readonly string[]): Facts {
  const value = (id: string): Module["values"][string] | undefined => module.values[id];
  return factsOf(
    `${opName(op)}${op.callee === null ? "" : ` @${op.callee}`}`,
    op.results.map((id) => value(id)?.type ?? "").join(" "),
    op.span?.line ?? null,
    op.span?.end_line ?? null,
    {
      name: () => op.results.flatMap((id) => [value(id)?.name ?? "", value(id)?.label ?? ""]),
      prim: () => [op.name],
      op: () => [op.name],
      type: () => [...op.results, ...op.operands.map((operand) => operand.value)].map((id) => value(id)?.type ?? ""),
      param: () => [
        ...Object.entries(op.attributes).flatMap(([name, text]) => [`${name}=${text}`, `${name}=${attributeText(name, text)}`]),
        ...(op.callee === null ? [] : [`callee=@${op.callee}`]),
      ],
      scope: () => (op.location == null ? [] : [op.location]),
      role: () => [
        ...op.operands.map((operand) => operand.role ?? ""),
        ...op.results.flatMap((id) => [value(id)?.role ?? "", value(id)?.derived === true ? "derived" : ""]),
      ],
      source: () => excerpt(lines, op.span),
      written: () => written(lines, op.span),
    },
  );
}

function argumentFacts(module: Module, id: string): Facts {
  const value = module.values[id];
  return factsOf(value?.label ?? value?.name ?? "?", value?.type ?? "", null, null, {
    name: () => [value?.name ?? "", value?.label ?? ""],
    type: () => [value?.type ?? ""],
    role: () => ["input", value?.role ?? ""],
  });
}

function excerpt(lines: readonly string[], span: Eqn["span"]): string[] {
  return span === null ? [] : lines.slice(span.line - 1, Math.min(span.end_line, span.line - 1 + MOST_LINES));
}

function written(lines: readonly string[], span: Eqn["span"]): string[] {
  const found = excerpt(lines, span);
  if (span === null || found.length === 0) return found;
  const last = found.length - 1;
  if (span.end_line - span.line === last) found[last] = found[last]?.slice(0, span.end_col) ?? "";
  found[0] = found[0]?.slice(span.col) ?? "";
  return found;
}

/** Each text is made when it is first asked for, and once. */
function factsOf(
  title: string,
  note: string,
  line: number | null,
  lastLine: number | null,
  makers: Partial<Record<Field, () => readonly string[]>>,
): Facts {
  const texts = new Map<Field, string>();
  return {
    title,
    note,
    line,
    lastLine,
    text(field) {
      let text = texts.get(field);
      if (text === undefined) {
        text = [...new Set(makers[field]?.() ?? [])].join("\n").toLowerCase();
        texts.set(field, text);
      }
      return text;
    },
  };
}
