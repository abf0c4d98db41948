// A plain equation of a whole jaxpr says what it would say if all of it were made at once, and makes nothing before.
import { describe, expect, it, vi } from "vitest";
import { eqnNode } from "../../src/drawing/graph/jaxpr.ts";
import { type Feed, spread } from "../../src/drawing/graph/level.ts";
import { PlainNode } from "../../src/drawing/graph/plain.ts";
import { placesOf } from "../../src/drawing/graph/written.ts";
import { fixture } from "../page/programs.ts";

const FIXTURES = ["01_grad_of_scan", "07_recompute", "frame_reducers", "frame_remat", "frame_tangents", "nested", "transformer"];
const nothing = (): Feed => ({ kind: "none" });

describe("a plain equation", () => {
  for (const name of FIXTURES)
    it(`${name}: says what it says at once`, () => {
      let compared = 0;
      for (const program of fixture(name).programs)
        for (const jaxpr of Object.values(program.jaxprs)) {
          const around = { jaxpr, path: "e7:body", places: placesOf(program), notes: new Map<string, string>() };
          const ctx = { program, open: new Set<string>(), twins: [] };
          for (const eqn of jaxpr.eqns.filter(({ nested, effects }) => nested.length === 0 && effects.length === 0)) {
            const node = new PlainNode(around, eqn, `e7:body/${eqn.id}`, eqn.operands.map(nothing));
            expect(spread(node)).toEqual(eqnNode(ctx, eqn, jaxpr, "e7:body", nothing));
            expect(node.results).toBe(node.outs.length);
            compared++;
          }
        }
      expect(compared).toBeGreaterThan(0);
    });

  it("makes its ports when they are asked for", () => {
    const [program] = fixture("transformer").programs;
    const jaxpr = program!.jaxprs[program!.entry as string]!;
    const eqn = jaxpr.eqns.find(({ nested, operands }) => nested.length === 0 && operands.length > 0)!;
    const read = vi.fn();
    const get = (of: typeof jaxpr.vars, id: string | symbol): unknown => {
      read(id);
      return Reflect.get(of, id);
    };
    const vars = new Proxy(jaxpr.vars, { get });
    const around = { jaxpr: { ...jaxpr, vars }, path: "", places: placesOf(program!), notes: new Map<string, string>() };
    const node = new PlainNode(around, eqn, eqn.id, eqn.operands.map(nothing));
    expect([node.title, node.note, node.results, node.scope.length >= 0, node.key]).toContain(eqn.primitive);
    expect(read).not.toHaveBeenCalled();
    expect(node.ins).toBe(node.ins);
    expect(read).toHaveBeenCalled();
  });
});
