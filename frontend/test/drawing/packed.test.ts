// A packed program is drawn as the whole one is, and nothing of it is made that the drawing does not show.
import { describe, expect, it, vi } from "vitest";
import { eqnCount, eqnsThat, rowsOf } from "../../src/model/lazy.ts";
import { Rows } from "../../src/model/rows.ts";
import type { Eqn, Program } from "../../src/model/types.ts";
import { unpackProgram } from "../../src/model/unpack.ts";
import { draw } from "../../src/viewer/draw.ts";
import type { Wanted } from "../../src/viewer/protocol.ts";
import { packedProgram } from "../packing.ts";
import { eqn, fixture, jaxpr, operand, program, result, variable } from "../page/programs.ts";

const FIXTURES = [
  "01_grad_of_scan",
  "05_loop_until",
  "07_recompute",
  "10_rules_of_your_own",
  "frame_kernel",
  "frame_reducers",
  "frame_refs",
  "frame_remat",
  "frame_tangents",
  "nested",
  "transformer",
];

/** As it opens, and closed by other groups under an overlay. */
const WISHES: readonly Wanted[] = [{ open: null }, { open: [], levels: { by: "repeats", depth: null }, overlay: "bytes" }];
const OPEN: readonly Wanted[] = [
  { open: null, levels: { by: "auto", depth: 2 } },
  { open: null, levels: { by: "none", depth: 1 } },
];

function arrived(whole: Program): Program {
  return unpackProgram({ outline: packedProgram(whole), parts: [] });
}

function drawn(given: Program, wanted: Wanted) {
  return draw({ kind: "program", program: given }, wanted, "");
}

describe("a packed program", () => {
  for (const name of FIXTURES) {
    it(`${name}: is drawn as the whole one`, () => {
      for (const whole of fixture(name).programs) {
        const packed = arrived(whole);
        const few = Object.values(whole.jaxprs).every(({ eqns }) => eqns.length < 500);
        for (const wanted of few ? [...WISHES, ...OPEN] : WISHES) expect(drawn(packed, wanted)).toEqual(drawn(whole, wanted));
      }
    });
  }

  it("is the program again to whoever reads all of it", () => {
    for (const whole of fixture("transformer").programs) {
      const packed = arrived(whole);
      for (const [id, body] of Object.entries(whole.jaxprs)) {
        const found = packed.jaxprs[id];
        expect(found?.eqns).toEqual(body.eqns);
        expect({ ...found?.vars }).toEqual(body.vars);
        expect("v" in (found?.vars ?? {})).toBe(false);
      }
    }
  });
});

/** `size` equations, of two templates, that repeat. */
function long(size: number): Program {
  const eqns: Eqn[] = [];
  const vars = [variable("v0", "f32[]")];
  for (let at = 0; at < size; at++) {
    const parts = { operands: [operand(`v${at}`, "arg")], results: [result(`v${at + 1}`, "f32[]")] };
    eqns.push(eqn(`e${at}`, at % 2 === 0 ? "sin" : "cos", parts));
    vars.push(variable(`v${at + 1}`, "f32[]"));
  }
  return program([jaxpr("j0", eqns, vars, { invars: ["v0"], outvars: [{ var: `v${size}` }] })]);
}

describe("of a large packed program", () => {
  it("only what is shown is made", () => {
    const packed = arrived(long(6_000));
    const made = new Set<number>();
    const at = Rows.prototype.at;
    const spy = vi.spyOn(Rows.prototype, "at").mockImplementation(function (this: Rows<unknown>, row) {
      made.add(row);
      return at.call(this, row);
    });
    const { scene } = drawn(packed, { open: null });
    spy.mockRestore();
    expect(scene.nodes.length).toBeGreaterThan(0);
    expect(made.size).toBeLessThan(50);
    expect(scene).toEqual(drawn(long(6_000), { open: null }).scene);
  });

  it("its equations are counted, and picked by what those of a template have in common, without making the others", () => {
    const body = arrived(long(100)).jaxprs.j0;
    if (body === undefined) throw new Error("no body");
    const make = vi.spyOn(Rows.prototype, "at");
    expect(eqnCount(body)).toBe(100);
    expect([...eqnsThat(body, ({ nested }) => nested.length > 0)]).toEqual([]);
    expect(make).not.toHaveBeenCalled();
    make.mockRestore();
    expect([...eqnsThat(body, ({ primitive }) => primitive === "cos")].length).toBe(50);
    expect(rowsOf(body)?.at(3)).toBe(body.eqns[3]);
  });
});
