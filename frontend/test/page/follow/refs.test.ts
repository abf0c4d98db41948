// What goes through refs, held against programs that are run: each value says which writes are in it, and what is followed finds exactly those.
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { Eqn, Jaxpr, Program } from "../../../src/model/types.ts";
import { toText } from "../../../src/page/explain/index.ts";
import { coneOf, reach } from "../../../src/page/program/follow/index.ts";
import { coneWords } from "../../../src/page/program/follow/words.ts";
import { isLiteral } from "../../../src/page/program/instances.ts";
import { atOnce } from "../../../src/page/program/slices.ts";
import { eqn, fixture, jaxpr, operand, program, result, variable } from "../programs.ts";

vi.setConfig({ testTimeout: 60_000 });

type Op = "get" | "get row" | "swap" | "swap row" | "addupdate" | "add" | "scan" | "cond";
type Wish = readonly [Op, number, number];

const VECTOR = [4];
const row = operand({ literal: "0", aval: "i32[]" }, "arg");

/** A body over one ref and one value; bodies of loops and branches are `inner`, over the same ref. */
function bodyOf(
  id: string,
  ref: string,
  letter: string,
  wishes: readonly Wish[],
  inner: (name: string, value: string) => Eqn | null,
): Jaxpr {
  const values = [`v${letter}0`];
  const eqns: Eqn[] = [];
  wishes.forEach(([op, a, b], i) => {
    const name = `e${letter}${i}`;
    const made = `v${letter}${i + 1}`;
    const [x, y] = [values[a % values.length]!, values[b % values.length]!];
    const effects = (...kinds: string[]) => kinds.map((kind) => `${kind}<${ref}:Ref{float32[4]}>`);
    const of = (primitive: string, operands: Eqn["operands"], parts: Partial<Eqn>): void => {
      eqns.push(eqn(name, primitive, { operands, results: [result(made, "f32[4]", "result", true)], ...parts }));
    };
    const held = operand(ref, "arg");
    if (op === "scan" || op === "cond") {
      const nested = inner(name, x);
      if (nested === null) return;
      eqns.push({ ...nested, primitive: op, effects: effects("Read", "Write") });
      return;
    }
    if (op === "get") of("get", [held], { effects: effects("Read") });
    else if (op === "get row") of("get", [held, row], { effects: effects("Read") });
    else if (op === "swap") of("swap", [held, operand(x, "arg")], { effects: effects("Write") });
    else if (op === "swap row") of("swap", [held, operand(x, "arg"), row], { effects: effects("Write") });
    else if (op === "addupdate") {
      eqns.push(eqn(name, "addupdate", { operands: [held, operand(x, "arg")], effects: effects("Accum") }));
      return;
    } else of("add", [operand(x, "arg"), operand(y, "arg")], {});
    values.push(made);
  });
  const vars = [
    { ...variable(ref, "Ref{float32[4]}"), shape: VECTOR },
    ...values.map((each) => ({ ...variable(each, "f32[4]"), shape: VECTOR })),
  ];
  return jaxpr(id, eqns, vars, { invars: [ref, values[0]!], outvars: [] });
}

function made(outer: readonly Wish[], inner: readonly Wish[]): Program {
  const nested = (name: string, value: string): Eqn =>
    eqn(name, "scan", {
      operands: [operand("v90", "const"), operand(value, "xs")],
      nested: [
        {
          param: "jaxpr",
          label: "body",
          jaxpr: "j1",
          consts: [],
          finals: [],
          inputs: [0, 1].map((index) => ({ from: "operand", index })),
          outputs: [],
        },
      ],
    });
  return program([bodyOf("j0", "v90", "1", outer, nested), bodyOf("j1", "v91", "2", inner, () => null)]);
}

type Taint = ReadonlySet<string>;

/** Runs it: which equations are in each value, whatever the turn. A scan has three turns. */
function run(of: Program): Map<string, Set<string>> {
  const values = new Map<string, Set<string>>();
  const note = (key: string, taint: Taint): Taint => {
    const known = values.get(key) ?? new Set();
    for (const each of taint) known.add(each);
    values.set(key, known);
    return taint;
  };
  const walk = (id: string, path: string, ref: { held: Taint }, given: Taint): void => {
    const { eqns, invars } = of.jaxprs[id]!;
    const env = new Map<string, Taint>([[invars[1]!, given]]);
    for (const each of eqns) {
      const at = path === "" ? each.id : `${path}/${each.id}`;
      const read = (i: number): Taint => {
        const atom = each.operands[i]?.atom;
        return atom === undefined || isLiteral(atom) ? new Set() : (env.get(atom.var) ?? new Set());
      };
      if (each.nested.length > 0) {
        const before = ref.held;
        for (let turn = 0; turn < (each.primitive === "scan" ? 3 : 1); turn++) walk("j1", at, ref, read(1));
        // The other branch may have been taken.
        if (each.primitive === "cond") ref.held = new Set([...before, ...ref.held]);
        continue;
      }
      const before = ref.held;
      const own = new Set([at, ...read(1)]);
      if (each.primitive === "swap" && each.operands.length === 2) ref.held = own;
      else if (each.primitive === "swap" || each.primitive === "addupdate") ref.held = new Set([...before, ...own]);
      const gives = each.primitive === "add" ? new Set([at, ...read(0), ...read(1)]) : new Set([at, ...before]);
      for (const { var: name } of each.results) {
        env.set(name, gives);
        note(`${path}|${name}`, gives);
      }
    }
  };
  walk(of.entry!, "", { held: new Set() }, new Set());
  return values;
}

