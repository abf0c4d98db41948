// What follows from what is held against a brute force: every edge of every instance written down first, then the closure of them all.
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { Eqn, Program } from "../../../src/model/types.ts";
import { toText } from "../../../src/page/explain/index.ts";
import { coneOf, reach } from "../../../src/page/program/follow/index.ts";
import { coneWords } from "../../../src/page/program/follow/words.ts";
import { isLiteral } from "../../../src/page/program/instances.ts";
import { atOnce } from "../../../src/page/program/slices.ts";
import { followed } from "../../../src/page/state/finding.ts";
import { draw } from "../../../src/viewer/draw.ts";
import { shownOf } from "../../../src/viewer/parts.ts";
import { examples } from "../../drawing/fixtures.ts";
import { eqn, fixture, jaxpr, operand, program, result, trainingScan, variable } from "../programs.ts";

vi.setConfig({ testTimeout: 60_000 });

type Edges = Map<string, Set<string>>;

/** Value to value, with the flow. The rules as sentences: an equation without bodies makes each result from each operand; a body has what is
 * bound, hands on what it returns; a predicate and an index decide about every result. */
function edgesOf(program: Program): Edges {
  const edges: Edges = new Map();
  const edge = (from: string, to: string): void => void (edges.get(from) ?? edges.set(from, new Set()).get(from)!).add(to);
  const visit = (id: string, path: string): void => {
    const jaxpr = program.jaxprs[id]!;
    for (const each of [...Object.keys(jaxpr.vars)]) edges.set(`${path}|${each}`, edges.get(`${path}|${each}`) ?? new Set());
    for (const eqn of jaxpr.eqns) equation(eqn, id, path);
  };
  const equation = (eqn: Eqn, id: string, path: string): void => {
    const at = path === "" ? eqn.id : `${path}/${eqn.id}`;
    const ins = eqn.operands.map(({ atom }) => (isLiteral(atom) ? null : `${path}|${atom.var}`));
    const outs = eqn.results.map((result) => `${path}|${result.var}`);
    const made = new Set<number>();
    const deciding = eqn.operands.flatMap((operand, i) => (operand.role === "index" ? [ins[i]] : []));
    const bodies = eqn.nested.map((call, k) => ({ call, body: program.jaxprs[call.jaxpr]!, inside: k === 0 ? at : `${at}:${k}` }));
    for (const { call, body, inside } of bodies) {
      body.outvars.forEach((atom, q) => {
        for (const goal of call.outputs[q] ?? []) {
          if (goal.to === "result") made.add(goal.index);
          if (isLiteral(atom)) continue;
          const from = `${inside}|${atom.var}`;
          if (goal.to === "predicate") deciding.push(from);
          if (goal.to === "result") edge(from, outs[goal.index]!);
          if (goal.to === "next") {
            const seat = call.inputs[goal.index];
            for (const other of bodies) {
              other.call.inputs.forEach((input, i) => {
                const same =
                  other.inside === inside
                    ? i === goal.index
                    : seat?.from === "operand" && input.from === "operand" && input.index === seat.index;
                if (same) edge(from, `${other.inside}|${other.body.invars[i]}`);
              });
            }
          }
        }
      });
    }
    for (const { call, body, inside } of bodies) {
      call.inputs.forEach((input, i) => {
        const from = input.from === "operand" ? ins[input.index] : null;
        if (from != null) edge(from, `${inside}|${body.invars[i]}`);
      });
      visit(call.jaxpr, inside);
    }
    outs.forEach((out, r) => {
      for (const from of made.has(r) ? deciding : ins) if (from != null) edge(from, out);
    });
    expect(id).toBeTruthy();
  };
  visit(program.entry!, "");
  return edges;
}

function closure(edges: Edges, from: string): Set<string> {
  const seen = new Set([from]);
  for (const at of seen) for (const next of edges.get(at) ?? []) seen.add(next);
  return seen;
}

/** What a ref holds is written by equations that give nothing: the rules above know no refs. */
function pure(program: Program): boolean {
  return Object.values(program.jaxprs).every(({ vars }) => Object.values(vars).every(({ aval }) => !aval.startsWith("Ref")));
}

const small = examples().filter(({ program }) => program.entry !== null && pure(program) && edgesOf(program).size < 900);

