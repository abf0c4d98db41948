import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { choicesOf, functionsOf } from "../../src/page/state/functions.ts";

const names = (source: string): string[] => functionsOf(source).map(({ fun }) => fun);
const parameters = (source: string): unknown[] =>
  functionsOf(source)[0]?.args.map(({ name, annotation, default: value }) => [name, annotation, value]) ?? [];

describe("functions of a paste", () => {
  it("are those at the top level, each once, with the place of the last definition", () => {
    const source =
      "def f(x):\n    def inner(y):\n        return y\n    return inner(x)\n\nclass A:\n    def g(self): ...\n\ndef h(): ...\ndef f(a, b): ...\n";
    expect(names(source)).toEqual(["h", "f"]);
    expect(functionsOf(source)[1]).toMatchObject({
      args: [{ name: "a" }, { name: "b" }],
      span: { line: 10, col: 0, end_line: 10, end_col: 6 },
    });
  });

  it("have parameters with annotations and defaults, however these are written", () => {
    expect(parameters("def f(q, k: Array, scale: float = 1.0, n=3, *, mask: 'Array | None'=None): ...")).toEqual([
      ["q", null, null],
      ["k", "Array", null],
      ["scale", "float", "1.0"],
      ["n", null, "3"],
      ["mask", "'Array | None'", "None"],
    ]);
    expect(parameters("def f(a: dict[str, int] = {'x': 1, 'y': (2, 3)}, /, b=')', *args, **kwargs): ...")).toEqual([
      ["a", "dict[str, int]", "{'x': 1, 'y': (2, 3)}"],
      ["b", null, "')'"],
      ["*args", null, "()"],
      ["**kwargs", null, "{}"],
    ]);
    expect(parameters("def f(\n    w,  # (the weights\n    xs: Float[Array, 'n 3'],\n): ...")).toEqual([
      ["w", null, null],
      ["xs", "Float[Array, 'n 3']", null],
    ]);
    expect(parameters("def f(x=a == b, y=lambda: 1): ...")).toEqual([
      ["x", null, "a == b"],
      ["y", null, "lambda: 1"],
    ]);
  });

  it("are found behind prompts and under an indent of the whole paste", () => {
    expect(names(">>> def f(x):\n...     return x\n>>> def g(x): return x\n")).toEqual(["f", "g"]);
    expect(names("    import jax\n\n    def f(x):\n        def g(y): ...\n        return x\n")).toEqual(["f"]);
    expect(names("def größe(μ): ...")).toEqual(["größe"]);
  });

  it("that are not finished are left out, and nothing is thrown, whatever the text", () => {
    expect(names("def f(x, 'open\ndef g(y): ...\n")).toEqual(["g"]);
    expect(names("def f(x")).toEqual([]);
    const piece = fc.constantFrom("def ", "f", "(", ")", ":", "\n", "'", '"""', "#", ",", "=", "[", "]", " ", "\\", "x", ">>> ");
    fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => Array.isArray(functionsOf(pieces.join("")))));
  });

  it("are linear in the length of the paste", () => {
    expect(functionsOf("def f(x): ...\n".repeat(20_000)).length).toBe(1);
    expect(functionsOf(Array.from({ length: 1000 }, (_, i) => `def f${i}(x): ...\n`).join("")).length).toBe(200);
  });
});

describe("what can be chosen", () => {
  const arg = (name: string, suggestion: string | null) => ({ name, annotation: null, default: null, suggestion });
  const offers = [{ fun: "loss", args: [arg("w", "f32[3]"), arg("xs", null)], span: null }];

  it("the offers of this very text come first, with their suggestions", () => {
    const choices = choicesOf("def other(x): ...\ndef loss(w, xs): ...\n", offers, true);
    expect(choices.map(({ fun }) => fun)).toEqual(["loss", "other"]);
    expect(choices[0]?.args[0]?.suggestion).toBe("f32[3]");
  });

  it("after an edit the parameters are those of the text, and suggestions stay by name", () => {
    const [loss] = choicesOf("def loss(xs, w, lr): ...\n", offers, false);
    expect(loss?.args.map(({ name, suggestion }) => [name, suggestion])).toEqual([
      ["xs", null],
      ["w", "f32[3]"],
      ["lr", null],
    ]);
    expect(choicesOf("x = 1\n", offers, false)).toEqual([]);
  });

  it("methods and lambdas, which only a run finds, stay while the text speaks of them", () => {
    const method = [{ fun: "model.loss", args: [arg("x", "f32[3]"), arg("*rest", null)], span: null }];
    expect(choicesOf("model = make(2)\n", method, false)).toEqual(method);
    expect(choicesOf("other = make(2)\n", method, false)).toEqual([]);
  });
});
