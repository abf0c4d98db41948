import { describe, expect, it } from "vitest";
import type { Parameter, Program, Step } from "../../src/model/types.ts";
import {
  derivativeStep,
  MOST_STEPS,
  MOST_WISHES,
  plain,
  type TransformItem,
  transformsOf,
  usualArgnums,
  usualAxes,
  vmapStep,
} from "../../src/page/state/transforms.ts";
import { trainingScan } from "./programs.ts";

const parameter = (name: string, text: string, differentiable = text.includes("f32")): Parameter => ({ name, text, differentiable });

function of(parameters: Parameter[], steps: Step[] = []): Program {
  return { ...trainingScan(), parameters, made_from: steps.length === 0 ? null : { program: "p0", steps } };
}

function item(program: Program, name: string, wishes = 0): TransformItem {
  const found = transformsOf(program, wishes).find((one) => one.name === name);
  if (found === undefined) throw new Error(name);
  return found;
}

describe("the transforms of a program", () => {
  const usual = of([parameter("n", "i32[]"), parameter("w", "f32[3]"), parameter("params", "{'b': f32[4], 'w': f32[3,4]}")]);

  it("are seven, each with what one click applies", () => {
    expect(transformsOf(usual, 0).map(({ step, reason }) => [step.name, step.argnums, step.in_axes, reason])).toEqual([
      ["grad", [1], null, null],
      ["value_and_grad", [1], null, null],
      ["jvp", null, null, null],
      ["vmap", null, null, null],
      ["jit", null, null, null],
      ["checkpoint", null, null, null],
      ["x64", null, null, null],
    ]);
  });

  it("the first float is the usual one, null where that is JAX's own default", () => {
    expect(item(of([parameter("w", "f32[3]"), parameter("n", "3", false)]), "grad").step.argnums).toBeNull();
    expect(usualArgnums(item(usual, "grad"))).toEqual([1]);
    expect(usualArgnums(item(usual, "jvp"))).toEqual([1, 2]);
  });

  it("without a float there is no derivative, without an array no batch", () => {
    const whole = of([parameter("n", "i32[3]")]);
    expect(item(whole, "grad").reason).toBe("No parameter has a float type.");
    expect(item(whole, "vmap").reason).toBeNull();
    const fixed = of([parameter("name", "'f32[3]'", false), parameter("k", "4", false)]);
    expect(item(fixed, "vmap").reason).toBe("No parameter is an array.");
    expect(item(fixed, "jit").reason).toBeNull();
    expect(item(of([]), "jvp").reason).toBe("No parameter has a float type.");
  });

  it("what cannot be chosen says why; ranks are those of the types", () => {
    expect(item(usual, "grad").options.map(({ reason }) => reason)).toEqual(["not a float", null, null]);
    const kinds = of(
      ["f32[3,4]", "~f32[]", "key<fry>[2]", "bool[]", "f8_e4m3fn[2]", "(f32[3], i32[])", "'relu'"].map((text) => parameter("x", text)),
    );
    expect(item(kinds, "vmap").options.map(({ rank, reason }) => [rank, reason])).toEqual([
      [2, null],
      [0, null],
      [1, null],
      [0, null],
      [1, null],
      [null, null],
      [null, "not an array"],
    ]);
    expect(item(kinds, "vmap").step.in_axes).toEqual([0, 0, 0, 0, 0, 0, null]);
  });

  it("end where a chain is long, where there are many, and x64 is not applied twice", () => {
    expect(item(of([parameter("x", "f64[]", true)], [plain("x64")]), "x64").reason).toContain("already");
    expect(
      item(
        of(
          [parameter("x", "f32[]")],
          Array.from({ length: MOST_STEPS }, () => plain("grad")),
        ),
        "jit",
      ).reason,
    ).toContain("at most");
    expect(item(of([parameter("x", "f32[]")]), "jit", MOST_WISHES).reason).toContain("remove one");
  });
});

describe("a step with choices", () => {
  const program = of([parameter("w", "f32[3]"), parameter("xs", "f32[6,3]"), parameter("act", "'tanh'", false)]);

  it("is the plain one when nothing else was chosen", () => {
    expect(derivativeStep(item(program, "grad"), [0], false)).toEqual(plain("grad"));
    expect(derivativeStep(item(program, "jvp"), [1, 0], false)).toEqual(plain("jvp"));
    const vmap = item(program, "vmap");
    expect(vmapStep(vmap, usualAxes(vmap), 8)).toEqual({ ...plain("vmap"), in_axes: [0, 0, null] });
  });

  it("names what was chosen, in order", () => {
    expect(derivativeStep(item(program, "grad"), [1, 0], true)).toEqual({ ...plain("grad"), argnums: [0, 1], has_aux: true });
    expect(derivativeStep(item(program, "jvp"), [1], false).argnums).toEqual([1]);
    expect(vmapStep(item(program, "vmap"), [null, 1, null], 4)).toEqual({ ...plain("vmap"), in_axes: [null, 1, null], size: 4 });
  });
});
