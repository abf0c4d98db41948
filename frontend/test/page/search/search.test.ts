import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hiding } from "../../../src/page/program/hiding.ts";
import { eqnIndex } from "../../../src/page/program/instances.ts";
import { moduleIndex } from "../../../src/page/program/links.ts";
import { search } from "../../../src/page/program/search/hits.ts";
import { parseQuery } from "../../../src/page/program/search/query.ts";
import { trailOf } from "../../../src/page/program/search/where.ts";
import { atOnce, Dropped, inSlices } from "../../../src/page/program/slices.ts";
import { draw } from "../../../src/viewer/draw.ts";
import { fixture, trainingScan } from "../programs.ts";

const grad = fixture("01_grad_of_scan").programs[0]!;
const source = Array.from({ length: 40 }, (_, line) => `code of line ${line + 1}`).join("\n");
const keys = (query: string, program = grad) => atOnce(search(program, null, source, query)).entries.map((entry) => entry.key);
const modules = (query: string) => {
  const program = fixture("01_grad_of_scan").programs[0]!;
  return atOnce(search(program, program.modules.stablehlo!, source, query)).entries;
};

describe("a query", () => {
  it("is words that must all fit, some of them for one field", () => {
    expect(parseQuery('scan carry type:f32[4, name:"my w"')).toEqual([
      { field: null, text: "scan", whole: false },
      { field: null, text: "carry", whole: false },
      { field: "type", text: "f32[4,", whole: false },
      { field: "name", text: "my w", whole: false },
    ]);
    expect(parseQuery("w")).toEqual([{ field: null, text: "w", whole: true }]);
    expect(parseQuery("primitive:dot")[0]?.field).toBe("prim");
    expect(parseQuery("a:f32[3]")).toEqual([{ field: null, text: "a:f32[3]", whole: false }]);
  });

  it("is any text at all", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const terms = parseQuery(text);
        expect(terms.every((term) => term.text !== "")).toBe(true);
        expect(() => keys(text)).not.toThrow();
      }),
      { numRuns: 200 },
    );
  });
});

describe("hits of a program", () => {
  it("come in program order, at every instance, with the bodies they stand in", () => {
    const found = atOnce(search(grad, null, source, "prim:mul")).entries;
    expect(found.length).toBeGreaterThan(3);
    for (const { key } of found) expect(eqnIndex(grad).get(key.split("/").pop()!)?.eqn.primitive).toBe("mul");
    expect(found.some(({ key }) => key.startsWith("e0/"))).toBe(true);
    expect(trailOf(grad, null, found.find(({ key }) => key.startsWith("e0/"))!)).toEqual(["scan ×8"]);
  });

  it("are of names whole where they are short, and of values where they are bound", () => {
    const train = trainingScan();
    expect(keys("w", train)).toEqual(["|a", "e0", "e0|h"]);
    expect(keys("name:w role:carry", train)).toEqual(["e0", "e0|h"]);
    expect(keys("scan w xs", train)).toEqual(["e0"]);
    expect(keys("type:f32[2,3]", train)).toContain("e0|i");
  });

  it("are of params by name and value, also inside of brackets", () => {
    expect(keys("length=8")).toEqual(["e0", "e6"]);
    expect(keys("axes=0").length).toBeGreaterThan(0);
    expect(keys("param:reverse=true")).toEqual(["e6"]);
    expect(keys("length=")).toEqual(["e0", "e6"]);
    expect(keys("length=80")).toEqual([]);
  });

  it("are of lines and of their text", () => {
    const line = grad.jaxprs[grad.entry!]!.eqns[0]!.span!.line;
    expect(keys(`line:${line}`)).toContain("e0");
    expect(keys(`line:${line}-${line + 1} prim:scan`)).toContain("e0");
    expect(keys(`source:"code of line ${line}" scan`)).toContain("e0");
    expect(keys("line:x")).toEqual([]);
  });

  it("combine", () => {
    expect(keys("scan carry")).toEqual(["e0", "e6"]);
    expect(keys("scan residual")).toEqual(keys("prim:scan role:residual"));
    expect(keys("scan nowhere")).toEqual([]);
    expect(keys("op:dot")).toEqual([]);
    expect(keys("op:while")).toEqual(["e0", "e6"]);
  });

  it("light what holds them where it is closed", () => {
    const { parts } = atOnce(search(grad, null, source, "prim:tanh"));
    expect([...parts.paths]).toEqual(["e0/e9"]);
    expect([...parts.within]).toEqual(["e0"]);
    const closed = draw({ kind: "program", program: grad }, { open: [] }, "");
    expect(hiding(closed, "e0/e9")).toEqual(["e0"]);
  });

  it("of a module are its ops, inside of what is called", () => {
    const index = moduleIndex(fixture("01_grad_of_scan").programs[0]!.modules.stablehlo!);
    const found = modules("tanh");
    expect(found.length).toBeGreaterThan(0);
    for (const { id } of found) expect(index.ops.get(id)?.name).toBe("stablehlo.tanh");
    expect(modules("stablehlo.while").length).toBe(2);
    expect(modules("type:tensor<8xf32>").length).toBeGreaterThan(2);
  });
});

describe("work in slices", () => {
  function* long(): Generator<void, number> {
    for (let i = 0; i < 1000; i++) {
      const until = performance.now() + 0.05;
      while (performance.now() < until);
      yield;
    }
    return 7;
  }
  it("pauses, and comes to its end", async () => {
    let pauses = 0;
    const pause = async (): Promise<void> => void pauses++;
    expect(await inSlices(long(), new AbortController().signal, pause)).toBe(7);
    expect(pauses).toBeGreaterThan(1);
  });
  it("ends when nobody wants it", async () => {
    const drop = new AbortController();
    const pause = async (): Promise<void> => drop.abort();
    await expect(inSlices(long(), drop.signal, pause)).rejects.toThrow(Dropped);
  });
});
