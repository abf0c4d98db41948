import { describe, expect, it } from "vitest";
import { drawModule, drawProgram, foldable, foldableOps } from "../../src/drawing/index.ts";
import { draw } from "../../src/viewer/draw.ts";
import { example, examples } from "./fixtures.ts";

const within = (eqn: string | null, path: string): boolean =>
  eqn === null || eqn === path || eqn.startsWith(`${path}/`) || eqn.startsWith(`${path}:`);

describe("a body shown alone", () => {
  it("is drawn with what it takes and gives, and nothing else of the program", () => {
    for (const { name, program } of examples().filter((each) => /^(0[1256789]|10|jitted)/.test(each.name))) {
      for (const path of foldable(program).slice(0, 3)) {
        const scene = drawProgram(program, { open: new Set(), alone: path });
        const frame = scene.frames.find((each) => each.eqn === path);
        // What calls a module as it is has no jaxpr to show.
        if (frame === undefined) continue;
        expect(scene.frames[0], name).toBe(frame);
        expect(
          [...scene.frames, ...scene.nodes].filter(({ eqn }) => !within(eqn, path)),
          `${name} ${path}`,
        ).toEqual([]);
        const keys = [...scene.frames, ...scene.nodes, ...scene.ports].map(({ key }) => key);
        expect(new Set(keys).size, `${name} ${path}`).toBe(keys.length);
      }
    }
  }, 30_000);

  it("keeps the keys that it has among the others, so that what moves can be followed", () => {
    const program = example("01_grad_of_scan");
    const all = new Set(drawProgram(program, { open: new Set(["e0"]) }).nodes.map(({ key }) => key));
    const inside = drawProgram(program, { open: new Set(), alone: "e0" }).nodes.filter(({ eqn }) => eqn?.startsWith("e0/"));
    expect(inside.length).toBeGreaterThan(2);
    expect(inside.filter(({ key }) => !all.has(key))).toEqual([]);
  });

  it("can be an op of a module", () => {
    const { module } = { module: example("02_training_scan").modules.stablehlo! };
    const paths = foldableOps(module);
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) {
      const scene = drawModule(module, { open: new Set(), alone: path });
      expect(scene.frames[0]?.eqn, path).toBe(path);
      expect(scene.nodes.filter(({ eqn }) => !within(eqn, path))).toEqual([]);
    }
  });

  it("that is not there is all of the program, and the drawing says so", () => {
    const program = example("01_grad_of_scan");
    const whole = draw({ kind: "program", program }, { open: null }, "t");
    const none = draw({ kind: "program", program }, { open: null, alone: "e0/e77" }, "t");
    expect([whole.alone, none.alone]).toEqual([null, null]);
    expect(none.scene).toEqual(whole.scene);
    expect(draw({ kind: "program", program }, { open: null, alone: "e0" }, "t").alone).toBe("e0");
  });
});
