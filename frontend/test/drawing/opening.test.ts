/** What a program looks like before anything is opened or closed by hand: one screen that can be read. */
import { describe, expect, it } from "vitest";
import { fitIn } from "../../src/drawing/graph/fold/fit.ts";
import { group, type Item } from "../../src/drawing/graph/fold/items.ts";
import { foldable } from "../../src/drawing/graph/folds.ts";
import { drawProgram, initialOpen } from "../../src/drawing/index.ts";
import { example } from "./fixtures.ts";

describe("a program that is one call", () => {
  const step = example("frame_step");
  const scene = drawProgram(step, { open: initialOpen(step) });

  it("opens as what it calls, however large", () => {
    expect(step.jaxprs[step.entry!]!.eqns).toHaveLength(1);
    expect(Object.values(step.jaxprs).reduce((sum, { eqns }) => sum + eqns.length, 0)).toBeGreaterThan(400);
    expect(initialOpen(step)).toEqual(new Set([step.jaxprs[step.entry!]!.eqns[0]!.id]));
    expect(scene.nodes.filter((node) => node.kind === "closed").map((node) => node.title)).toContain("adam ×16");
    expect([scene.width, scene.height].every((side) => side < 1_100)).toBe(true);
  });

  it("has a pill for each tree of its arguments, and a wire for what goes to one place", () => {
    const pills = scene.labels.filter((label) => label.text === "16 values" || label.text === "48 values");
    expect(pills).toHaveLength(10);
    const ends = scene.wires.map((wire) => `${wire.points.slice(0, 2)} ${wire.points.slice(-2)}`);
    const outside = scene.wires.filter((wire) => wire.from.startsWith("~in.params"));
    expect(outside).toHaveLength(16);
    expect(new Set(outside.map((wire) => ends[scene.wires.indexOf(wire)])).size).toBe(1);
  });
});

describe("lanes", () => {
  const call = (title: string, from: number, count: number): Item =>
    group(
      "call",
      title,
      [group("call", `${title}.inner`, [from, from + 1, from + 2, from + 3], ""), ...Array.from({ length: count }, (_, i) => from + 4 + i)],
      `call${title}`,
    );

  it("are opened alike: a call that is too large beside its transpose is opened in neither", () => {
    const [few, many] = [call("f", 0, 4), call("f", 100, 60)];
    expect(fitIn([[few]])[0]).toHaveLength(5);
    expect(fitIn([[few], [many]])).toEqual([[few], [many]]);
    expect(fitIn([[few], [call("f", 100, 6)]]).map((items) => items.length)).toEqual([5, 7]);
  });

  it("of a program of many calls show the same calls", () => {
    const losses = example("frame_losses");
    const { nodes } = drawProgram(losses, { open: initialOpen(losses) });
    const shown = (back: boolean): string[] =>
      nodes
        .filter((node) => node.kind === "closed" && (node.twin !== null || node.fold !== null) && node.up === back)
        .map((node) => node.title)
        .filter((title) => !title.includes("×"))
        .sort();
    expect(shown(false)).toEqual(["features", "features", "logsumexp", "sparse"]);
    expect(shown(true)).toEqual(shown(false));
  });
});

describe("plates of residuals", () => {
  it.each(["frame_losses", "frame_step", "transformer", "twice-2"])("stand on their own wires, each by itself: %s", (name) => {
    const program = example(name);
    for (const direction of ["TB", "LR"] as const) {
      const { labels } = drawProgram(program, { open: initialOpen(program), direction });
      const plates = labels.filter((label) => label.plate && label.key.endsWith(".residuals")).map(({ box }) => box);
      for (const [i, a] of plates.entries())
        for (const b of plates.slice(i + 1))
          expect(a.x < b.x + b.w + 8 && b.x < a.x + a.w + 8 && a.y < b.y + b.h && b.y < a.y + a.h).toBe(false);
    }
  });
});

describe("a switch of many branches", () => {
  const small = example("frame_switch");
  const { eqn, at } = Object.values(small.jaxprs)
    .flatMap((jaxpr) => jaxpr.eqns.map((each) => ({ eqn: each, at: each.id })))
    .find(({ eqn: each }) => each.primitive === "cond" && small.jaxprs[small.entry!]!.eqns.includes(each))!;
  const bodies = eqn.nested.map(({ jaxpr }) => jaxpr);
  /** The bodies of these branches with `more` equations that nothing reads. */
  const grown = (branches: readonly number[], more: number): typeof small => {
    const jaxprs = { ...small.jaxprs };
    for (const k of branches) {
      const body = jaxprs[bodies[k]!]!;
      const pattern = small.jaxprs[small.entry!]!.eqns.find(({ nested }) => nested.length === 0) ?? eqn;
      const dead = Array.from({ length: more }, (_, i) => ({ ...pattern, id: `dead${k}_${i}`, nested: [], operands: [], results: [] }));
      jaxprs[bodies[k]!] = { ...body, eqns: [...body.eqns, ...dead] };
    }
    return { ...small, jaxprs };
  };
  const cards = (program: typeof small, open: readonly string[]) => {
    const { nodes, frames } = drawProgram(program, { open: new Set([at, ...open]) });
    const closed = nodes.filter(({ kind, title }) => kind === "closed" && title.startsWith("branch")).map(({ title }) => title);
    return { closed, open: frames.filter(({ kind }) => kind === "body").length };
  };

  it("has cards of the large ones that are closed, and open by themselves", () => {
    expect(eqn.nested.length).toBeGreaterThan(4);
    const large = grown([1, 3], 100);
    const first = cards(large, []);
    expect(first.closed).toEqual(["branch 1", "branch 3"]);
    expect(cards(large, [`${at}:3#3`])).toEqual({ closed: ["branch 1"], open: first.open + 1 });
    expect(foldable(large)).toEqual(expect.arrayContaining([`${at}:1#1`, `${at}:3#3`]));
  });

  it("shows all where they fit on a screen", () => {
    expect(cards(small, []).closed).toEqual([]);
    expect(foldable(small).some((key) => key.includes("#"))).toBe(false);
  });
});
