import { describe, expect, it } from "vitest";
import { ancestorsOf, eqnOf, firstPath, parentOf } from "../../src/page/program/instances.ts";
import { eqnsOf, isGone, opsOf, rangeAt, spanHolds } from "../../src/page/program/links.ts";
import { instanceOf, litBy, NOTHING } from "../../src/page/program/lit.ts";
import { marksOf, targetOf } from "../../src/page/program/marks.ts";
import { writtenAt } from "../../src/page/program/places.ts";
import { printedOf } from "../../src/page/program/printed.ts";
import { factsOf } from "../../src/page/program/value.ts";
import { module, op, span, trainingScan } from "./programs.ts";

const inner = op("o2", "stablehlo.multiply", { text_span: [20, 30] });
const loop = op("o1", "stablehlo.while", {
  text_span: [0, 40],
  regions: [{ label: "body", blocks: [{ args: [], ops: [inner, op("o3", "stablehlo.return")] }] }],
});
const linked = {
  ...trainingScan(),
  modules: { stablehlo: module([loop], "x".repeat(50)) },
  links: { stablehlo: { e0: ["o1"], e1: ["o2"] } },
};

describe("instance paths", () => {
  it("come apart", () => {
    expect(eqnOf("e3:1/e7")).toBe("e7");
    expect(eqnOf("e3:1")).toBe("e3");
    expect(parentOf("e3:1/e7")).toBe("e3:1");
    expect(parentOf("e3")).toBeNull();
    expect(ancestorsOf("e1/e2/e3")).toEqual(["e1", "e1/e2"]);
  });

  it("are found for an equation of a body", () => {
    expect(firstPath(linked, "e1")).toBe("e0/e1");
    expect(firstPath(linked, "e0")).toBe("e0");
    expect(firstPath(linked, "e9")).toBeNull();
  });
});

describe("links between levels", () => {
  it("go from equations to ops and back", () => {
    expect(opsOf(linked, "stablehlo", "e1")).toEqual(["o2"]);
    expect(eqnsOf(linked, "o2")).toEqual(["e1"]);
  });

  it("fall back to the op that encloses one without a link", () => {
    expect(eqnsOf(linked, "o3")).toEqual(["e0"]);
    expect(eqnsOf(linked, "nowhere")).toEqual([]);
  });

  it("tell what is gone from what was never lowered", () => {
    expect(isGone(linked, "stablehlo", "e0")).toBe(false);
    expect(isGone({ ...linked, links: { stablehlo: { e1: ["o2"] } } }, "stablehlo", "e0")).toBe(true);
    expect(isGone(trainingScan(), "stablehlo", "e0")).toBe(false);
    expect(isGone({ ...linked, links: { stablehlo: {} } }, "stablehlo", "e0")).toBe(false);
  });
});

describe("places in the paste", () => {
  it("hold columns, ends excluded", () => {
    const s = span(3, 2, 5);
    expect([1, 2, 4, 5].map((col) => spanHolds(s, 3, col))).toEqual([false, true, true, false]);
    expect(spanHolds(span(3, 8, 2, 5), 4, 0)).toBe(true);
    expect(spanHolds(span(3, 8, 2, 5), 5, 3)).toBe(false);
  });

  it("mean the equations of the narrowest span", () => {
    expect(writtenAt(linked, 7, 10).eqns).toEqual(["e0"]);
    expect(writtenAt(linked, 5, 5).eqns).toEqual(["e1"]);
    expect(writtenAt(linked, 1, 0).eqns).toEqual([]);
  });

  it("find the narrowest range in a text", () => {
    expect(rangeAt(printedOf(linked, "stablehlo").ranges, 25)).toBe("o2");
    expect(rangeAt(printedOf(linked, "stablehlo").ranges, 5)).toBe("o1");
    expect(rangeAt(printedOf(linked, "stablehlo").ranges, 45)).toBeNull();
  });
});

describe("a value", () => {
  it("knows who makes it and who reads it", () => {
    expect(factsOf(linked, "|d")).toMatchObject({ maker: null, readers: ["e0"], place: "input", returned: false });
    expect(factsOf(linked, "e0|g")).toMatchObject({ maker: null, readers: ["e0/e1"], returned: true });
    expect(factsOf(linked, "e0|k")).toMatchObject({ maker: "e0/e1", readers: [], place: "made", returned: true });
    expect(factsOf(linked, "e0|zz")).toBeNull();
  });
});

describe("what lights", () => {
  it("an equation lights its ops and its source", () => {
    const lit = litBy(linked, { kind: "eqn", path: "e0/e1" }, true);
    expect([...lit.eqns]).toEqual(["e1"]);
    expect([...lit.ops]).toEqual(["o2"]);
    expect(lit.spans).toEqual([span(5, 4, 10)]);
    expect(lit.path).toBe("e0/e1");
  });

  it("an op lights its equation and the source of that", () => {
    const lit = litBy(linked, { kind: "op", id: "o2" }, true);
    expect([...lit.eqns]).toEqual(["e1"]);
    expect(lit.spans).toEqual([span(5, 4, 10)]);
  });

  it("a place lights equations while the text is the one traced, and nothing after it was edited", () => {
    expect([...litBy(linked, { kind: "place", line: 5, col: 6 }, true).ops]).toEqual(["o2"]);
    expect(litBy(linked, { kind: "place", line: 5, col: 6 }, false)).toEqual(NOTHING);
  });

  it("leads the inspector to an instance", () => {
    expect(instanceOf(linked, { kind: "op", id: "o2" }, true)).toBe("e0/e1");
    expect(instanceOf(linked, { kind: "eqn", path: "e7" }, true)).toBeNull();
    expect(instanceOf(linked, null, true)).toBeNull();
  });

  it("speaks the viewer's words at both levels", () => {
    const lit = litBy(linked, { kind: "eqn", path: "e0/e1" }, true);
    expect(marksOf("jaxpr", lit).path).toBe("e0/e1");
    expect([...marksOf("stablehlo", lit).ids]).toEqual(["o2"]);
    expect(targetOf("stablehlo", { key: "k", eqn: "o1/o2", value: null })).toEqual({ kind: "op", id: "o2", path: "o1/o2" });
    expect(targetOf("jaxpr", { key: "k", eqn: "e0/e1", value: null })).toEqual({ kind: "eqn", path: "e0/e1" });
    expect(targetOf("jaxpr", { key: "k", eqn: null, value: "|a" })).toEqual({ kind: "value", key: "|a" });
    expect(targetOf("jaxpr", null)).toBeNull();
  });
});
