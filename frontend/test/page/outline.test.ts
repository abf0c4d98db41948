/** The outline: what each item says, the rows of what is open, the keys of a tree, and that a large program costs no more than what is looked at. */
import { describe, expect, it } from "vitest";
import type { Program } from "../../src/model/types.ts";
import { aroundOf, type Outline, outlineOf, rowsOf, spokenLine, treeStep, typedRow } from "../../src/page/program/outline/index.ts";
import { example } from "../drawing/fixtures.ts";
import { eqn, jaxpr, module, op, operand, program, result, trainingScan, variable } from "./programs.ts";

function outline(of: Program, level: "jaxpr" | "stablehlo" = "jaxpr"): Outline {
  const made = outlineOf(of, level);
  if (made === null) throw new Error("no outline");
  return made;
}

function keys(made: Outline, open: readonly string[]): string[] {
  const rows = rowsOf(made, new Set(open));
  return Array.from({ length: rows.count }, (_, row) => rows.at(row)?.item.key ?? "?");
}

/** Everything open, as deep as it goes. */
function everything(made: Outline): Set<string> {
  const open = new Set<string>();
  for (let before = -1; before !== open.size; ) {
    before = open.size;
    const rows = rowsOf(made, open);
    for (let row = 0; row < rows.count; row++) {
      const item = rows.at(row)?.item;
      if (item?.inside != null) open.add(item.key);
    }
  }
  return open;
}

const branches = program([
  jaxpr(
    "j0",
    [
      eqn("e0", "cond", {
        operands: [operand("p", "index"), operand("x", "operand")],
        results: [result("y", "f32[]")],
        nested: ["j1", "j2"].map((id, index) => ({
          param: `branches[${index}]`,
          label: index === 0 ? "false" : "true",
          jaxpr: id,
          inputs: [{ from: "operand", index: 1 } as const],
          outputs: [[{ to: "result", index: 0 } as const]],
          consts: [],
          finals: [],
        })),
      }),
    ],
    [variable("p", "i32[]"), variable("x", "f32[]", "x"), variable("y", "f32[]")],
    { invars: ["p", "x"], outvars: [{ var: "y" }] },
  ),
  jaxpr(
    "j1",
    [eqn("e1", "sin", { operands: [operand("a", "arg")], results: [result("b", "f32[]")] })],
    [variable("a", "f32[]"), variable("b", "f32[]")],
    { invars: ["a"], outvars: [{ var: "b" }] },
  ),
  jaxpr(
    "j2",
    [eqn("e2", "cos", { operands: [operand("c", "arg")], results: [result("d", "f32[]")] })],
    [variable("c", "f32[]"), variable("d", "f32[]")],
    { invars: ["c"], outvars: [{ var: "d" }] },
  ),
]);

describe("an outline", () => {
  it("says of each item what the graph says of it", () => {
    const made = outline(trainingScan());
    const rows = rowsOf(made, new Set(["", "e0"]));
    const said = Array.from({ length: rows.count }, (_, row) => spokenLine(rows.at(row)!.item));
    expect(said[0]).toBe("train, 4 inputs, 1 equation, 2 outputs");
    expect(said[1]).toBe("w, f32[3], input");
    expect(said[5]).toBe("scan ×6, makes w f32[3], v f32[6], const lr; carry w; xs xs, ys");
    expect(said.slice(6)).toEqual([
      "lr, f32[], const",
      "w, f32[3], carry in",
      "x, f32[2,3], xs in",
      "y, f32[2], xs in",
      "mul, makes k, f32[3], of lr, w",
      "k, f32[3], carry out",
      "lr, f32[], ys out",
      "w, f32[3], output",
      "v, f32[6], output",
    ]);
    expect(rows.at(10)).toMatchObject({ level: 3, size: 7, position: 5, open: false, item: { target: { kind: "eqn", path: "e0/e1" } } });
  });

  it("has several bodies as items of their own, and every parent holds its children", () => {
    const made = outline(branches);
    const all = everything(made);
    expect(keys(made, [...all])).toEqual([
      "",
      "|p",
      "|x",
      "e0",
      "e0:0",
      "e0|a",
      "e0/e1",
      "e0|>0",
      "e0:1",
      "e0:1|c",
      "e0:1/e2",
      "e0:1|>0",
      "|>0",
    ]);
    expect(aroundOf(made, "e0:1/e2")).toEqual(["", "e0", "e0:1"]);
    expect(made.parentOf("e0/e1")).toBe("e0:0");
  });

  it("finds what is selected: an equation, what goes into a body, and of any other value what makes it", () => {
    const made = outline(branches);
    expect(made.keyOf({ kind: "eqn", path: "e0:1/e2" })).toBe("e0:1/e2");
    expect(made.keyOf({ kind: "eqn", path: "e9" })).toBeNull();
    expect(made.keyOf({ kind: "value", key: "e0:1|c" })).toBe("e0:1|c");
    expect(made.keyOf({ kind: "value", key: "e0:1|d" })).toBe("e0:1/e2");
    expect(made.keyOf({ kind: "value", key: "|y" })).toBe("e0");
  });

  it.each(["nested", "transformer"])("of %s finds every row by its key, at both levels", (name) => {
    const of = example(name);
    for (const level of ["jaxpr", "stablehlo"] as const) {
      const made = outlineOf(of, level);
      if (made === null) continue;
      const rows = rowsOf(made, everything(made));
      expect(rows.count).toBeGreaterThan(10);
      const seen = new Set<string>();
      for (let row = 0; row < rows.count; row++) {
        const { item, level: depth, position, size } = rows.at(row)!;
        expect(rows.rowOf(item.key), item.key).toBe(row);
        expect(aroundOf(made, item.key).length).toBe(depth - 1);
        expect(position).toBeLessThanOrEqual(size);
        if (item.kind === "eqn" && item.target?.kind === "eqn") expect(made.keyOf(item.target)).toBe(item.key);
        seen.add(item.key);
      }
      expect(seen.size).toBe(rows.count);
    }
  });

  it("says which bodies were not sent yet, and only once they are open", () => {
    const of = trainingScan();
    const left = { ...of, jaxprs: { ...of.jaxprs, j1: { ...of.jaxprs.j1!, eqns: [], left_out: 5000 } } };
    const made = outline(left);
    expect(rowsOf(made, new Set([""])).left).toEqual([]);
    const rows = rowsOf(made, new Set(["", "e0"]));
    expect(rows.left).toEqual(["j1"]);
    expect(spokenLine(rows.at(rows.rowOf("e0|left"))!.item)).toBe("5,000 equations to come, asked for now");
  });

  it("of 50,000 equations makes an item only where one is looked at", () => {
    let made = 0;
    const eqns = Array.from({ length: 50_000 }, (_, index) => eqn(`e${index}`, "sin"));
    const counted = new Proxy(eqns, {
      get(list, key, self) {
        if (typeof key === "string" && /^\d+$/.test(key)) made++;
        return Reflect.get(list, key, self);
      },
    });
    const large = outline(program([jaxpr("j0", counted, [])]));
    const rows = rowsOf(large, new Set([""]));
    expect(rows.count).toBe(50_001);
    expect(rows.at(40_001)?.item.key).toBe("e40000");
    expect(made).toBeLessThan(5);
  });
});

