import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fresh, savedFrom, savedOf } from "../../src/page/state/saved.ts";
import { plain } from "../../src/page/state/transforms.ts";
import type { Saved } from "../../src/page/state/types.ts";
import { initial } from "../../src/page/state/update.ts";

const defaults: Saved = fresh("first");
const full: Saved = {
  source: "code",
  auto: false,
  staticNumbers: true,
  compile: true,
  jax: "0.6.0",
  theme: "dark",
  contrast: "more",
  hints: false,
  asked: { fun: "loss", signature: { w: "f32[3]" }, args: "" },
  typed: { loss: { w: "f32[3]", xs: "" } },
  wishes: [{ base: { id: "p0", name: "loss" }, steps: [plain("grad"), { ...plain("vmap"), in_axes: [null, 0], size: 4 }] }],
  file: { name: "a.mlirbc", size: 3, data: "AAAA" },
};

describe("what a tab keeps", () => {
  it("comes back as it was", () => {
    expect(savedFrom(JSON.parse(JSON.stringify(full)), defaults)).toEqual(full);
    expect(savedOf(initial(full))).toEqual(full);
    const expression = { ...full, asked: { fun: "jax.grad(f)", signature: null, args: "2.0" } };
    expect(savedFrom(JSON.parse(JSON.stringify(expression)), defaults)).toEqual(expression);
  });

  it("of an older version has the defaults for what it does not know", () => {
    const old = { source: "code", auto: false, staticNumbers: false, theme: "light" };
    expect(savedFrom(old, defaults)).toEqual({ ...defaults, ...old });
  });

  it("that is broken is left out field by field", () => {
    const asked = (value: unknown): unknown => savedFrom({ ...full, asked: value }, defaults).asked;
    expect([asked(3), asked({ fun: 1, signature: {}, args: "" }), asked({ fun: "f", signature: { w: 1 }, args: "" })]).toEqual([
      null,
      null,
      null,
    ]);
    expect(savedFrom({ ...full, typed: { loss: { w: 3 } } }, defaults).typed).toEqual({});
    const wishes = (steps: unknown): unknown => savedFrom({ ...full, wishes: [{ base: { id: "p0", name: "f" }, steps }] }, defaults).wishes;
    for (const steps of [
      [],
      "grad",
      [{ ...plain("grad"), name: "rm" }],
      [{ ...plain("grad"), argnums: [null] }],
      [{ ...plain("vmap"), size: "4" }],
    ])
      expect(wishes(steps)).toEqual([]);
  });

  it("never throws, whatever the storage holds", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => typeof savedFrom(value, defaults).source === "string"));
  });
});
