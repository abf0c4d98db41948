// Where the layout is behind a peer with every wire drawn, the reason that is written beside it must hold (bench/verdicts.ts): the wires in
// which it is behind are those of values with many readers, and the page has chips there.
import { expect, it } from "vitest";
import { elk } from "../../bench/engines/elk.ts";
import { allWires, asDrawn } from "../../bench/engines/ours.ts";
import { GRAPHS } from "../../bench/graphs.ts";
import { type Quality, quality } from "../../bench/metrics.ts";
import { type Problem, problemOf } from "../../bench/problem.ts";
import { reason } from "../../bench/verdicts.ts";
import { STUB_USES } from "../../src/drawing/layout/sizes.ts";

const MEASURES: readonly (keyof Quality)[] = ["crossings", "bends", "length", "inverted", "area"];

function wide(size: number) {
  const found = GRAPHS.find(({ name }) => name === `wide ${size}`);
  if (found === undefined) throw new Error("no such graph");
  return found.level();
}

it("as the page draws it, an optimizer over many leaves is better than elkjs on every measure", async () => {
  const level = wide(100);
  const problem = problemOf(level);
  const theirs = quality(problem, await elk(problem));
  const drawn = asDrawn(level);
  const ours = quality(drawn.problem, drawn.drawing);
  for (const measure of MEASURES) {
    expect(ours[measure], measure).toBeLessThanOrEqual(theirs[measure]);
    expect(reason("wide 100", measure, theirs[measure], ours[measure])).not.toContain("not explained:");
  }
}, 60_000);

/** Without the values that more read than are drawn as wires. */
function withoutFans({ nodes, edges }: Problem): Problem {
  const uses = new Map<string, number>();
  const port = ({ source, sourcePort }: Problem["edges"][number]): string => `${source} ${sourcePort}`;
  for (const edge of edges) uses.set(port(edge), (uses.get(port(edge)) ?? 0) + 1);
  return { nodes, edges: edges.filter((edge) => (uses.get(port(edge)) ?? 0) <= STUB_USES) };
}

it("all of its crossings and inversions come from values with many readers", () => {
  const problem = problemOf(wide(300));
  const all = quality(problem, allWires(problem));
  const few = withoutFans(problem);
  expect(few.edges.length).toBeGreaterThan(problem.edges.length / 2);
  const rest = quality(few, allWires(few));
  expect(all.crossings).toBeGreaterThan(1000);
  expect(rest).toMatchObject({ crossings: 0, inverted: 0 });
});

it("on the same kind of wires, its places have fewer crossings and shorter wires than those of elkjs", async () => {
  const problem = problemOf(wide(300));
  const theirs = quality(problem, await elk(problem));
  const ours = quality(problem, allWires(problem, true));
  expect(ours.crossings).toBeLessThan(theirs.crossings);
  expect(ours.length).toBeLessThan(theirs.length);
  expect(ours.area).toBeLessThan(theirs.area);
}, 60_000);

it("a reason counts only where the picture of the page is as good", () => {
  expect(reason("wide 300", "crossings", 1730, 0)).toContain("bus");
  expect(reason("wide 300", "crossings", 1730, 2000)).toBe("not explained: as the page draws it 2000.0");
  expect(reason("unrolled 300", "crossings", 10, 0)).toBe("not explained yet");
});
