import { describe, expect, it } from "vitest";
import type { Program } from "../../src/model/types.ts";
import { explain, groupsOf, operandRows, resultRows, toText } from "../../src/page/explain/index.ts";
import { listed, which } from "../../src/page/explain/words.ts";
import { placeOf } from "../../src/page/program/instances.ts";
import { summaryOf } from "../../src/page/program/summary.ts";
import { eqn, fixture, jaxpr, operand, program, result, trainingScan, variable } from "./programs.ts";

const texts = (program: Program, path: string): string[] => explain(program, path).map(toText);
const only = (name: string): Program => {
  const found = fixture(name).programs[0];
  if (found === undefined) throw new Error(`no program in ${name}`);
  return found;
};
const pathOf = (program: Program, primitive: string, nth = 0): string => {
  const entry = program.jaxprs[program.entry ?? ""];
  return entry?.eqns.filter((e) => e.primitive === primitive)[nth]?.id ?? "";
};

describe("words", () => {
  it("says which operands a run of them is", () => {
    expect(which(0, 1, 4)).toBe("the first operand");
    expect(which(1, 1, 4)).toBe("the second operand");
    expect(which(0, 1, 1)).toBe("the only operand");
    expect(which(2, 2, 4)).toBe("the last two operands");
    expect(which(0, 3, 5)).toBe("the first three operands");
    expect(which(1, 2, 7)).toBe("the second and third operands");
    expect(which(3, 8, 40)).toBe("operands 4 to 11");
    expect(which(0, 4, 4)).toBe("all four operands");
  });

  it("lists names, and counts what is too many to list", () => {
    expect(toText(listed(["a"]))).toBe("a");
    expect(toText(listed(["a", "b", "c"]))).toBe("a, b and c");
    expect(toText(listed(["a", "b", "c", "d", "e", "f", "g", "h"]))).toBe("a, b, c, d, e and 3 more");
  });
});

describe("a scan", () => {
  it("is read operand by operand", () => {
    expect(texts(trainingScan(), "e0")).toEqual([
      "One equation for the whole loop: its body runs 6 times, first row to last (reverse=False).",
      "num_consts=1 claims the first operand, lr: the same whole value at every step.",
      "num_carry=1 claims the second operand, w: it starts the state, which every step reads and replaces for the next one; after the last step it comes out as w.",
      "What is left, the last two operands, xs and ys, are sliced along the leading axis, one row for each step (f32[6,2,3] → f32[2,3]; f32[6,2] → f32[2]).",
      "Stacked, one row a step: v (f32[] → f32[6]).",
    ]);
  });

  it("says the same of the traced lesson program", () => {
    const traced = only("02_training_scan");
    const found = texts(traced, pathOf(traced, "scan"));
    const about = (start: string): string => found.find((text) => text.startsWith(start)) ?? "";
    expect(about("num_consts")).toBe("num_consts=1 claims the first operand, lr: the same whole value at every step.");
    expect(about("num_carry")).toContain("num_carry=1 claims the second operand, w: it starts the state");
    expect(about("What is left")).toContain("xs and ys, are sliced along the leading axis");
    expect(about("What is left")).toContain("f32[6,2,3] → f32[2,3]; f32[6,2] → f32[2]");
  });

  it("with a Python number says that nothing is claimed", () => {
    const traced = fixture("03_python_number_is_a_literal").programs[1];
    expect(traced).toBeDefined();
    if (traced !== undefined) expect(texts(traced, pathOf(traced, "scan"))[1]).toContain("num_consts=0 claims nothing");
  });

  it("backwards says so, and that its carry starts from literals", () => {
    const traced = only("01_grad_of_scan");
    const found = texts(traced, pathOf(traced, "scan", 1));
    expect(found[0]).toContain("last row first (reverse=True)");
    const carry = found.find((text) => text.startsWith("num_carry"));
    expect(carry).toContain("num_carry=2 claims");
    expect(carry).toContain("(a literal start)");
    expect(carry).toMatch(/; of the values after the last step only [\w ]+ is read\.$/);
  });

  it("unrolled says that the jaxpr is the same and the lowering is not", () => {
    const traced = fixture("04_unroll_is_a_param").programs;
    const four = traced.find((p) =>
      p.jaxprs[p.entry ?? ""]?.eqns[0]?.params.some((param) => param.name === "unroll" && param.text === "4"),
    );
    expect(four).toBeDefined();
    if (four !== undefined) expect(texts(four, pathOf(four, "scan")).join("\n")).toContain("unroll=4 changes nothing here");
  });
});

