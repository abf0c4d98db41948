import { describe, expect, it } from "vitest";
import { fusedWith, fusionsOf } from "../../src/page/program/fused.ts";
import { eqn, jaxpr, module, op, program } from "./programs.ts";

const inner = [op("h5", "add"), op("h6", "tanh"), op("h7", "bitcast"), op("h8", "return")];
const outer = module([op("h0", "fusion", { callee: "fused" }), op("h1", "fusion", { callee: "alone" }), op("h2", "dot")]);
const [main] = outer.functions;
const body = (name: string, ops: typeof inner) => ({ ...main!, id: name, name, region: { label: "", blocks: [{ args: [], ops }] } });
const compiled = program([jaxpr("j0", [eqn("e0", "dot_general"), eqn("e1", "add"), eqn("e2", "tanh"), eqn("e3", "sin")], [])], {
  modules: { hlo: { ...outer, functions: [...outer.functions, body("fused", inner), body("alone", [op("h9", "sine")])] } },
  links: { hlo: { e2: ["h6", "h0"], e1: ["h5"], e0: ["h2"], e3: ["h9", "h1"] } },
});

describe("what was fused into one loop", () => {
  it("is told by the instructions of the computation, in the order of the program", () => {
    expect(fusionsOf(compiled).map(({ op: { id }, eqns }) => [id, eqns])).toEqual([
      ["h0", ["e1", "e2"]],
      ["h1", ["e3"]],
    ]);
    expect(fusedWith(compiled, "e1").map(({ op: { id } }) => id)).toEqual(["h0"]);
  });

  it("is nothing for an equation alone, or where nothing was compiled", () => {
    expect(fusedWith(compiled, "e3")).toEqual([]);
    expect(fusedWith(compiled, "e0")).toEqual([]);
    expect(fusionsOf(program([jaxpr("j0", [], [])]))).toEqual([]);
  });
});
