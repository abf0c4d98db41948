/** Small levels by hand, for tests of what happens before anything is measured. */
import { type Feed, inputNode, type Level, type LevelNode, outputNode, type PortInfo } from "../../src/drawing/graph/level.ts";
import type { Written } from "../../src/drawing/graph/written.ts";

export function port(name: string, letter = false): PortInfo {
  return { role: "plain", group: "", name, letter, type: "f32[8]", value: null, used: true, hint: "", cotangent: false };
}

export class LevelBuilder {
  readonly nodes: LevelNode[] = [];
  readonly #inputs: { node: number; outer: number }[] = [];
  readonly #outputs: { node: number; outer: number }[] = [];

  input(name: string): Feed {
    this.nodes.push(inputNode(`|${name}`, port(name)));
    this.#inputs.push({ node: this.nodes.length - 1, outer: -1 });
    return this.#last();
  }

  op(title: string, feeds: readonly Feed[], scope: readonly string[] = [], written?: Written): Feed {
    const key = `e${this.nodes.length}`;
    const words = { title, note: "", label: "", type: "f32[8]", hint: "", scope };
    const ends = { ins: feeds.map((_, i) => port(`i${i}`)), feeds: [...feeds], outs: [port(key, true)] };
    this.nodes.push({ kind: "op", key, eqn: key, ...words, ...ends, call: null, back: false, twin: null, ...(written && { written }) });
    return this.#last();
  }

  output(name: string, feed: Feed): void {
    this.nodes.push(outputNode(`|out${this.#outputs.length}`, port(name), feed));
    this.#outputs.push({ node: this.nodes.length - 1, outer: -1 });
  }

  level(): Level {
    return { nodes: this.nodes, inputs: this.#inputs, outputs: this.#outputs, pairs: [], twoLanes: false };
  }

  #last(): Feed {
    return { kind: "node", node: this.nodes.length - 1, port: 0 };
  }
}
