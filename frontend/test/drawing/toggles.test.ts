// A toggle changes one group of a level: what is known of the others is used again, and says what it would say anew.
import { expect, it, vi } from "vitest";
import { Readers } from "../../src/drawing/graph/fold/readers.ts";
import type { Program } from "../../src/model/types.ts";
import { draw } from "../../src/viewer/draw.ts";
import { fixture } from "../page/programs.ts";

function drawn(program: Program, open: readonly string[] | null) {
  return draw({ kind: "program", program }, { open }, "");
}

function transformer(): Program {
  const [program] = fixture("transformer").programs;
  if (program === undefined) throw new Error("no program");
  return program;
}

it("opens and closes groups as if each drawing were the first", () => {
  const program = transformer();
  const first = drawn(program, null);
  const groups = first.scene.folds.map(({ key }) => key);
  expect(groups.length).toBeGreaterThan(3);
  let open = [...first.open];
  for (const key of [groups[1] ?? "", groups[2] ?? ""]) {
    open = [...open, key];
    expect(drawn(program, open)).toEqual(drawn(transformer(), open));
  }
  expect(drawn(program, first.open)).toEqual(first);
});

it("works out what goes in and out of a group once, whatever is opened beside it", () => {
  const program = transformer();
  const { scene, open } = drawn(program, null);
  const [group] = scene.folds.filter(({ eqns }) => eqns.length > 3);
  if (group === undefined) throw new Error("no group of equations");
  const asked = vi.spyOn(Readers.prototype, "that");
  drawn(program, [...open, group.key]);
  drawn(program, open);
  // It holds equations alone: nothing in it is a group, and every other is known.
  const inner = group.inner.reduce((sum, { eqns }) => sum + eqns.length, 0);
  expect(asked.mock.calls.length).toBeLessThanOrEqual(inner);
  asked.mockRestore();
});
