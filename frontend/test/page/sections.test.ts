// Modules of a paste: their ops stand where the paste has them, and a split file has one program for each section.
import { describe, expect, it } from "vitest";
import { litBy } from "../../src/page/program/lit.ts";
import { fresh } from "../../src/page/state/saved.ts";
import { initial, update } from "../../src/page/state/update.ts";
import { module, op, program, span, trace } from "./programs.ts";

const ops = [
  op("o0", "stablehlo.while", {
    span: span(3, 2, 5, 8),
    regions: [{ label: "body", blocks: [{ args: [], ops: [op("o1", "stablehlo.add", { span: span(5, 4, 30) })] }] }],
  }),
  op("o2", "func.return", { span: span(9, 2, 10) }),
];
const first = program([], {
  id: "p0",
  name: "@a",
  entry: null,
  origin: "module",
  modules: { stablehlo: module(ops) },
  span: span(2, 0, 1, 10),
});
const second = program([], {
  id: "p1",
  name: "@b",
  entry: null,
  origin: "module",
  modules: { stablehlo: module([]) },
  span: span(12, 0, 1, 14),
});

describe("the ops of a module", () => {
  it("light for the narrowest of them that holds the place, and light their place", () => {
    const lit = litBy(first, { kind: "place", line: 5, col: 10 }, true);
    expect([...lit.ops]).toEqual(["o1"]);
    expect(lit.spans).toEqual([span(5, 4, 30)]);
    expect([...litBy(first, { kind: "place", line: 4, col: 10 }, true).ops]).toEqual(["o0"]);
    expect(litBy(first, { kind: "place", line: 1, col: 0 }, true).ops.size).toBe(0);
    expect(litBy(first, { kind: "place", line: 5, col: 10 }, false).ops.size).toBe(0);
    expect(litBy(first, { kind: "op", id: "o2" }, true).spans).toEqual([span(9, 2, 10)]);
  });
});

describe("a place in a split file", () => {
  const answered = update(update(initial(fresh("code")), { type: "run", id: 1 }), {
    type: "answer",
    id: 1,
    answer: { trace: trace([first, second], { input: "mlir" }), source: "code", asked: null, wishes: [] },
  });

  it("brings the module forward that it is in", () => {
    const there = update(answered, { type: "select", target: { kind: "place", line: 13, col: 0 } });
    expect(there.program).toBe("p1");
    expect(there.selection).toEqual({ kind: "place", line: 13, col: 0 });
    expect(update(there, { type: "select", target: { kind: "place", line: 11, col: 0 } }).program).toBe("p1");
  });

  it("means nothing once the text was edited", () => {
    const edited = update(answered, { type: "edit", source: "other" });
    expect(update(edited, { type: "select", target: { kind: "place", line: 13, col: 0 } }).program).toBe("p0");
  });
});
