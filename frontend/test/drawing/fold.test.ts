/** Folding of levels that are too large to read: nothing is lost, nothing points back, and each shape is called what it is. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bundlesOf, type Leaf } from "../../src/drawing/graph/fold/bundles.ts";
import { foldLevel } from "../../src/drawing/graph/fold/index.ts";
import type { Feed, Level } from "../../src/drawing/graph/level.ts";
import { drawProgram, initialOpen, type Scene } from "../../src/drawing/index.ts";
import { example } from "./fixtures.ts";
import { LevelBuilder } from "./levels.ts";
import { expectSound, expectWhole } from "./sound.ts";

const NONE = { open: new Set<string>() };

function titles(level: Level): string[] {
  return level.nodes.filter((node) => node.kind === "call").map((node) => node.title);
}

function unrolled(steps: number): Level {
  const b = new LevelBuilder();
  const w = b.input("w");
  let x = b.input("x");
  for (let i = 0; i < steps; i++) x = b.op("tanh", [b.op("mul", [x, w])]);
  b.output("y", x);
  return b.level();
}

/** Plain updates, leaf by leaf or operation by operation. */
function updates(leaves: number, byLeaf: boolean): Level {
  const b = new LevelBuilder();
  const rate = b.input("lr");
  const params = Array.from({ length: leaves }, (_, i) => b.input(`params['w${i}']`));
  const grads = params.map((_, i) => b.input(`grads['w${i}']`));
  const scaled: Feed[] = [];
  if (!byLeaf) for (const grad of grads) scaled.push(b.op("mul", [grad, rate]));
  const made = params.map((param, i) => b.op("sub", [param, scaled[i] ?? b.op("mul", [grads[i]!, rate])]));
  made.forEach((feed, i) => {
    b.output(`result['w${i}']`, feed);
  });
  return b.level();
}

describe("folding", () => {
  it("leaves a level alone that can be read", () => {
    const level = unrolled(50);
    expect(foldLevel(level, "", NONE)).toBe(level);
  });

  it("calls an unrolled loop what it is, and numbers its steps", () => {
    const level = unrolled(1_600);
    const folded = foldLevel(level, "", NONE);
    expect(titles(folded)).toEqual(["mul \u00b7 tanh \u00d71,600"]);
    const run = folded.nodes.find((node) => node.kind === "call")!;
    expect(run.ins.map((port) => port.name)).toEqual(["w", "x"]);
    expect(run.call?.hint).toBe("3,200 equations inside: mul \u00b7 tanh");
    const within = foldLevel(level, "", { open: new Set([run.key]) }).nodes.find((node) => node.kind === "call")!.call!.inside!;
    expect(titles(within)[0]).toBe("1 to 40");
    expect(titles(within)).toHaveLength(40);
  });

  it("says of functions that they are functions, by names that leave room for the next box", () => {
    const b = new LevelBuilder();
    for (let i = 0; i < 230; i++) b.op(`@a_test_of_what_a_suite_calls_number_${i}`, []);
    const groups = foldLevel(b.level(), "", { ...NONE, unit: "function" }).nodes.filter(({ kind }) => kind === "call");
    expect(groups.length).toBeGreaterThan(1);
    for (const { title, call } of groups) {
      expect(title).toMatch(/^\d+ functions: @a_test/);
      expect(title.length).toBeLessThan(100);
      expect(call?.hint).toMatch(/^\d+ functions inside$/);
    }
  });

  it.each([true, false])("sets alike updates side by side, in whatever order they are written (leaf by leaf: %s)", (byLeaf) => {
    const folded = foldLevel(updates(500, byLeaf), "", NONE);
    expect(titles(folded)).toEqual(["mul \u00b7 sub \u00d7500"]);
    expect(folded.nodes.map((node) => node.title)).toEqual(["lr", "params", "grads", "mul \u00b7 sub \u00d7500", "result"]);
    expect(folded.nodes[1]!.type).toBe("500 values");
  });

  it("goes by the names of the name stack", () => {
    const b = new LevelBuilder();
    let x = b.input("x");
    for (const layer of ["encoder", "decoder", "head"])
      for (let i = 0; i < 60; i++) x = b.op(i % 7 === 3 ? "tanh" : `op${(i * i) % 11}`, [x], ["Model", layer]);
    b.output("y", x);
    expect(titles(foldLevel(b.level(), "", NONE))).toEqual(["encoder", "decoder", "head"]);
  });

  it("cuts what has no shape where few values cross", () => {
    const b = new LevelBuilder();
    let x = b.input("x");
    for (let i = 0; i < 400; i++) {
      const y = b.op(`op${(i * i * 7) % 101}`, [x]);
      x = i % 50 < 45 ? b.op("join", [y, x]) : b.op("next", [y]);
    }
    b.output("y", x);
    const folded = foldLevel(b.level(), "", NONE);
    expect(titles(folded).length).toBeGreaterThan(10);
    expect(folded.nodes.length).toBeLessThan(100);
    expectSound(folded);
  });

  it("keeps no more than about a hundred things in sight, and loses none, on random programs", () => {
    const program = fc
      .record({
        inputs: fc.integer({ min: 1, max: 6 }),
        ops: fc.array(
          fc.record({
            title: fc.integer({ min: 0, max: 3 }),
            reads: fc.array(fc.nat(), { minLength: 0, maxLength: 3 }),
            scope: fc.integer({ min: 0, max: 2 }),
          }),
          {
            minLength: 90,
            maxLength: 260,
          },
        ),
        near: fc.boolean(),
      })
      .map(({ inputs, ops, near }) => {
        const b = new LevelBuilder();
        const feeds: Feed[] = Array.from({ length: inputs }, (_, i) => b.input(`a${i}`));
        for (const { title, reads, scope } of ops) {
          const from = reads.map((read) => feeds[near ? feeds.length - 1 - (read % Math.min(4, feeds.length)) : read % feeds.length]!);
          feeds.push(b.op(`op${title}`, from, scope === 0 ? [] : [`s${scope}`]));
        }
        b.output("out0", feeds[feeds.length - 1]!);
        b.output("out1", feeds[Math.floor(feeds.length / 2)]!);
        return b.level();
      });
    fc.assert(
      fc.property(program, (level) => {
        const folded = foldLevel(level, "", NONE);
        const shown = folded.nodes.filter((node) => node.kind === "op" || node.kind === "call").length;
        expect(shown).toBeLessThanOrEqual(100);
        expectSound(folded);
        expectWhole(level);
      }),
      { numRuns: 20, endOnFailure: true },
    );
  }, 60_000);
});

