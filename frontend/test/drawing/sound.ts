/** What must be true of every folding, however it was made: nothing is lost, nothing points back, every wire leads from where it led. */
import { expect } from "vitest";
import { foldLevel } from "../../src/drawing/graph/fold/index.ts";
import type { Feed, Level } from "../../src/drawing/graph/level.ts";
import type { Grouping } from "../../src/drawing/index.ts";

/** Every level in it, itself first. */
export function levelsOf(level: Level): Level[] {
  return [level, ...level.nodes.flatMap((node) => (node.call?.inside ? levelsOf(node.call.inside) : []))];
}

/** The level with everything open, however deep. */
export function opened(level: Level, by?: Grouping): Level {
  const open = new Set<string>();
  for (;;) {
    const folded = foldLevel(level, "", { open, by });
    const closed = levelsOf(folded).flatMap(({ nodes }) =>
      nodes.flatMap((node) => (node.call?.toggle && !node.call.open ? [node.call.toggle] : [])),
    );
    if (closed.length === 0) return folded;
    for (const key of closed) open.add(key);
  }
}

export function expectSound(level: Level): void {
  for (const { nodes, inputs, outputs } of levelsOf(level)) {
    nodes.forEach((node, v) => {
      expect(node.feeds.length).toBe(node.ins.length);
      for (const feed of node.feeds) {
        if (feed.kind !== "node") continue;
        expect(feed.node, `${node.key} reads what comes before it`).toBeLessThan(v);
        expect(nodes[feed.node]!.outs[feed.port], `${node.key} reads a port that is there`).toBeDefined();
      }
      const inside = node.call?.inside;
      if (!inside) return;
      expect(inside.inputs.map((seat) => seat.outer)).toEqual(node.ins.map((_, i) => i));
      expect(inside.outputs.map((seat) => seat.outer)).toEqual(node.outs.map((_, i) => i));
    });
    for (const seat of inputs) expect(nodes[seat.node]!.kind).toBe("input");
    for (const seat of outputs) expect(nodes[seat.node]!.kind).toBe("output");
  }
}

/** Follows every wire of the folded level through its groups to the equation that makes the value. */
export function wiresOf(level: Level): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const source = (stack: readonly { level: Level; node: number }[], at: Level, feed: Feed): string => {
    if (feed.kind !== "node") return feed.kind;
    const node = at.nodes[feed.node]!;
    if (node.kind === "op") return node.key;
    if (node.kind === "input") {
      const outer = at.inputs.find((seat) => seat.node === feed.node)!.outer;
      const around = stack[stack.length - 1];
      if (outer < 0 || !around) return node.key;
      return source(stack.slice(0, -1), around.level, around.level.nodes[around.node]!.feeds[outer]!);
    }
    const inside = node.call!.inside!;
    const pill = inside.nodes[inside.outputs[feed.port]!.node]!;
    return pill.feeds.map((inner) => source([...stack, { level: at, node: feed.node }], inside, inner)).join("|");
  };
  const walk = (stack: readonly { level: Level; node: number }[], at: Level): void => {
    at.nodes.forEach((node, v) => {
      if (node.kind === "op") {
        node.feeds.forEach((feed, i) => {
          found.set(`${node.key}.${i}`, source(stack, at, feed).split("|"));
        });
      }
      if (node.call?.inside) walk([...stack, { level: at, node: v }], node.call.inside);
    });
  };
  walk([], level);
  return found;
}

/** With everything open it is the level that it was. */
export function expectWhole(level: Level, by?: Grouping): void {
  const whole = opened(level, by);
  expectSound(whole);
  const ops = (each: Level): string[] =>
    levelsOf(each)
      .flatMap(({ nodes }) => nodes.filter((node) => node.kind === "op").map((node) => node.key))
      .sort();
  expect(ops(whole)).toEqual(ops(level));
  const wires = wiresOf(whole);
  // More than two dozen values that go the same way share a pill.
  for (const [end, sources] of wiresOf(level)) expect(wires.get(end)).toContain(sources[0]);
}
