import { describe, expect, it } from "vitest";
import type { Eqn, Program } from "../../src/model/types.ts";
import { editsOf, editWords, isAnother, movedPath } from "../../src/page/program/edits.ts";
import { eqnIndex } from "../../src/page/program/instances.ts";
import { movedOpen, movedTarget } from "../../src/page/state/open.ts";
import { eqn, fixture, jaxpr, program, result, variable } from "./programs.ts";

const of = (ids: string, primitives: string, aval = "f32[]"): Eqn[] =>
  primitives.split(" ").map((primitive, at) => eqn(`${ids}${at}`, primitive, { results: [result(`${ids}v${at}`, aval)] }));
const made = (eqns: Eqn[]): Program =>
  program([
    jaxpr(
      "j0",
      eqns,
      eqns.map((one) => variable(one.results[0]?.var ?? "", "f32[]")),
    ),
  ]);
const nested = (id: string, inner: string): Eqn =>
  eqn(id, "scan", {
    results: [result(`${id}r`, "f32[]")],
    nested: [{ param: "jaxpr", label: "body", jaxpr: inner, inputs: [], outputs: [], consts: [], finals: [] }],
  });

describe("an edit", () => {
  it("keeps equations whatever their ids", () => {
    const edits = editsOf(made(of("a", "mul add tanh")), made(of("b", "mul sin add tanh")));
    expect([...edits.same]).toEqual(
      [
        ["a0", "b0"],
        ["a1", "b2"],
        ["a2", "b3"],
      ].sort(),
    );
    expect(edits.added).toEqual(["b1"]);
    expect(edits.removed).toBe(0);
    expect(editWords(edits)).toBe("1 equation added");
  });

  it("tells what is gone and what has another type", () => {
    const edits = editsOf(made(of("a", "mul add tanh")), made([...of("b", "mul"), ...of("c", "tanh", "f32[3]")]));
    expect(edits.changed).toEqual(["c0"]);
    expect(editWords(edits)).toBe("1 equation changed, 1 removed");
  });

  it("looks into bodies, and moves paths through them", () => {
    const before = program([jaxpr("j0", [nested("e0", "j1")], []), jaxpr("j1", of("a", "mul add"), [])]);
    const after = program([jaxpr("k0", [...of("x", "neg"), nested("f1", "k1")], []), jaxpr("k1", of("b", "mul add add"), [])]);
    const edits = editsOf(before, after);
    expect(movedPath(edits, "e0/a1")).toBe("f1/b1");
    expect(movedPath(edits, "e0:1/a0")).toBe("f1:1/b0");
    expect(movedPath(edits, "e9")).toBeNull();
    expect(editWords(edits)).toBe("2 equations added");
    // What was open and selected goes along; a group that has a name of its own stays open.
    const open = movedOpen({ "jaxpr:p0": new Set(["e0", "group 1"]) }, before, { ...after, id: "p1" }, edits);
    expect([...(open["jaxpr:p1"] ?? [])]).toEqual(["f1", "group 1"]);
    expect(movedTarget(edits, { kind: "eqn", path: "e0/a1" })).toEqual({ kind: "eqn", path: "f1/b1" });
    expect(movedTarget(edits, { kind: "eqn", path: "e7" })).toBeNull();
  });

  it("is nothing where the program is the same", () => {
    for (const name of ["01_grad_of_scan", "06_branches", "transformer"]) {
      for (const one of fixture(name).programs) {
        const edits = editsOf(one, structuredClone(one));
        expect(editWords(edits)).toBe("");
        expect([...edits.same].every(([old, now]) => old === now)).toBe(true);
        expect(edits.same.size).toBe(eqnIndex(one).size);
      }
    }
  });

  it("is another program where more is new than was there", () => {
    expect(isAnother(editsOf(made(of("a", "mul add")), made(of("b", "mul add sin"))))).toBe(false);
    expect(isAnother(editsOf(made(of("a", "mul add")), made(of("b", "mul sin cos tan"))))).toBe(true);
  });

  it("pairs each equation once", () => {
    const edits = editsOf(made(of("a", "mul mul add mul sin")), made(of("b", "mul sin mul mul add add")));
    expect(new Set(edits.same.values()).size).toBe(edits.same.size);
    expect(edits.added.length + edits.same.size).toBe(6);
    expect(edits.removed + edits.same.size).toBe(5);
  });
});
