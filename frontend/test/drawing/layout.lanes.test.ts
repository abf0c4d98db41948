/** Lanes: which equations are drawn in the second one, and what stands at the same height. */
import { describe, expect, it } from "vitest";
import { foldLevel } from "../../src/drawing/graph/fold/index.ts";
import { markLanes, outermostTransposed } from "../../src/drawing/graph/lanes.ts";
import type { LevelNode } from "../../src/drawing/graph/level.ts";
import { drawProgram, foldable } from "../../src/drawing/index.ts";
import { stepsOf } from "../../src/drawing/layout/steps.ts";
import { example } from "./fixtures.ts";
import { LevelBuilder } from "./levels.ts";

function frames(name: string) {
  const program = example(name);
  const scene = drawProgram(program, { open: new Set(foldable(program)) });
  return { program, frame: (eqn: string) => scene.frames.find((each) => each.eqn === eqn)! };
}

function level(name: string, pairs: [string, string][]): void {
  const { frame } = frames(name);
  for (const [forward, backward] of pairs) {
    const [f, b] = [frame(forward), frame(backward)];
    expect(b.box.y).toBeCloseTo(f.box.y, 6);
    expect(b.box.h).toBeCloseTo(f.box.h, 6);
    expect([f.up, b.up]).toEqual([false, true]);
    expect(b.box.x).toBeGreaterThan(f.box.x + f.box.w);
  }
}

describe("a gradient of a gradient", () => {
  const { program, frame } = frames("twice-0");
  const [inner, outerOfInner, outer] = [program.twins[0]!, program.twins[1]!, program.twins[2]!];

  it("has each scan level with the one that the outer transpose made of it", () => {
    expect(program.twins.map(({ forward }) => forward)).toEqual([outer.forward, inner.backward, outer.forward]);
    level("twice-0", [
      [outer.forward, outer.backward],
      [outerOfInner.forward, outerOfInner.backward],
    ]);
  });

  it("draws the inner transpose below its forward pass, in the lane of the forward pass", () => {
    const [f, b] = [frame(inner.forward), frame(inner.backward)];
    expect(b.up).toBe(false);
    expect(b.box.y).toBeGreaterThan(f.box.y + f.box.h);
  });
});

describe("two losses", () => {
  it("have their four scans at one height, though one is ready later", () => {
    const { program, frame } = frames("twice-1");
    const [first, second] = program.twins;
    level("twice-1", [
      [first!.forward, first!.backward],
      [second!.forward, second!.backward],
    ]);
    expect(frame(second!.forward).box.y).toBeCloseTo(frame(first!.forward).box.y, 6);
  });
});

it.each(["twice-2", "twice-3"])("the twins of %s (a hessian, a jit with both) are level", (name) => {
  const { program } = frames(name);
  expect(program.twins.length).toBeGreaterThan(0);
  level(
    name,
    program.twins.map(({ forward, backward }) => [forward, backward]),
  );
});

describe("the outermost transpose", () => {
  const made = (...names: string[][]) => [...outermostTransposed(names.map((list, i) => ({ eqn: `e${i}`, names: list })))];

  it("is the first that tells equations apart", () => {
    expect(made(["jvp"], ["transpose", "jvp"], [])).toEqual(["e1"]);
    expect(made(["jvp", "jvp"], ["jvp", "transpose", "jvp"], ["transpose", "jvp", "jvp"])).toEqual(["e2"]);
    expect(made(["vmap", "jvp", "jvp"], ["vmap", "jvp", "vmap", "transpose", "jvp"])).toEqual(["e1"]);
    expect(made(["jvp"], [])).toEqual([]);
  });
});

describe("steps of pairs", () => {
  const pair = (forward: number, backward: number) => ({ forward, backward, inner: [] });

  it("follow the flow of the forward lane, and the backward lane from its end", () => {
    // 0 -> 1 forward; 2 (twin of 1) -> 3 (twin of 0) backward.
    const steps = stepsOf(4, [pair(0, 3), pair(1, 2)], [{ source: 0, target: 1 }], [{ source: 2, target: 3 }]);
    expect(steps).toEqual({ forward: [[0], [1]], backward: [[2], [3]] });
  });

  it("are one where nothing orders them", () => {
    expect(stepsOf(4, [pair(0, 2), pair(1, 3)], [], [])).toEqual({ forward: [[0, 1]], backward: [[2, 3]] });
  });

  it("are none where the pairs contradict each other", () => {
    const forward = [{ source: 0, target: 1 }];
    const backward = [{ source: 3, target: 2 }];
    expect(stepsOf(4, [pair(0, 3), pair(1, 2)], forward, backward)).toEqual({ forward: [], backward: [] });
  });
});

describe("a gradient before a loop that differentiates in its body", () => {
  it("is where the loop begins, and no backward pass of it", () => {
    const losses = example("frame_losses");
    const tree = example("frame_tree");
    const lanes = (program: typeof losses): string[] => {
      const { labels } = drawProgram(program, { open: new Set() });
      return labels.filter((label) => label.style === "lane").map((label) => label.text.split(" ")[0]!);
    };
    const [scan] = tree.jaxprs[tree.entry!]!.eqns;
    const followed = (body: string): typeof losses => {
      const made = structuredClone(losses);
      made.jaxprs.body = { ...tree.jaxprs[scan!.nested[0]!.jaxpr]!, id: "body", ...(body === "plain" ? { eqns: [] } : {}) };
      const nested = [{ ...scan!.nested[0]!, jaxpr: "body", inputs: [], outputs: [] }];
      made.jaxprs[made.entry!]!.eqns.push({ ...scan!, id: "loop", operands: [], results: [], nested });
      return made;
    };
    expect(lanes(losses)).toEqual(["forward", "backward"]);
    expect(lanes(followed("plain"))).toEqual(["forward", "backward"]);
    expect(lanes(followed("training"))).toEqual([]);
  });
});

describe("both passes in one lane", () => {
  /** Equations under two names, and those that the transpose made under the same. */
  function both(turned: boolean): string[] {
    const b = new LevelBuilder();
    let last = b.input("x");
    for (const scope of ["encoder", "decoder", "loss", "decoder", "encoder"])
      for (let i = 0; i < 40; i++) last = b.op(`op${i}`, [last], [scope]);
    b.output("y", last);
    const back = b.nodes.flatMap(({ eqn }) => (eqn === null ? [] : [eqn])).slice(120);
    const level = { ...b.level(), ...(turned ? { turned: new Set(back) } : {}) };
    return foldLevel(level, "", { open: new Set() }).nodes.flatMap(({ kind, title }) => (kind === "call" ? [title] : []));
  }

  it("have names that tell them apart", () => {
    expect(both(false)).toEqual(["encoder", "decoder", "loss", "decoder", "encoder"]);
    expect(both(true)).toEqual(["encoder", "decoder", "loss", "decoder backward", "encoder backward"]);
  });

  it("are known of a body that turns, and of none that goes one way", () => {
    const nodes = (): LevelNode[] => {
      const b = new LevelBuilder();
      b.op("mul", [b.op("mul", [b.input("x")])]);
      return b.nodes;
    };
    expect(markLanes(nodes(), "", [], new Set(["e2"]), false)).toEqual({ pairs: [], twoLanes: false, turned: new Set(["e2"]) });
    expect(markLanes(nodes(), "", [], new Set(["e1", "e2"]), false)).toEqual({ pairs: [], twoLanes: false });
    expect(markLanes(nodes(), "", [], new Set(), true)).toEqual({ pairs: [], twoLanes: false });
  });
});
