// Small programs for tests, written as data; and the fixtures that scripts/fixtures.py traces.
import { readFileSync } from "node:fs";
import type { Diagnostic, Eqn, Jaxpr, Module, Op, Operand, Program, Result, Span, Trace, Var } from "../../src/model/types.ts";

export function fixture(name: string): Trace {
  return JSON.parse(readFileSync(new URL(`../traces/${name}.json`, import.meta.url), "utf8")) as Trace;
}

export function variable(id: string, aval: string, label: string | null = null): Var {
  return { id, name: id, aval, shape: [], dtype: "float32", weak_type: false, label };
}

export function operand(atom: string | { literal: string; aval: string }, role: Operand["role"], extra: Partial<Operand> = {}): Operand {
  return { atom: typeof atom === "string" ? { var: atom } : atom, role, kind: null, linear: null, ...extra };
}

export function result(id: string, aval: string, role: Result["role"] = "result", used = true): Result {
  return { var: id, aval, used, role, kind: null };
}

export function eqn(id: string, primitive: string, parts: Partial<Eqn> = {}): Eqn {
  const empty = { params: [], operands: [], results: [], nested: [], effects: [], stack: [] };
  return { id, primitive, ...empty, span: null, trips: null, printed: null, call: null, where: null, ...parts };
}

export function jaxpr(id: string, eqns: Eqn[], vars: Var[], parts: Partial<Jaxpr> = {}): Jaxpr {
  return {
    id,
    name: id,
    constvars: [],
    consts: {},
    invars: [],
    outvars: [],
    eqns,
    vars: Object.fromEntries(vars.map((v) => [v.id, v])),
    bound: {},
    defined: null,
    packed: null,
    left_out: 0,
    ...parts,
  };
}

export function program(jaxprs: Jaxpr[], parts: Partial<Program> = {}): Program {
  return {
    id: "p0",
    name: "main",
    origin: "make_jaxpr",
    count: 1,
    span: null,
    entry: jaxprs[0]?.id ?? null,
    jaxprs: Object.fromEntries(jaxprs.map((j) => [j.id, j])),
    twins: [],
    texts: {},
    modules: {},
    links: {},
    parameters: null,
    made_from: null,
    hoisted: [],
    embedded: [],
    calls: [],
    loops: [],
    written: [],
    templates: [],
    left_out: [],
    printer: null,
    ran: null,
    rules: {},
    ...parts,
  };
}

export function trace(programs: Program[], parts: Partial<Trace> = {}): Trace {
  return {
    schema: 1,
    input: "python",
    jax: "0.10.2",
    programs,
    output: { text: "", truncated: false },
    diagnostics: [],
    notes: [],
    offers: [],
    timings: {},
    title: "",
    text: null,
    ...parts,
  };
}

export function problem(field: string | null, message = "no", parts: Partial<Diagnostic> = {}): Diagnostic {
  return {
    severity: "error",
    code: "entry-signature",
    type: "",
    message,
    advice: "Do.",
    span: null,
    frames: [],
    stage: "trace",
    field,
    ...parts,
  };
}

export function span(line: number, col: number, endCol: number, endLine = line): Span {
  return { line, col, end_line: endLine, end_col: endCol };
}

export function op(id: string, name: string, parts: Partial<Op> = {}): Op {
  return {
    id,
    name,
    operands: [],
    results: [],
    attributes: {},
    regions: [],
    callee: null,
    span: null,
    text_span: null,
    trips: null,
    successors: [],
    location: null,
    ...parts,
  };
}

export function module(ops: Op[], text = ""): Module {
  return {
    dialect: "stablehlo",
    packed: null,
    name: "jit_main",
    ops: [],
    text,
    values: {},
    functions: [
      {
        id: "f0",
        name: "main",
        args: [],
        results: [],
        attributes: {},
        text_span: null,
        span: null,
        region: { label: "", blocks: [{ args: [], ops }] },
      },
    ],
  };
}

/** A scan over six batches: const lr, carry w, xs xs and ys, as the lesson has it. */
export function trainingScan(): Program {
  const body = jaxpr(
    "j1",
    [eqn("e1", "mul", { operands: [operand("g", "arg"), operand("h", "arg")], results: [result("k", "f32[3]")], span: span(5, 4, 10) })],
    [
      variable("g", "f32[]", "lr"),
      variable("h", "f32[3]", "w"),
      variable("i", "f32[2,3]", "x"),
      variable("j", "f32[2]", "y"),
      variable("k", "f32[3]"),
    ],
    { invars: ["g", "h", "i", "j"], outvars: [{ var: "k" }, { var: "g" }] },
  );
  const scan = eqn("e0", "scan", {
    params: [
      { name: "jaxpr", text: "j1" },
      { name: "length", text: "6" },
      { name: "num_carry", text: "1" },
      { name: "num_consts", text: "1" },
      { name: "reverse", text: "False" },
      { name: "unroll", text: "1" },
    ],
    operands: [operand("d", "const"), operand("a", "carry"), operand("b", "xs"), operand("c", "xs")],
    results: [result("u", "f32[3]", "carry"), result("v", "f32[6]", "ys")],
    nested: [
      {
        param: "jaxpr",
        label: "body",
        jaxpr: "j1",
        inputs: [0, 1, 2, 3].map((index) => ({ from: "operand", index })),
        outputs: [
          [
            { to: "next", index: 1 },
            { to: "result", index: 0 },
          ],
          [{ to: "result", index: 1 }],
        ],
        consts: [],
        finals: [],
      },
    ],
    span: span(7, 4, 40),
    trips: 6,
  });
  const entry = jaxpr(
    "j0",
    [scan],
    [
      variable("a", "f32[3]", "w"),
      variable("b", "f32[6,2,3]", "xs"),
      variable("c", "f32[6,2]", "ys"),
      variable("d", "f32[]", "lr"),
      variable("u", "f32[3]", "w"),
      variable("v", "f32[6]"),
    ],
    { invars: ["a", "b", "c", "d"], outvars: [{ var: "u" }, { var: "v" }] },
  );
  return program([entry, body], { name: "train" });
}
