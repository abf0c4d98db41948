// A toggle changes one group of a level: what is known of the others is used again, and says what it would say anew.
import { describe, expect, it, vi } from "vitest";
import { Readers } from "../../src/drawing/graph/fold/readers.ts";
import { foldable } from "../../src/drawing/graph/folds.ts";
import { programLevel } from "../../src/drawing/graph/jaxpr.ts";
import { moduleLevel } from "../../src/drawing/graph/module.ts";
import { foldableOps } from "../../src/drawing/graph/opfolds.ts";
import type { Module, Program } from "../../src/model/types.ts";
import { draw } from "../../src/viewer/draw.ts";
import { fixture } from "../page/programs.ts";

function drawn(program: Program, open: readonly string[] | null) {
  return draw({ kind: "program", program }, { open }, "");
}

function transformer(): Program {
  const [program] = fixture("transformer").programs;
  if (program === undefined) throw new Error("no program");
  return program;
}

function lowered(name: string): Module {
  const module = fixture(name).programs[0]?.modules.stablehlo;
  if (module === undefined) throw new Error("no module");
  return module;
}

it("opens and closes groups as if each drawing were the first", () => {
  const program = transformer();
  const first = drawn(program, null);
  const groups = first.scene.folds.map(({ key }) => key);
  expect(groups.length).toBeGreaterThan(3);
  let open = [...first.open];
  for (const key of [groups[1] ?? "", groups[2] ?? ""]) {
    open = [...open, key];
    expect(drawn(program, open)).toEqual(drawn(transformer(), open));
  }
  expect(drawn(program, first.open)).toEqual(first);
});

it("works out what goes in and out of a group once, whatever is opened beside it", () => {
  const program = transformer();
  const { scene, open } = drawn(program, null);
  const [group] = scene.folds.filter(({ eqns }) => eqns.length > 3);
  if (group === undefined) throw new Error("no group of equations");
  const asked = vi.spyOn(Readers.prototype, "that");
  drawn(program, [...open, group.key]);
  drawn(program, open);
  // It holds equations alone: nothing in it is a group, and every other is known.
  const inner = group.inner.reduce((sum, { eqns }) => sum + eqns.length, 0);
  expect(asked.mock.calls.length).toBeLessThanOrEqual(inner);
  asked.mockRestore();
});

describe("a body", () => {
  for (const name of ["transformer", "nested", "frame_rules", "frame_refs", "frame_while"])
    it(`of ${name} opens and closes as if each drawing were the first`, () => {
      const [program, anew] = [fixture(name).programs[0]!, () => fixture(name).programs[0]!];
      const first = drawn(program, []);
      const paths = foldable(program).filter((path) => path.split("/").length < 3);
      expect(paths.length).toBeGreaterThan(0);
      const open = new Set<string>();
      for (const path of paths.slice(0, 6)) {
        open.add(path);
        expect(drawn(program, [...open])).toEqual(drawn(anew(), [...open]));
      }
      for (const path of [...open].slice(1)) {
        open.delete(path);
        expect(drawn(program, [...open])).toEqual(drawn(anew(), [...open]));
      }
      expect(drawn(program, [])).toEqual(first);
    });

  for (const name of ["twice", "frame_tree"])
    it(`of the module ${name} opens and closes as if each drawing were the first`, () => {
      const module = lowered(name);
      const shown = (of: Module, open: readonly string[]) => draw({ kind: "module", module: of }, { open }, "");
      const first = shown(module, []);
      const paths = foldableOps(module).slice(0, 5);
      expect(paths.length).toBeGreaterThan(2);
      let open: string[] = [];
      for (const key of paths) {
        open = [...open, key];
        expect(shown(module, open)).toEqual(shown(lowered(name), open));
      }
      const [group] = shown(module, open).scene.folds;
      if (group !== undefined) expect(shown(module, [...open, group.key])).toEqual(shown(lowered(name), [...open, group.key]));
      for (const key of paths) {
        open = open.filter((each) => each !== key);
        expect(shown(module, open)).toEqual(shown(lowered(name), open));
      }
      expect(shown(module, [])).toEqual(first);
    });

  it("of a module is one node of its level made anew, and no other", () => {
    const module = lowered("twice");
    const closed = moduleLevel(module, new Set(), "none").nodes;
    const bodies = closed.filter(({ call }) => call !== null).map(({ key }) => key);
    expect(bodies.length).toBeGreaterThan(1);
    for (const key of bodies) {
      const open = moduleLevel(module, new Set([key]), "none").nodes;
      expect(open.filter((node, v) => node !== closed[v]).map((node) => node.key)).toEqual([key]);
    }
  });

  it("is one node of its level made anew, and no other", () => {
    const program = transformer();
    const closed = programLevel(program, new Set(), "none").nodes;
    const bodies = closed.filter(({ call }) => call !== null).map(({ key }) => key);
    expect(bodies.length).toBeGreaterThan(1);
    for (const key of bodies) {
      const open = programLevel(program, new Set([key]), "none").nodes;
      expect(open.length).toBe(closed.length);
      expect(open.filter((node, v) => node !== closed[v]).map((node) => node.key)).toEqual([key]);
    }
  });

  it("asks nobody who reads what, and folds nothing again", () => {
    const program = transformer();
    const { open } = drawn(program, null);
    const { nodes, pairs } = programLevel(program, new Set(), "none");
    // One that is open beside its twin has a place of its own in the folded level.
    const twins = new Set(pairs.flatMap(({ forward, backward }) => [forward, backward]));
    const body = nodes.find(({ call }, v) => call !== null && !twins.has(v))!;
    drawn(program, open);
    const asked = [vi.spyOn(Readers.prototype, "that"), vi.spyOn(Readers.prototype, "of")];
    const toggled = open.includes(body.key) ? open.filter((key) => key !== body.key) : [...open, body.key];
    drawn(program, toggled);
    expect(asked.map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    for (const each of asked) each.mockRestore();
  });
});