describe("the outline of a module", () => {
  const lowered = module([op("o1", "stablehlo.add", { results: ["r1"] }), op("o2", "func.call", { callee: "f" }), op("o3", "func.return")]);
  const region = (label: string, id: string) => ({
    label,
    blocks: [{ args: [], ops: [op(id, "stablehlo.sine"), op(`${id}r`, "stablehlo.return")] }],
  });
  const loop = op("o4", "stablehlo.while", { regions: [region("cond", "o5"), region("body", "o6")] });
  const of = {
    ...trainingScan(),
    modules: {
      stablehlo: {
        ...lowered,
        values: { r1: { name: "%0", label: null, type: "tensor<f32>", role: null, derived: false } },
        functions: [
          ...lowered.functions,
          { ...lowered.functions[0]!, id: "f1", name: "f", region: { label: "", blocks: [{ args: [], ops: [loop] }] } },
        ],
      },
    },
  };

  it("has callees inside of their calls, and regions inside of their ops", () => {
    const made = outline(of, "stablehlo");
    expect(keys(made, [...everything(made)])).toEqual(["", "o1", "o2", "o2/o4", "o2/o4:0", "o2/o4/o5", "o2/o4:1", "o2/o4/o6"]);
    expect(spokenLine(made.root.inside!.at(0)!)).toBe("add, makes %0, tensor<f32>");
    expect(made.keyOf({ kind: "op", id: "o6" })).toBe("o2/o4/o6");
    expect(made.parentOf("o2/o4/o6")).toBe("o2/o4:1");
  });

  it("is none before there is a module", () => {
    expect(outlineOf(trainingScan(), "stablehlo")).toBeNull();
  });
});

describe("keys in the outline", () => {
  const made = outline(branches);
  const closed = rowsOf(made, new Set([""]));
  const open = rowsOf(made, new Set(["", "e0", "e0:1"]));

  it("go, open and close as in every tree", () => {
    expect(treeStep(made, closed, 3, "ArrowRight")).toEqual({ do: "open", key: "e0" });
    expect(treeStep(made, open, 3, "ArrowRight")).toEqual({ do: "go", row: 4 });
    expect(treeStep(made, open, 3, "ArrowLeft")).toEqual({ do: "close", key: "e0" });
    expect(treeStep(made, open, open.rowOf("e0:1/e2"), "ArrowLeft")).toEqual({ do: "go", row: open.rowOf("e0:1") });
    expect(treeStep(made, open, 1, "ArrowRight")).toBeNull();
    expect(treeStep(made, open, 0, "ArrowUp")).toEqual({ do: "go", row: 0 });
    expect(treeStep(made, open, 0, "End")).toEqual({ do: "go", row: open.count - 1 });
    expect(treeStep(made, open, 5, "Home")).toEqual({ do: "go", row: 0 });
    expect(treeStep(made, open, 4, "*")).toEqual({ do: "open-all", keys: ["e0:0", "e0:1"] });
    expect([treeStep(made, open, 4, "Enter"), treeStep(made, open, 4, "Escape")]).toEqual([{ do: "reveal" }, { do: "leave" }]);
  });

  it("are letters too: the next that begins with them, and around", () => {
    expect(typedRow(open, 0, "c")).toBe(open.rowOf("e0"));
    expect(typedRow(open, open.rowOf("e0"), "co")).toBe(open.rowOf("e0"));
    expect(typedRow(open, open.rowOf("e0"), "cos")).toBe(open.rowOf("e0:1/e2"));
    expect(typedRow(open, open.rowOf("e0:1/e2"), "x")).toBe(2);
    expect(typedRow(open, 0, "zz")).toBeNull();
  });
});
