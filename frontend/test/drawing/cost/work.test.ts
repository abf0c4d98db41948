import { describe, expect, it } from "vitest";
import { liveOf } from "../../../src/drawing/cost/live.ts";
import { workOf } from "../../../src/drawing/cost/work.ts";
import { calling, equation, jaxprOf, programOf } from "./made.ts";

const body = jaxprOf({ x: [10], y: [10] }, [equation("sin", ["x"], ["y"])], ["x"], ["y"], "body");
const long = jaxprOf({ x: [10], y: [10] }, [equation("sin", ["x"], ["y"]), equation("mul", ["y", "y"], ["y"])], ["x"], ["y"], "long");

describe("work", () => {
  it("of a scan is that of its body for every step", () => {
    const scan = calling(equation("scan", ["a"], ["b"]), ["body"], 8);
    const program = programOf("j0", jaxprOf({ a: [10], b: [10] }, [scan], ["a"], ["b"]), body);
    expect(workOf(program, "j0")).toEqual({ flops: 80, uncounted: new Set(), perTurn: false });
  });

  it("of a cond is that of the costliest branch", () => {
    const cond = calling(equation("cond", ["a"], ["b"]), ["body", "long"]);
    expect(workOf(programOf("j0", jaxprOf({ a: [10], b: [10] }, [cond]), body, long), "j0").flops).toBe(20);
  });

  it("of a while is that of one turn, and says so", () => {
    const loop = calling(equation("while", ["a"], ["b"]), ["body", "long"]);
    expect(workOf(programOf("j0", jaxprOf({ a: [10], b: [10] }, [loop]), body, long), "j0")).toMatchObject({ flops: 30, perTurn: true });
  });

  it("tells what it could not count", () => {
    const jaxpr = jaxprOf({ a: [10], b: [10] }, [equation("eigh", ["a"], ["b"]), equation("sin", ["b"], ["a"])]);
    expect(workOf(programOf("j0", jaxpr), "j0")).toMatchObject({ flops: 10, uncounted: new Set(["eigh"]) });
  });

  it("of a program that holds itself ends", () => {
    const jaxpr = jaxprOf({ a: [1] }, [calling(equation("jit", ["a"], ["a"]), ["j0"])]);
    expect(workOf(programOf("j0", jaxpr), "j0").flops).toBe(0);
  });
});

describe("live memory", () => {
  it("holds inputs throughout and frees a value after its last reader", () => {
    const jaxpr = jaxprOf(
      { a: [10], b: [100], c: [1], d: [1] },
      [equation("exp", ["a"], ["b"]), equation("reduce_sum", ["b"], ["c"]), equation("neg", ["c"], ["d"])],
      ["a"],
      ["d"],
    );
    const live = liveOf(programOf("j0", jaxpr), "j0");
    expect([...live.during.values()]).toEqual([440, 444, 48]);
    expect(live).toMatchObject({ inputs: 40, peak: 444, at: "reduce_sum-c" });
  });

  it("frees at once what nothing reads", () => {
    const jaxpr = jaxprOf({ a: [1], b: [100], c: [1] }, [equation("exp", ["a"], ["b"]), equation("neg", ["a"], ["c"])], ["a"], ["c"]);
    expect([...liveOf(programOf("j0", jaxpr), "j0").during.values()]).toEqual([404, 8]);
  });

  it("adds what a body holds beyond its inputs and results", () => {
    const inner = jaxprOf(
      { x: [1], t: [50], y: [1] },
      [equation("exp", ["x"], ["t"]), equation("sum", ["t"], ["y"])],
      ["x"],
      ["y"],
      "body",
    );
    const outer = jaxprOf({ a: [1], b: [1] }, [calling(equation("jit", ["a"], ["b"]), ["body"])], ["a"], ["b"]);
    // a, b and, of t and y in the body, what is not b.
    expect(liveOf(programOf("j0", outer, inner), "j0").peak).toBe(8 + 200);
  });
});
