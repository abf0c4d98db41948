import { describe, expect, it } from "vitest";
import { requestOf, type Wanted } from "../../src/page/state/request.ts";
import { plain } from "../../src/page/state/transforms.ts";

const wanted: Wanted = { source: "code", staticNumbers: false, asked: null, wishes: [], compile: false, jax: null };
const body = { source: "code", levels: ["jaxpr", "stablehlo"], static_numbers: false, parts: true };

describe("the request", () => {
  it("of a plain paste leaves everything else to the server", () => {
    expect(requestOf(wanted)).toEqual(body);
    expect(requestOf({ ...wanted, staticNumbers: true })).toEqual({ ...body, static_numbers: true });
    expect(requestOf({ ...wanted, jax: "0.6.0" })).toEqual({ ...body, jax: "0.6.0" });
  });

  it("names the function and the types that were given", () => {
    const asked = { fun: "loss", signature: { w: "f32[3]", n: "4" }, args: "" };
    expect(requestOf({ ...wanted, asked })).toEqual({ ...body, fun: "loss", signature: { w: "f32[3]", n: "4" } });
    expect(requestOf({ ...wanted, asked: { fun: "f", signature: {}, args: "" } })).toEqual({ ...body, fun: "f", signature: {} });
  });

  it("sends an expression with its arguments as Python", () => {
    const asked = { fun: "jax.grad(f)", signature: null, args: "x: 2.0, 3" };
    expect(requestOf({ ...wanted, asked: { ...asked, args: "2.0, 3" } })).toEqual({ ...body, fun: "jax.grad(f)", args: "(2.0, 3,)" });
    expect(requestOf({ ...wanted, asked: { ...asked, args: " " } })).toEqual({ ...body, fun: "jax.grad(f)" });
  });

  it("lists the transforms in their order, each by the id of its program", () => {
    const base = { id: "p1", name: "loss" };
    const wishes = [
      { base, steps: [plain("grad")] },
      { base, steps: [plain("grad"), { ...plain("vmap"), in_axes: [null, 0], size: 4 }] },
    ];
    expect(requestOf({ ...wanted, wishes })).toEqual({
      ...body,
      transforms: [
        { program: "p1", steps: [{ name: "grad", argnums: null, in_axes: null, size: null, has_aux: false }] },
        {
          program: "p1",
          steps: [
            { name: "grad", argnums: null, in_axes: null, size: null, has_aux: false },
            { name: "vmap", argnums: null, in_axes: [null, 0], size: 4, has_aux: false },
          ],
        },
      ],
    });
  });
});
