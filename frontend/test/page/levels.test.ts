/** The level chooser: one value in the state, steps of depth, and only groupings that say something about the program. */

import { describe, expect, it } from "vitest";
import { AS_FITS } from "../../src/drawing/scene.ts";
import { deeper, knownOf, missing, shallower } from "../../src/page/state/levels.ts";
import { fresh } from "../../src/page/state/saved.ts";
import { initial, update } from "../../src/page/state/update.ts";
import { draw } from "../../src/viewer/draw.ts";
import { example } from "../drawing/fixtures.ts";
import { eqn, jaxpr, program } from "./programs.ts";

const SAVED = fresh("");

describe("levels", () => {
  it("step through the depths, to everything and back", () => {
    const steps = [deeper(AS_FITS)];
    for (let i = 0; i < 3; i++) steps.push(deeper(steps[steps.length - 1]!));
    expect(steps.map(({ depth }) => depth)).toEqual([2, 3, "all", "all"]);
    expect(shallower({ by: "calls", depth: "all" })).toEqual({ by: "calls", depth: 3 });
    expect(shallower({ by: "auto", depth: 0 })).toEqual({ by: "auto", depth: 0 });
  });

  it("take the place of what was opened by hand", () => {
    const opened = update(initial(SAVED), { type: "open", key: "jaxpr:p0", open: new Set(["e0"]) });
    const next = update(opened, { type: "levels", levels: { by: "none", depth: 1 } });
    expect(next.levels).toEqual({ by: "none", depth: 1 });
    expect(next.open).toEqual({});
    expect(update(next, { type: "open", key: "jaxpr:p0", open: new Set() }).levels).toBe(next.levels);
  });

  it("are offered where the program knows what they go by", () => {
    const plain = knownOf(program([jaxpr("j0", [eqn("e0", "add", { stack: [{ kind: "scope", name: "ab,bc->ac" }] })], [])]));
    expect(plain).toEqual({ names: false, calls: false, modules: false });
    expect(missing("scopes", plain)).toContain("no name scopes");
    expect(missing("auto", plain)).toBeNull();
    const transformer = knownOf(example("transformer"));
    expect(missing("scopes", transformer)).toBeNull();
    expect(missing("calls", transformer)).toBeNull();
    expect(missing("modules", transformer)).toContain("no modules");
  });
});

describe("a drawing down to a depth", () => {
  const transformer = example("nested");
  const drawn = (depth: number | "all") =>
    draw({ kind: "program", program: transformer }, { open: null, levels: { by: "auto", depth } }, "");

  it("has every body closed at 0, and shows more with each step", () => {
    expect(drawn(0).open).toEqual([]);
    const boxes = [0, 1, 2].map((depth) => drawn(depth).scene.nodes.length);
    expect(boxes).toEqual([...boxes].sort((a, b) => a - b));
    expect(new Set(boxes).size).toBe(3);
  });

  it("shows every equation once at the end, and says that nothing stays closed", () => {
    const { scene, left } = drawn("all");
    expect(left).toBe(0);
    expect(scene.folds).toEqual([]);
    const shown = scene.nodes.flatMap((node) => (node.kind === "op" ? (node.eqn ?? []) : []));
    expect(new Set(shown).size).toBe(shown.length);
    const leaves = (transformer.jaxprs[transformer.entry!]?.eqns ?? []).filter((each) => each.nested.length === 0);
    const chips = new Set(scene.chips.map((chip) => chip.eqn));
    expect(leaves.filter(({ id }) => !shown.includes(id) && !chips.has(id))).toEqual([]);
  });
});
