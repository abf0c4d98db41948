/**
 * Graphs with the shape of jaxprs, as levels: an unrolled loop whose steps share one weight and one bias, and an optimizer that updates
 * many leaves side by side from a few shared scalars. The same node sizes and ports go to every engine.
 */
import { type Feed, inputNode, type Level, type LevelNode, outputNode, type PortInfo } from "../src/drawing/graph/level.ts";

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
    const key = `e${this.nodes.length}`;
    const ins = feeds.map(() => port("x"));
    const words = { title, note: "", label: "", type: "f32[8]", hint: "" };
    this.nodes.push({ kind: "op", key, eqn: key, ...words, ins, feeds, outs: [port(key)], call: null, back: false, twin: null, scope: [] });
    return this.last();
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
export function unrolled(size: number): Level {
  const b = new Builder();
  const w = b.input("w");
  const bias = b.input("b");
  let x = b.input("x");
  for (let i = 0; i < size / 3; i++) x = b.op("tanh", b.op("add", b.op("dot_general", w, x), bias));
  b.output(x);
  return b.level();
}

/** About `size` equations: Adam on many leaves, fourteen equations each. */
export function wide(size: number): Level {
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
