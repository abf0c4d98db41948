import { describe, expect, it } from "vitest";
import { drawProgram, initialOpen, sceneToSvg, svgToString } from "../../src/drawing/index.ts";
import { svgWritten } from "../../src/drawing/svg/written.ts";
import { atOnce } from "../../src/model/slices.ts";
import { examples } from "./fixtures.ts";

describe("an SVG that is written in slices", () => {
  it("is the one that is written at once, letter by letter", () => {
    for (const { program } of examples()) {
      const scene = drawProgram(program, { open: initialOpen(program), overlay: "flops" });
      for (const options of [
        { theme: "auto", title: program.name, legend: true, alt: null, width: null },
        { theme: "dark", title: "<x>", legend: false, width: 300 },
      ] as const)
        expect(atOnce(svgWritten(scene, options))).toBe(svgToString(sceneToSvg(scene, options)));
    }
  });
});