describe("what follows from what", () => {
  it("is the closure of every step, both ways, in every example", () => {
    expect(small.length).toBeGreaterThan(10);
    for (const { name, program } of small) {
      const edges = edgesOf(program);
      const back: Edges = new Map([...edges.keys()].map((key) => [key, new Set<string>()]));
      for (const [from, goals] of edges) for (const to of goals) back.get(to)!.add(from);
      for (const [i, key] of [...edges.keys()].entries()) {
        if (i % Math.ceil(edges.size / 60) !== 0) continue;
        expect([...atOnce(reach(program, key, "down")).values].sort(), `${name} down ${key}`).toEqual([...closure(edges, key)].sort());
        expect([...atOnce(reach(program, key, "up")).values].sort(), `${name} up ${key}`).toEqual([...closure(back, key)].sort());
      }
    }
  });

  it("is so in random programs, from every equation", () => {
    const flat = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.boolean()), { minLength: 1, maxLength: 14 });
    fc.assert(
      fc.property(flat, flat, (outer, inner) => {
        const made = random(outer, inner);
        const edges = edgesOf(made);
        for (const each of made.jaxprs.j0!.eqns) {
          const down = atOnce(reach(made, each.id, "down")).values;
          const expected = new Set(each.results.flatMap(({ var: id }) => [...closure(edges, `|${id}`)]));
          expect([...down].sort()).toEqual([...expected].sort());
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** Equations that read any two values before them; every third may be a scan over the inner ones. */
function random(outer: readonly (readonly [number, number, boolean])[], inner: readonly (readonly [number, number, boolean])[]): Program {
  const body = flatJaxpr("j1", inner, "b", () => null);
  const scan = (id: string, reads: string[]): Eqn =>
    eqn(id, "scan", {
      operands: [operand(reads[0]!, "carry"), operand(reads[1]!, "xs")],
      results: [result(`${id}r`, "f32[]", "carry")],
      nested: [
        {
          param: "jaxpr",
          label: "body",
          jaxpr: "j1",
          consts: [],
          finals: [],
          inputs: [
            { from: "operand", index: 0 },
            { from: "operand", index: 1 },
          ],
          outputs: [
            [
              { to: "next", index: 0 },
              { to: "result", index: 0 },
            ],
          ],
        },
      ],
    });
  return program([flatJaxpr("j0", outer, "a", scan), body]);
}

function flatJaxpr(
  id: string,
  wishes: readonly (readonly [number, number, boolean])[],
  letter: string,
  nested: (id: string, reads: string[]) => Eqn | null,
) {
  const vars = [`${letter}x`, `${letter}y`];
  const eqns = wishes.map(([a, b, deep], i) => {
    const name = `${letter}${i}`;
    const reads = [vars[a % vars.length]!, vars[b % vars.length]!];
    const one =
      (deep ? nested(name, reads) : null) ??
      eqn(name, "add", { operands: reads.map((read) => operand(read, "arg")), results: [result(`${name}r`, "f32[]")] });
    vars.push(`${name}r`);
    return one;
  });
  return jaxpr(
    id,
    eqns,
    vars.map((each) => variable(each, "f32[]")),
    { invars: vars.slice(0, 2), outvars: [{ var: vars[vars.length - 1]! }] },
  );
}

describe("a cone", () => {
  const grad = fixture("01_grad_of_scan").programs[0]!;

  it("crosses the borders of bodies, and says what it comes to", () => {
    const train = trainingScan();
    const up = atOnce(coneOf(train, { way: "up", from: "e0/e1", to: null }));
    expect([...up.inputs].sort()).toEqual(["|a", "|d"]);
    expect([...up.eqns]).toEqual([]);
    expect(up.parts.within.has("e0")).toBe(true);
    expect(toText(coneWords(train, up))).toBe("mul k depends on inputs w and lr.");
    const down = atOnce(coneOf(train, { way: "down", from: "|a", to: null }));
    expect([...down.eqns].sort()).toEqual(["e0", "e0/e1"]);
    expect(down.outputs.length).toBeGreaterThan(0);
    expect(toText(coneWords(train, down))).toMatch(/^w feeds 2 equations and result/);
  });

  it("of a residual leads from the forward scan into the backward one", () => {
    const path = atOnce(coneOf(grad, { way: "path", from: "e0/e9", to: "e6" }));
    expect(path.forward).toBe(true);
    expect(path.parts.within.has("e0")).toBe(true);
    expect(path.eqns.has("e6")).toBe(false);
    const back = atOnce(coneOf(grad, { way: "path", from: "e6", to: "e0/e9" }));
    expect(back.forward).toBe(false);
    expect([...back.eqns].sort()).toEqual([...path.eqns].sort());
  });

  it("takes a body that has not come yet as a whole, and says so", () => {
    const train = trainingScan();
    const outline = { ...train, jaxprs: { ...train.jaxprs, j1: { ...train.jaxprs.j1!, eqns: [], left_out: 1 } } };
    const down = atOnce(coneOf(outline, { way: "down", from: "|b", to: null }));
    expect([...down.eqns]).toEqual(["e0"]);
    expect(down.outputs.length).toBeGreaterThan(0);
    expect(toText(coneWords(outline, down))).toMatch(/Bodies that were not sent yet count as a whole\.$/);
  });

  it("is empty between things that have nothing to do with each other", () => {
    const none = atOnce(coneOf(grad, { way: "path", from: "e1", to: "e6" }));
    expect(none.eqns.size + none.parts.outlets.size).toBe(0);
    expect(none.joined).toBe(false);
    expect(toText(coneWords(grad, none))).toMatch(/^No path: neither of .* feeds the other\.$/);
  });

  it("a path is where both ends meet: what it holds lies downstream of the one and upstream of the other", () => {
    for (const { program } of small.slice(0, 8)) {
      const ids = program.jaxprs[program.entry!]!.eqns.map(({ id }) => id);
      const [from, to] = [ids[0]!, ids[ids.length - 1]!];
      const path = atOnce(coneOf(program, { way: "path", from, to }));
      const down = atOnce(reach(program, path.forward ? from : to, "down"));
      const up = atOnce(reach(program, path.forward ? to : from, "up"));
      for (const each of path.eqns) expect(down.eqns.has(each) && up.eqns.has(each)).toBe(true);
    }
  });

  it("lights what is drawn of it: boxes, or what holds them closed, and only wires between two lit ends", () => {
    const cone = atOnce(coneOf(grad, { way: "up", from: "e6", to: null }));
    for (const open of [[], ["e0"], ["e0", "e6"]]) {
      const { scene } = draw({ kind: "program", program: grad }, { open }, "");
      const shown = shownOf(scene, cone.parts);
      const lit = new Set([...shown.full, ...shown.holding]);
      const owners = new Map(scene.ports.map((port) => [port.key, port.owner]));
      expect(lit.has(scene.nodes.find((node) => node.eqn === "e0")?.key ?? scene.frames.find((frame) => frame.eqn === "e0")!.key)).toBe(
        true,
      );
      for (const wire of scene.wires) {
        if (shown.between.includes(wire.key)) expect(lit.has(owners.get(wire.from)!) && lit.has(owners.get(wire.to)!)).toBe(true);
      }
      expect(shown.between.length).toBeGreaterThan(0);
      // Nothing that it feeds is lit, nor what has nothing to do with it.
      for (const node of scene.nodes)
        if (node.eqn !== null && node.kind === "op")
          expect(lit.has(node.key)).toBe(cone.parts.paths.has(node.eqn) || (open.includes("e6") && node.eqn.startsWith("e6")));
    }
  });
});

describe("the keys", () => {
  it("follow, and let go when pressed again", () => {
    const up = followed(null, "up", "e0");
    expect(up).toEqual({ way: "up", from: "e0", to: null });
    expect(followed(up, "down", "e0")).toEqual({ way: "down", from: "e0", to: null });
    expect(followed(up, "up", "e1")).toEqual({ way: "up", from: "e1", to: null });
    expect(followed(up, "up", "e0")).toBeNull();
  });
  it("begin a path, then end it at something else", () => {
    const begun = followed(null, "path", "e0");
    expect(followed(begun, "path", "e4")).toEqual({ way: "path", from: "e0", to: "e4" });
    expect(followed(begun, "path", "e0")).toBeNull();
  });
});

describe("a large program", () => {
  it("is followed in steps that stay small: the work grows with the program, not with its square", () => {
    const steps = (size: number): number => {
      const made = program([
        flatJaxpr(
          "j0",
          Array.from({ length: size }, (_, i) => [i + 1, 1, false] as const),
          "a",
          () => null,
        ),
      ]);
      const work = coneOf(made, { way: "path", from: "a3", to: `a${size - 2}` });
      let count = 0;
      while (work.next().done !== true) count++;
      return count;
    };
    // Preparing, walking down and up, meeting and finishing: a few pauses for each equation.
    expect(steps(4000) / steps(1000)).toBeLessThan(4.5);
    expect(steps(1000)).toBeLessThan(12_000);
  });
});
