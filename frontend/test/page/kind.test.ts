import { describe, expect, it } from "vitest";
import { kindOf } from "../../src/page/state/kind.ts";

describe("the kind of a text", () => {
  it.each([
    ["module @jit_f attributes {a = 1 : i32} {\n}", "mlir"],
    ["// RUN: x\n\n#loc = loc(unknown)\nmodule {\n}", "mlir"],
    ["func.func private @f(!quant.any)", "mlir"],
    ['%0 = "stablehlo.constant"() : () -> f32', "mlir"],
    ['sdy.mesh @mesh = <["x"=2]>', "mlir"],
    ["HloModule jit_f, entry_computation_layout={()->f32[]}", "hlo"],
    ["{ lambda ; a:f32[3]. let b:f32[] = reduce_sum a in (b,) }", "jaxpr"],
    ["# as it was printed\n\n{ lambda ; a:f32[3]. let in (a,) }", "jaxpr"],
    ["let jaxpr = { lambda ; a:f32[]. let in () } in\n{ lambda ; }", "jaxpr"],
  ])("%j is %s", (source, kind) => expect(kindOf(source)).toBe(kind));

  it.each(["", "import jax", "# module @m {\nx = 1", "module = 1", "module.apply(x)", "f = lambda x: x", "%timeit x = 1", "%env = a"])(
    "%j is Python, or may be",
    (source) => expect(kindOf(source)).toBe("python"),
  );
});
