// Whose the names of a drawing are: the page's legend says it where the static picture's does (src/drawing/svg/legend.ts).
import { expect, it } from "vitest";
import { drawProgram, type Scene, sceneToSvg, svgToString } from "../../src/drawing/index.ts";
import { namesIn } from "../../src/page/panels/Legend.tsx";
import { eqn, jaxpr, operand, program, result, variable } from "./programs.ts";

function scene(input: string | null, output: string | null): Scene {
  const sin = eqn("e0", "sin", { operands: [operand("a", "arg")], results: [result("b", "f32[3]")] });
  const entry = jaxpr("j0", [sin], [variable("a", "f32[3]", input), variable("b", "f32[3]", output)], {
    invars: ["a"],
    outvars: [{ var: "b" }],
  });
  return drawProgram(program([entry]), { open: new Set() });
}

it("names and letters are explained where both occur, as in the static picture", () => {
  const cases: readonly (readonly [string | null, string | null, string | null])[] = [
    ["w", null, "a letter of JAX's"],
    ["w", "loss", null],
    [null, null, null],
  ];
  for (const [input, output, words] of cases) {
    const drawn = scene(input, output);
    expect(namesIn(drawn)).toBe(words);
    const picture = svgToString(sceneToSvg(drawn, { theme: "light", legend: true }));
    expect(picture.includes("a name in your code")).toBe(words !== null);
    if (words !== null) expect(picture).toContain(words.replace("'", "&#39;"));
  }
});

it("in a module the other names are MLIR's", () => {
  const drawn = scene("w", null);
  const labels = drawn.labels.map((label) => (label.style === "letter" ? { ...label, text: "%0" } : label));
  expect(namesIn({ ...drawn, labels })).toBe("a name in the module");
});