describe("bundles", () => {
  it("take the largest part of a tree that goes one way", () => {
    const leaves = [
      ...[0, 1, 2, 3, 4].map((i) => ({ name: `p['a'][${i}]`, alone: false, ends: [1] })),
      ...[0, 1, 2, 3, 4, 5, 6].map((i) => ({ name: `p['b'].w${i}`, alone: false, ends: [i] })),
    ];
    expect(bundlesOf(leaves)).toEqual([{ name: "p['a']", members: [0, 1, 2, 3, 4] }]);
    expect(bundlesOf(leaves.map((leaf) => ({ ...leaf, alone: false, ends: [1] })))).toEqual([
      { name: "p", members: leaves.map((_, i) => i) },
    ]);
  });

  it("are made of paths, or of very many values without one", () => {
    const unnamed = (length: number): Leaf[] => Array.from({ length }, () => ({ name: null, alone: false, ends: [0] }));
    expect(bundlesOf(unnamed(9))).toEqual([]);
    expect(bundlesOf([...unnamed(14), { name: null, alone: true, ends: [0] }]).map(({ name, members }) => [name, members.length])).toEqual([
      ["", 14],
    ]);
  });
});

describe("a transformer with its gradient", () => {
  const program = example("transformer");
  const draw = (...keys: string[]): Scene => drawProgram(program, { open: new Set([...initialOpen(program), ...keys]) });

  it("opens with its layers folded, forward and backward", () => {
    const scene = draw();
    const groups = scene.nodes.filter((node) => node.kind === "closed" && node.toggle?.includes("~"));
    expect(groups.map((node) => [node.title, node.up])).toEqual([
      ["layer0", false],
      ["layer1", false],
      ["layer2", false],
      ["layer3", false],
      // Of the loss: a function of jax.numpy.
      ["max", false],
      ["max", true],
      ["layer3", true],
      ["layer2", true],
      ["layer1", true],
      ["layer0", true],
    ]);
    expect(scene.nodes.length).toBeLessThan(100);
    expect(scene.width).toBeLessThan(3000);
    const folded = scene.folds.flatMap((fold) => fold.eqns);
    const inSight = scene.nodes.flatMap((node) => node.eqn ?? []);
    expect(new Set(folded).size).toBe(folded.length);
    expect(folded.filter((eqn) => inSight.includes(eqn))).toEqual([]);
  });

  it("has the leaves of each layer in one pill, which opens", () => {
    const bundle = draw().nodes.find((node) => node.kind === "input" && node.title === "params['layers'][2]")!;
    const leaves = draw(bundle.toggle!).nodes.filter((node) => node.kind === "input" && node.title.startsWith("params['layers'][2]"));
    expect(leaves.map((node) => node.title)).toEqual(
      ["down", "gain", "gain2", "k", "o", "q", "up", "v"].map((leaf) => `params['layers'][2]['${leaf}']`),
    );
  });

  it("shows a layer when it is opened, with the values that enter it by their own names", () => {
    const before = draw();
    const key = before.nodes.find((node) => node.title === "layer3" && !node.up)!.key;
    const scene = draw(key);
    const frame = scene.frames.find((each) => each.key === key)!;
    expect(frame.title).toBe("layer3");
    const names = scene.nodes.filter((node) => node.kind === "binder" && node.key.startsWith(key)).map((node) => node.title);
    expect(names).toContain("params['layers'][3]['gain']");
    const fold = before.folds.find((each) => each.key === key)!;
    for (const eqn of fold.eqns)
      expect(scene.nodes.some((node) => node.eqn === eqn) || scene.chips.some((chip) => chip.eqn === eqn)).toBe(true);
  });
});
