import { describe, expect, it } from "vitest";
import { copyBody, copyEqn, copyOf, copyWhole } from "../../src/page/program/copied.ts";
import { examples } from "../drawing/fixtures.ts";
import { fixture, program, trainingScan } from "./programs.ts";

const grad = fixture("01_grad_of_scan").programs[0]!;

describe("what is copied", () => {
  it("is an equation as JAX prints it, at the margin", () => {
    expect(copyEqn(grad, "e0/e9")).toEqual({ text: "m:f32[] = tanh l", what: "the equation tanh" });
    const scan = copyEqn(grad, "e0")!.text.split("\n");
    expect(scan[0]).toBe("_:f32[] d:f32[8] e:f32[8] f:f32[8] g:f32[8] = scan[");
    expect(scan[1]).toBe("  jaxpr={ lambda ; h:f32[] i:f32[] j:f32[]. let");
    expect(scan[scan.length - 1]).toBe("] a b c");
  });

  it("is a value with its type, by the person's own name", () => {
    expect(copyOf(grad, "jaxpr", { kind: "value", key: "|v0" }, null)?.text).toBe("gain:f32[]");
  });

  it("is the body as JAX prints it, in every example where it does", () => {
    expect(copyBody(grad, "e0")?.text.split("\n")).toEqual([
      "{ lambda ; h:f32[] i:f32[] j:f32[]. let",
      "    k:f32[] = mul h i",
      "    l:f32[] = add k j",
      "    m:f32[] = tanh l",
      "    n:f32[] = sub 1.0:f32[] m",
      "  in (m, m, i, m, n) }",
    ]);
    let bodies = 0;
    for (const { program } of examples()) {
      for (const jaxpr of Object.values(program.jaxprs)) {
        for (const eqn of jaxpr.eqns) {
          eqn.nested.forEach((call, index) => {
            const text = copyBody(program, eqn.id, index)?.text;
            if (text === undefined) return;
            bodies++;
            expect(text).toMatch(/^\{ lambda [\s\S]* \}$/);
            // Each equation of the body is in it, and as many braces close as open.
            for (const inner of program.jaxprs[call.jaxpr]!.eqns) expect(text).toContain(copyEqn(program, inner.id)!.text.split("\n")[0]);
            expect(text.split("{").length).toBe(text.split("}").length);
          });
        }
      }
    }
    expect(bodies).toBeGreaterThan(15);
  });

  it("is the whole level when nothing is selected", () => {
    expect(copyOf(grad, "jaxpr", null, null)?.text).toBe(grad.texts.jaxpr!.text);
    expect(copyWhole(grad, "stablehlo")?.text).toBe(grad.modules.stablehlo!.text);
    expect(copyWhole(program([]), "stablehlo")).toBeNull();
  });

  it("is an op as MLIR prints it", () => {
    const module = grad.modules.stablehlo!;
    const op = module.functions
      .flatMap((each) => each.region.blocks.flatMap((block) => block.ops))
      .find((each) => each.text_span !== null)!;
    const copied = copyOf(grad, "stablehlo", { kind: "op", id: op.id }, null)!;
    expect(module.text).toContain(copied.text.split("\n")[0]);
    expect(copied.what).toMatch(/^the op /);
  });

  it("is written from the structure where nothing was printed", () => {
    expect(copyEqn(trainingScan(), "e0/e1")?.text).toBe("k:f32[3] = mul g h");
  });
});