const wish = (...ops: Op[]) => fc.tuple(fc.constantFrom(...ops), fc.nat(), fc.nat());
const FLAT: Op[] = ["get", "get row", "swap", "swap row", "addupdate", "add"];
const inner = fc.array(wish(...FLAT), { minLength: 1, maxLength: 6 });

/** What an equation gives itself. */
function own(of: Program, id: string): string {
  return `|${of.jaxprs.j0!.eqns.find((each) => each.id === id)?.results[0]?.var}`;
}

/** The equations without bodies that a value is followed to. */
function found(of: Program, key: string): string[] {
  const { eqns } = atOnce(reach(of, key, "up"));
  return [...eqns].filter((path) => !of.jaxprs.j0!.eqns.some(({ id, nested }) => id === path && nested.length > 0)).sort();
}

describe("what is in a value that went through a ref", () => {
  it("is found exactly where nothing runs again", () => {
    fc.assert(
      fc.property(fc.array(wish(...FLAT, "cond"), { minLength: 1, maxLength: 10 }), inner, (outer, body) => {
        const of = made(outer, body);
        for (const [key, taint] of run(of)) expect(found(of, key), key).toEqual([...taint].sort());
      }),
      { numRuns: 300 },
    );
  });

  it("is among what is found where loops run again", () => {
    fc.assert(
      fc.property(fc.array(wish(...FLAT, "scan"), { minLength: 1, maxLength: 8 }), inner, (outer, body) => {
        const of = made(outer, body);
        for (const [key, taint] of run(of)) expect(found(of, key), key).toEqual(expect.arrayContaining([...taint]));
      }),
      { numRuns: 300 },
    );
  });

  it("is found from either end", () => {
    fc.assert(
      fc.property(fc.array(wish(...FLAT, "scan", "cond"), { minLength: 1, maxLength: 8 }), inner, (outer, body) => {
        const of = made(outer, body);
        const taints = run(of);
        for (const { id, nested } of of.jaxprs.j0!.eqns) {
          if (nested.length > 0) continue;
          const down = atOnce(coneOf(of, { way: "down", from: id, to: null })).parts.values;
          for (const [key, taint] of taints) if (taint.has(id)) expect(down.has(key), `${id} in ${key}`).toBe(true);
          if (outer.every(([op]) => op !== "scan"))
            for (const [key, taint] of taints) expect(taint.has(id), `${id} in ${key}`).toBe(down.has(key) || key === own(of, id));
        }
      }),
      { numRuns: 300 },
    );
  });

  it("joins two only in the order of the equations", () => {
    const of = made(
      [
        ["swap row", 0, 0],
        ["get", 0, 0],
        ["swap row", 0, 0],
        ["get", 0, 0],
      ],
      [],
    );
    const path = (from: string, to: string) => atOnce(coneOf(of, { way: "path", from, to })).joined;
    expect([path("e10", "e11"), path("e10", "e13"), path("e12", "e13"), path("e11", "e12")]).toEqual([true, true, true, false]);
    const over = made(
      [
        ["swap row", 0, 0],
        ["swap", 0, 0],
        ["get", 0, 0],
      ],
      [],
    );
    expect(atOnce(coneOf(over, { way: "path", from: "e10", to: "e12" })).joined).toBe(false);
  });
});

describe("a ref that a scan adds to", () => {
  const [running] = fixture("frame_refs").programs;
  const cone = (way: "up" | "down", from: string) => atOnce(coneOf(running!, { way, from, to: null }));

  it("is read before as it was, and after with what the scan did", () => {
    expect([...cone("up", "e1").eqns]).toEqual(["e0"]);
    expect([...cone("up", "e3").eqns].sort()).toEqual(["e0", "e2", "e2/e4", "e2/e5", "e2/e6"]);
    expect(cone("down", "e2/e6").eqns.has("e1")).toBe(false);
    expect(cone("down", "e2/e6").eqns.has("e3")).toBe(true);
  });

  it("says how far that is known", () => {
    expect(toText(coneWords(running!, cone("up", "e1")))).toMatch(/ What goes through refs is derived from the order of the equations\.$/);
    expect(toText(coneWords(running!, cone("up", "e3")))).toMatch(/ everything written into it there counts\.$/);
  });
});
