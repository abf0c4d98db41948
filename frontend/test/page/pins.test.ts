import { describe, expect, it } from "vitest";
import { compare, differencesOf } from "../../src/page/program/compare.ts";
import { NO_PINS, pinned, pinOf, stillPinned, unpinned } from "../../src/page/state/pins.ts";
import { initial, update } from "../../src/page/state/update.ts";
import { fixture, program, trace, trainingScan } from "./programs.ts";

const grad = fixture("01_grad_of_scan").programs[0]!;
const unrolled = fixture("04_unroll_is_a_param").programs;
const rowsOf = (sections: ReturnType<typeof compare>, title: string) => sections.find((section) => section.title === title)?.rows ?? [];

describe("pins", () => {
  it("are kept once, and go when pinned again", () => {
    const pin = pinOf(grad, "e0")!;
    expect(pin.label).toBe("scan ×8");
    const one = pinned(NO_PINS, pin);
    expect(one).toEqual({ list: [pin], against: pin.key });
    expect(pinned(one, pin)).toEqual(NO_PINS);
    const two = pinned(one, pinOf(grad, null)!);
    expect(two.against).toBe(two.list[1]!.key);
    expect(unpinned(two, two.list[1]!.key).against).toBe(pin.key);
    expect(pinOf(grad, "e99")).toBeNull();
  });

  it("stay over a new answer where the names still fit", () => {
    const pins = [pinOf(grad, "e0/e9")!, pinOf(grad, "e6")!, pinOf(grad, null)!].reduce(pinned, NO_PINS);
    expect(stillPinned(pins, [{ ...grad, id: "p3" }]).pins.list.map(({ key }) => key)).toEqual(["p3 e0/e9", "p3 e6", "p3 "]);
    // Another program altogether: nothing fits, and that is said.
    const { pins: none, gone } = stillPinned(pins, [trainingScan()]);
    expect(none).toEqual(NO_PINS);
    expect(gone.map(({ label }) => label)).toEqual(["tanh", "scan ×8 reverse", "loss"]);
  });

  it("move to the only equation of their kind when ids have moved, and to none of several", () => {
    const moved = {
      ...grad,
      jaxprs: { ...grad.jaxprs, j0: { ...grad.jaxprs.j0!, eqns: grad.jaxprs.j0!.eqns.map((eqn) => ({ ...eqn, id: `x${eqn.id}` })) } },
    };
    const pins = [pinOf(grad, "e6")!, pinOf(grad, "e2")!].reduce(pinned, NO_PINS);
    const { pins: now, gone } = stillPinned(pins, [moved]);
    expect(now.list.map(({ path }) => path)).toEqual(["xe6"]);
    expect(gone.map(({ label }) => label)).toEqual(["mul"]);
  });

  it("are part of the state: an answer that has lost one says so", () => {
    const saved = { source: "code", auto: true, staticNumbers: false, theme: "auto", asked: null, typed: {}, wishes: [] } as const;
    const given = (programs: Parameters<typeof trace>[0]) =>
      ({ type: "answer", id: 1, answer: { trace: trace(programs), source: "code", asked: null, wishes: [] } }) as const;
    let state = update(update(initial(saved as never), { type: "run", id: 1 }), given([grad]) as never);
    state = update(state, { type: "pin", pin: pinOf(grad, "e0")! });
    expect(update(state, given([grad]) as never).pins.list).toHaveLength(1);
    const lost = update(state, given([program([])]) as never);
    expect(lost.pins.list).toEqual([]);
    expect(lost.notices).toEqual(["The pin of scan ×8 was given up: it is no longer in this code."]);
  });
});

describe("a comparison", () => {
  it("of two scans shows params, operands and results, and marks what differs", () => {
    const sections = compare({ program: grad, path: "e0" }, { program: grad, path: "e6" });
    expect(rowsOf(sections, "Params").find(({ name }) => name === "reverse")).toMatchObject({
      same: false,
      left: { text: "False" },
      right: { text: "True" },
    });
    expect(rowsOf(sections, "Params").find(({ name }) => name === "length")?.same).toBe(true);
    expect(rowsOf(sections, "Operands")).toHaveLength(7);
    expect(rowsOf(sections, "Operands")[6]).toMatchObject({ left: null, same: false });
    expect(differencesOf(sections)).toBeGreaterThan(5);
  });

  it("of a thing with itself finds nothing, whatever its letters are", () => {
    expect(differencesOf(compare({ program: grad, path: "e0" }, { program: grad, path: "e0" }))).toBe(0);
    expect(differencesOf(compare({ program: grad, path: null }, { program: grad, path: null }))).toBe(0);
  });

  it("of the same loop unrolled differs in that param alone", () => {
    const scan = (at: number) => ({
      program: unrolled[at]!,
      path: unrolled[at]!.jaxprs[unrolled[at]!.entry!]!.eqns.find(({ primitive }) => primitive === "scan")!.id,
    });
    const differing = compare(scan(0), scan(1)).flatMap(({ title, rows }) =>
      rows.filter((row) => !row.same).map((row) => `${title} ${row.name}`),
    );
    expect(differing).toContain("Params unroll");
    expect(differing.filter((each) => !/StableHLO/.test(each))).toEqual(["Params unroll"]);
  });

  it("of two programs of the same equations names the params that differ", () => {
    const sections = compare({ program: unrolled[0]!, path: null }, { program: unrolled[1]!, path: null });
    expect(rowsOf(sections, "Params that differ").map(({ name, left, right }) => [name, left?.text, right?.text])).toEqual([
      ["scan unroll", "1", "4"],
    ]);
  });

  it("of two programs counts primitives, added and removed", () => {
    const sections = compare({ program: trainingScan(), path: null }, { program: grad, path: null });
    expect(rowsOf(sections, "Primitives").find(({ name }) => name === "tanh")).toMatchObject({
      left: null,
      right: { text: "1" },
      same: false,
    });
    expect(rowsOf(sections, "Primitives").find(({ name }) => name === "mul")).toMatchObject({ left: { text: "1" }, right: { text: "7" } });
    expect(rowsOf(sections, "Inputs").length).toBe(4);
  });
});
