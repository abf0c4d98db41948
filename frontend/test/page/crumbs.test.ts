import { describe, expect, it } from "vitest";
import { crumbsOf, hiddenCrumbs, opPath } from "../../src/page/program/crumbs.ts";
import { eqnIndex, firstPath, placeOf } from "../../src/page/program/instances.ts";
import { spokenStop } from "../../src/page/program/speak.ts";
import { node } from "../viewer/scenes.ts";
import { fixture } from "./programs.ts";

const branches = fixture("06_branches").programs[0]!;
const jits = fixture("09_jit_in_jit").programs[0]!;
const words = (program: typeof branches, path: string | null): string[] => crumbsOf(program, "jaxpr", path).map(({ text }) => text);

function pathOf(program: typeof branches, primitive: string): string {
  for (const { eqn } of eqnIndex(program).values()) if (eqn.primitive === primitive) return firstPath(program, eqn.id) ?? "";
  return "";
}

describe("crumbs", () => {
  it("begin at the program", () => {
    expect(words(branches, null)).toEqual([branches.name]);
    expect(words(branches, "nowhere")).toEqual([branches.name]);
  });

  it("say which of several bodies something stands in", () => {
    const cond = pathOf(branches, "cond");
    const { nested } = placeOf(branches, cond)!.eqn;
    // Whatever stands in the body: an equation that is not known has no crumb.
    expect(words(branches, `${cond}:1/x`).slice(-2)).toEqual(["cond", nested[1]!.label]);
    expect(words(branches, `${cond}/x`).slice(-2)).toEqual(["cond", nested[0]!.label]);
    // Both lead to the equation itself.
    expect(crumbsOf(branches, "jaxpr", `${cond}:1/x`).at(-1)?.path).toBe(cond);
  });

  it("name what a call calls", () => {
    const call = jits.jaxprs[jits.entry ?? ""]!.eqns.find(({ nested }) => nested.length > 0)!;
    expect(words(jits, call.id)[1]).toMatch(/^p?jit\(\w+\)$/);
  });

  it("walk through the regions of a module", () => {
    const module = branches.modules.stablehlo!;
    const holder = module.functions
      .flatMap(({ region }) => region.blocks)
      .flatMap(({ ops }) => ops)
      .find(({ regions }) => regions.length > 0)!;
    const inside = holder.regions[0]!.blocks[0]!.ops[0]!;
    const path = opPath(branches, inside.id)!;
    expect(path).toBe(`${holder.id}/${inside.id}`);
    expect(crumbsOf(branches, "stablehlo", path).length).toBe(3);
    expect(opPath(branches, "none")).toBeNull();
  });
});

describe("a row of crumbs", () => {
  const row = ["program", "jit(step)", "scan ×8", "cond", "true", "mul"].map((text) => ({ text, path: text, holds: true }));

  it("hides what is in the middle first, never the two ends", () => {
    expect(hiddenCrumbs(row, 2000)).toBe(0);
    const some = hiddenCrumbs(row, 320);
    expect(some).toBeGreaterThan(0);
    expect(hiddenCrumbs(row, 10)).toBe(row.length - 2);
    for (let width = 0; width < 800; width += 10) expect(hiddenCrumbs(row, width)).toBeGreaterThanOrEqual(hiddenCrumbs(row, width + 10));
  });
});

describe("what is said of a stop", () => {
  it("is what it takes and gives", () => {
    const cond = pathOf(branches, "cond");
    expect(spokenStop(branches, node(cond, 0, 0, { title: "cond" }))).toMatch(/^cond, \d+ inputs, \d+ results?/);
  });

  it("is its title where there is no equation", () => {
    expect(spokenStop(null, node("w", 0, 0, { kind: "input", title: "w", eqn: null, hint: "w f32[3]" }))).toBe("input w f32[3]");
  });
});
