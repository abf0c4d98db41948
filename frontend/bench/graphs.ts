/**
 * Graphs with the shape of jaxprs, as levels: the largest bodies of the fixtures with everything closed, and three made by rule: an
 * unrolled loop whose steps share one weight and one bias, a deep net with its transpose that reads every residual in reverse, and an
 * optimizer that updates many leaves side by side from a few shared scalars.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Feed, inputNode, type Level, type LevelNode, outputNode, type PortInfo } from "../src/drawing/graph/level.ts";
import type { Jaxpr, Trace } from "../src/model/types.ts";

function port(name: string): PortInfo {
  return { role: "plain", group: "", name, letter: false, type: "f32[8]", value: null, used: true, hint: "", cotangent: false };
}

class Builder {
  readonly nodes: LevelNode[] = [];
  readonly inputs: { node: number; outer: number }[] = [];
  readonly outputs: { node: number; outer: number }[] = [];

  input(name: string): Feed {
    this.nodes.push(inputNode(`in${this.nodes.length}`, port(name)));
    this.inputs.push({ node: this.nodes.length - 1, outer: -1 });
    return this.last();
  }

  op(title: string, ...feeds: Feed[]): Feed {
    return this.eqn(title, feeds, 1)[0]!;
  }

  eqn(title: string, feeds: Feed[], results: number): Feed[] {
    const key = `e${this.nodes.length}`;
    const ins = feeds.map(() => port("x"));
    const outs = Array.from({ length: results }, (_, i) => port(`${key}.${i}`));
    const words = { title, note: "", label: "", type: "f32[8]", hint: "" };
    this.nodes.push({ kind: "op", key, eqn: key, ...words, ins, feeds, outs, call: null, back: false, twin: null, scope: [] });
    return outs.map((_, i) => ({ kind: "node", node: this.nodes.length - 1, port: i }));
  }

  output(feed: Feed): void {
    this.nodes.push(outputNode(`out${this.nodes.length}`, port("y"), feed));
    this.outputs.push({ node: this.nodes.length - 1, outer: -1 });
  }

  level(): Level {
    return { nodes: this.nodes, inputs: this.inputs, outputs: this.outputs, pairs: [], twoLanes: false };
  }

  private last(): Feed {
    return { kind: "node", node: this.nodes.length - 1, port: 0 };
  }
}

/** About `size` equations in steps of three: x = tanh(w @ x + b). */
function unrolled(size: number): Level {
  const b = new Builder();
  const w = b.input("w");
  const bias = b.input("b");
  let x = b.input("x");
  for (let i = 0; i < size / 3; i++) x = b.op("tanh", b.op("add", b.op("dot_general", w, x), bias));
  b.output(x);
  return b.level();
}

/** About `size` equations, nine a layer: x += tanh(x @ w), and its transpose from the last layer to the first. */
function gradient(size: number): Level {
  const b = new Builder();
  const layers = Math.max(1, Math.round(size / 9));
  let x = b.input("x");
  const weights = Array.from({ length: layers }, (_, i) => b.input(`w${i}`));
  const saved: [Feed, Feed][] = [];
  for (const w of weights) {
    const t = b.op("tanh", b.op("dot_general", x, w));
    saved.push([x, t]);
    x = b.op("add", x, t);
  }
  let ct = b.op("integer_pow", x);
  const made: Feed[] = [];
  weights.forEach((_, k) => {
    const i = layers - 1 - k;
    const [before, t] = saved[i]!;
    const dt = b.op("mul", ct, b.op("sub", b.op("mul", t, t)));
    made.push(b.op("dot_general", before, dt));
    ct = b.op("add_any", ct, b.op("dot_general", dt, weights[i]!));
  });
  for (const feed of made.reverse()) b.output(feed);
  b.output(ct);
  return b.level();
}

/** About `size` equations: Adam on many leaves, fourteen equations each. */
function wide(size: number): Level {
  const b = new Builder();
  const rate = b.input("lr");
  const step = b.input("step");
  const c1 = b.op("sub", step, step);
  const c2 = b.op("pow", step, c1);
  const leaves = Math.max(1, Math.round(size / 14));
  const made: Feed[] = [];
  const params = Array.from(
    { length: leaves },
    (_, i) => [b.input(`p${i}`), b.input(`g${i}`), b.input(`m${i}`), b.input(`v${i}`)] as const,
  );
  for (const [p, g, m, v] of params) {
    const m2 = b.op("add", b.op("mul", m, c1), b.op("mul", g, c2));
    const v2 = b.op("add", b.op("mul", v, c1), b.op("mul", b.op("square", g), c2));
    const denominator = b.op("add", b.op("sqrt", b.op("div", v2, c2)), step);
    const update = b.op("mul", b.op("div", b.op("div", m2, c1), denominator), rate);
    made.push(b.op("sub", p, update), m2, v2);
  }
  for (const feed of made) b.output(feed);
  return b.level();
}

/** npm runs scripts in the package folder. */
const TRACES = resolve("test/traces");

/** The largest body of a fixture, flat: no lanes, nothing folded, what is nested is one box. */
function fixture(name: string): Level {
  const trace = JSON.parse(readFileSync(resolve(TRACES, `${name}.json`), "utf8")) as Trace;
  const bodies = trace.programs.flatMap((program) => Object.values(program.jaxprs));
  return flat(bodies.reduce((a, b) => (b.eqns.length > a.eqns.length ? b : a)));
}

function flat(jaxpr: Jaxpr): Level {
  const b = new Builder();
  const known = new Map<string, Feed>();
  const feedOf = (atom: { var: string } | { literal: string }): Feed => {
    if ("var" in atom) return known.get(atom.var) ?? { kind: "none" };
    return { kind: "literal", text: atom.literal, hint: "", eqn: null, value: null };
  };
  for (const id of [...jaxpr.constvars, ...jaxpr.invars]) known.set(id, b.input(jaxpr.vars[id]?.name ?? id));
  for (const eqn of jaxpr.eqns) {
    const feeds = eqn.operands.map((operand) => feedOf(operand.atom));
    const made = b.eqn(eqn.primitive, feeds, eqn.results.length);
    eqn.results.forEach((result, i) => {
      known.set(result.var, made[i]!);
    });
  }
  for (const atom of jaxpr.outvars) b.output(feedOf(atom));
  return b.level();
}

/** By name, from small to large; a later size of one family is not tried by an engine that gave up on an earlier one. */
export const GRAPHS: readonly { name: string; family: string; level: () => Level }[] = [
  { name: "lesson: grad of scan", family: "", level: () => fixture("01_grad_of_scan") },
  { name: "lesson: recompute", family: "", level: () => fixture("07_recompute") },
  { name: "transformer, gradient", family: "", level: () => fixture("transformer") },
  ...made("unrolled", unrolled, [100, 300, 1000]),
  ...made("gradient", gradient, [100, 300]),
  ...made("wide", wide, [100, 300, 1000, 3000]),
];

/** Ours alone: nobody else comes near. */
export const LARGE = [...made("unrolled", unrolled, [50_000]), ...made("wide", wide, [50_000])];

function made(family: string, rule: (size: number) => Level, sizes: readonly number[]) {
  return sizes.map((size) => ({ name: `${family} ${size}`, family, level: () => rule(size) }));
}
