import { expect, test } from "vitest";
import { CARD, cardOf, codeCard, readable, scaleFor } from "../../src/drawing/card/card.ts";
import { factsOf, NO_FACTS } from "../../src/drawing/card/facts.ts";
import { drawProgram, initialOpen } from "../../src/drawing/index.ts";
import type { Scene } from "../../src/drawing/scene.ts";
import type { SvgNode } from "../../src/drawing/svg/node.ts";
import { textWidth } from "../../src/drawing/text.ts";
import type { Trace } from "../../src/model/types.ts";
import lesson from "../traces/01_grad_of_scan.json" with { type: "json" };
import nested from "../traces/nested.json" with { type: "json" };
import transformer from "../traces/transformer.json" with { type: "json" };

const program = (trace: unknown) => (trace as Trace).programs[0]!;
const sized = (width: number, height: number): Scene => ({ ...drawn(lesson), width, height });

function drawn(trace: unknown, open?: ReadonlySet<string>): Scene {
  return drawProgram(program(trace), { open: open ?? initialOpen(program(trace)) });
}

function all(node: SvgNode, tag: string): SvgNode[] {
  return [node, ...node.children.flatMap((child) => (typeof child === "string" ? [] : all(child, tag)))].filter((each) => each.tag === tag);
}

test("equations of a body are counted once, and what is taken has the person's names", () => {
  expect(factsOf(program(lesson))).toEqual({
    size: "18 equations, 2 nested bodies",
    inputs: ["gain f32[]", "h0 f32[]", "xs f32[8]"],
    results: ["f32[]"],
  });
  expect(factsOf(program(transformer)).inputs.at(-1)).toMatch(/^and \d+ more$/);
});

test("the first that can be read is taken, and nothing after it is drawn", () => {
  const small = sized(700, 500);
  const made: Scene[] = [];
  const less = function* (...scenes: Scene[]): Generator<Scene> {
    for (const scene of scenes) {
      made.push(scene);
      yield scene;
    }
  };
  expect(readable(small, less(sized(1, 1)))).toBe(small);
  const large = sized(9000, 9000);
  expect(readable(large, less(sized(8000, 8000), small, sized(1, 1)))).toBe(small);
  expect(made).toHaveLength(2);
  const middle = sized(3000, 3000);
  expect(readable(large, [middle, sized(5000, 5000)])).toBe(middle);
});

test("what is too large is cut off with a fade at the edges where it goes on, and nothing else has one", () => {
  const fades = (scene: Scene): number =>
    all(cardOf({ title: "f", level: "jaxpr", facts: NO_FACTS }, scene), "rect").filter(({ attrs }) => "opacity" in attrs).length;
  expect(fades(sized(600, 500))).toBe(0);
  const one = fades(sized(600, 5000));
  expect(one).toBeGreaterThan(8);
  expect(fades(sized(5000, 5000))).toBe(2 * one);
  expect(scaleFor(sized(5000, 5000))).toBeLessThan(0.2);
});

test("the drawing stays in its panel, and the words in theirs", () => {
  for (const trace of [lesson, nested, transformer]) {
    const scene = drawn(trace);
    const card = cardOf(
      { title: "a.very_long(name, with=many)parts_and_more_of_them".repeat(3), level: "jaxpr", facts: factsOf(program(trace)) },
      scene,
    );
    const inner = all(card, "svg")[1]!.attrs;
    expect(Number(inner.x)).toBeGreaterThan(412 - 1e-6);
    expect(Number(inner.x) + Number(inner.width)).toBeLessThanOrEqual(CARD.width + 0.01);
    expect(Number(inner.y) + Number(inner.height)).toBeLessThanOrEqual(CARD.height + 0.01);
    const words = card.children.filter(
      (child): child is SvgNode => typeof child !== "string" && child.tag === "text" && child.attrs.x === "48",
    );
    expect(words.length).toBeGreaterThan(4);
    for (const { attrs, children } of words) {
      const style = attrs["font-family"] ? "type" : "title";
      const size = style === "type" ? 9.5 : 12.5;
      expect(48 + textWidth(String(children[0]), style) * (Number(attrs["font-size"]) / size)).toBeLessThan(412);
    }
  }
});

test("code without a drawing is shown line by line, as far as it goes", () => {
  const card = codeCard({ title: "f", level: "not traced", facts: NO_FACTS }, `a\r\nb\rc\n${"x".repeat(400)}\n${"d\n".repeat(60)}`);
  const lines = all(card, "text").filter(({ attrs }) => attrs["xml:space"] === "preserve");
  expect(lines.slice(0, 3).map(({ children }) => children[0])).toEqual(["a", "b", "c"]);
  expect(String(lines[3]!.children[0])).toMatch(/^x{40,100}\u2026$/);
  expect(Number(lines.at(-1)!.attrs.y)).toBeLessThan(CARD.height);
});
