/** Long programs: what is a chain in the program is a chain in the picture, however long it is. */
import { describe, expect, it } from "vitest";
import { type Feed, inputNode, type Level, type LevelNode, outputNode, type PortInfo } from "../../src/drawing/graph/level.ts";
import { layoutLevel } from "../../src/drawing/layout/box.ts";

const LENGTH = 1200;

function port(name: string): PortInfo {
  return { role: "plain", group: "", name, letter: false, type: "f32[8]", value: null, used: true, hint: "", cotangent: false };
}

type Step = (at: number, before: number) => Feed[];

const wire = (node: number): Feed => ({ kind: "node", node, port: 0 });
const literal = (text: string): Feed => ({ kind: "literal", text, hint: "", eqn: null, value: null });

/** One input, `LENGTH` steps of which each reads the one before, one output. */
function chain(step: Step): Level {
  const nodes: LevelNode[] = [inputNode("|x", port("x"))];
  for (let at = 1; at <= LENGTH; at++) {
    const feeds = step(at, at - 1);
    const words = { title: "mul", note: "", label: "", type: "f32[8]", hint: "" };
    const ends = { ins: feeds.map((_, i) => port(`i${i}`)), outs: [port(`v${at}`)] };
    nodes.push({ kind: "op", key: `e${at}`, eqn: `e${at}`, ...words, ...ends, feeds, call: null, back: false, twin: null, scope: [] });
  }
  nodes.push(outputNode("|out0", port("y"), wire(LENGTH)));
  return { nodes, inputs: [{ node: 0, outer: -1 }], outputs: [{ node: LENGTH + 1, outer: -1 }], pairs: [], twoLanes: false };
}

describe("a long chain", () => {
  it.each<[string, Step, number]>([
    ["of unary steps", (_, before) => [wire(before)], 1.2],
    ["of steps with a number on their left", (_, before) => [literal("0.12345"), wire(before)], 1.2],
    ["of steps with numbers on either side", (at, before) => (at % 2 ? [literal("2.0"), wire(before)] : [wire(before), literal("2.0")]), 2],
    ["of steps that read the one before twice", (_, before) => [wire(before), wire(before)], 2],
    ["of residual blocks", (at, before) => (at % 2 || at === 1 ? [wire(before)] : [wire(before - 1), wire(before)]), 8],
    ["of residual blocks with the skip on the right", (at, before) => (at % 2 ? [wire(before)] : [wire(before), wire(before - 1)]), 8],
  ])("%s is a few nodes wide", (_, step, nodes) => {
    const box = layoutLevel(chain(step), false, null);
    const widest = Math.max(...box.parts.map((part) => part.w));
    expect(box.width).toBeLessThan(nodes * widest);
  });
});
