// Equations and jaxprs made by hand, as small as a rule needs them.
import type { Call, Eqn, Jaxpr, Program } from "../../../src/model/types.ts";

export type Shapes = Readonly<Record<string, readonly number[]>>;

export function jaxprOf(shapes: Shapes, eqns: Eqn[] = [], invars: string[] = [], outvars: string[] = [], id = "j0"): Jaxpr {
  const vars = Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => [
      name,
      { id: name, name, label: null, aval: `f32[${shape}]`, dtype: "float32", shape: [...shape], weak_type: false },
    ]),
  );
  return {
    id,
    name: "f",
    vars,
    eqns,
    invars,
    outvars: outvars.map((v) => ({ var: v })),
    constvars: [],
    consts: {},
    bound: {},
    defined: null,
    packed: null,
    left_out: 0,
  };
}

export function equation(primitive: string, operands: string[], results: string[], params: Readonly<Record<string, string>> = {}): Eqn {
  return {
    id: `${primitive}-${results.join()}`,
    primitive,
    operands: operands.map((name) => ({ atom: { var: name }, role: "operand", kind: null, linear: null })),
    results: results.map((name) => ({ var: name, aval: "", role: "result", kind: null, used: true })),
    params: Object.entries(params).map(([name, text]) => ({ name, text })),
    call: null,
    where: null,
    nested: [],
    effects: [],
    printed: null,
    span: null,
    stack: [],
    trips: null,
  };
}

export function calling(eqn: Eqn, jaxprs: readonly string[], trips: number | null = null): Eqn {
  const nested = jaxprs.map(
    (jaxpr, i): Call => ({ jaxpr, label: `branch ${i}`, param: "jaxpr", inputs: [], outputs: [], consts: [], finals: [] }),
  );
  return { ...eqn, nested, trips };
}

export function programOf(entry: string, ...jaxprs: Jaxpr[]): Program {
  return {
    id: "p0",
    name: "f",
    entry,
    jaxprs: Object.fromEntries(jaxprs.map((jaxpr) => [jaxpr.id, jaxpr])),
    count: 1,
    embedded: [],
    hoisted: [],
    links: {},
    made_from: null,
    modules: {},
    origin: "make_jaxpr",
    parameters: null,
    span: null,
    texts: {},
    twins: [],
    calls: [],
    loops: [],
    written: [],
    templates: [],
    left_out: [],
    printer: null,
    ran: null,
    rules: {},
  };
}