describe("other equations", () => {
  it("while names its two bodies and who reads what", () => {
    const traced = only("05_loop_until");
    const found = texts(traced, pathOf(traced, "while")).join("\n");
    expect(found).toContain("cond_jaxpr asks whether to go on, body_jaxpr takes a step");
    expect(found).toContain("cond_nconsts=");
    expect(found).toContain("body_nconsts=");
    expect(found).toContain("reverse-mode derivatives are refused");
  });

  it("cond says which number takes which branch", () => {
    const traced = only("06_branches");
    const inner = Object.values(traced.jaxprs)
      .flatMap((j) => j.eqns)
      .find((e) => e.primitive === "cond");
    const found = texts(traced, inner?.id ?? "");
    expect(found[0]).toMatch(/^Picks one of two branches by the first operand, .+: 0 takes .+, 1 takes .+\.$/);
  });

  it("a call says what its operands are called inside", () => {
    const traced = only("09_jit_in_jit");
    const inner = Object.values(traced.jaxprs)
      .flatMap((j) => j.eqns)
      .find((e) => e.primitive === "jit" && e.params.some((p) => p.name === "name" && p.text.includes("normalise")));
    const found = texts(traced, inner?.id ?? "");
    expect(found[0]).toContain("normalise. A function of its own: compiled once for these types and called here.");
    expect(found[1]).toMatch(/^Inside, \w+ is called x\.$/);
  });

  it("twins say what goes between them", () => {
    const traced = only("01_grad_of_scan");
    const twin = traced.twins[0];
    expect(texts(traced, twin?.forward ?? "").at(-1)).toMatch(
      /^Its backward twin takes the same steps the other way\. Saved for the backward pass: h \(e\), h \(f\) and g\.$/,
    );
    expect(texts(traced, twin?.backward ?? "").at(-1)).toMatch(
      /^The backward twin: .+ carries cotangents, and reads .+, which the forward pass saved\.$/,
    );
    for (const twin of fixture("jitted_loss").programs.flatMap((p) => p.twins.map((t) => [p, t] as const))) {
      for (const path of [twin[1].forward, twin[1].backward]) expect(texts(twin[0], path).join(" ")).not.toContain("?");
    }
  });

  it("a program says whether loops or calls have twins", () => {
    const says = (name: string): string => summaryOf(only(name)).sentences.map(toText).join(" ");
    expect(says("01_grad_of_scan")).toContain("One loop has a backward twin: ");
    expect(says("jitted_loss")).toContain("2 calls have backward twins: ");
    expect(says("transformer")).toContain("One call has a backward twin: ");
  });

  it("a plain equation says what it makes and of what", () => {
    const p = program([
      jaxpr(
        "j0",
        [eqn("e0", "dot_general", { operands: [operand("a", "arg"), operand("b", "arg")], results: [result("c", "f32[2]")] })],
        [variable("a", "f32[2,3]", "x"), variable("b", "f32[3]", "w"), variable("c", "f32[2]")],
      ),
    ]);
    expect(texts(p, "e0")).toEqual(["dot_general makes f32[2] from x and w."]);
  });

  it("a branch by a number is no question of true and false", () => {
    const [predicate, numbered] = fixture("frame_cond").programs;
    const first = (p: Program | undefined): string => texts(p!, p!.jaxprs[p!.entry!]!.eqns.find((e) => e.primitive === "cond")!.id)[0]!;
    expect(first(predicate)).toContain("0 takes false, 1 takes true.");
    expect(first(numbered)).toContain("a number from 0 to 1.");
  });

  it("a checkpoint that was differentiated says how much is done again", () => {
    const differentiated = fixture("frame_remat").programs[1]!;
    const path = differentiated.twins[0]!.backward;
    const scan = differentiated.jaxprs[differentiated.entry!]!.eqns.find((e) => e.id === path)!;
    const [remat] = differentiated.jaxprs[scan.nested[0]!.jaxpr]!.eqns;
    expect(texts(differentiated, `${path}/${remat!.id}`)).toContain(
      "It was differentiated: of its 13 equations four are the forward pass once more, the rest goes back.",
    );
  });

  it("what reads and writes a ref says so", () => {
    const kernel = fixture("frame_refs").programs[0]!;
    const get = kernel.jaxprs[kernel.entry!]!.eqns.find((e) => e.primitive === "get")!;
    expect(texts(kernel, get.id)[0]).toBe("Reads a ref, as the last write before it left it.");
  });

  it("nothing is said of a path that leads nowhere", () => {
    expect(texts(trainingScan(), "e99")).toEqual([]);
  });
});

describe("tables", () => {
  it("hold the inner name and type of every operand and result", () => {
    const traced = trainingScan();
    const place = placeOf(traced, "e0");
    if (place === null) throw new Error("no e0");
    expect(operandRows(traced, place).map((row) => [row.role, row.name, row.aval, row.inner?.name, row.inner?.aval])).toEqual([
      ["const", "lr", "f32[]", "lr", "f32[]"],
      ["carry", "w", "f32[3]", "w", "f32[3]"],
      ["xs", "xs", "f32[6,2,3]", "x", "f32[2,3]"],
      ["xs", "ys", "f32[6,2]", "y", "f32[2]"],
    ]);
    expect(resultRows(traced, place).map((row) => [row.role, row.name, row.inner?.name, row.inner?.aval])).toEqual([
      ["carry", "w", "k", "f32[3]"],
      ["ys", "v", "lr", "f32[]"],
    ]);
    expect(groupsOf(operandRows(traced, place)).map((group) => [group.role, group.start, group.rows.length])).toEqual([
      ["const", 0, 1],
      ["carry", 1, 1],
      ["xs", 2, 2],
    ]);
  });
});
