import { describe, expect, it } from "vitest";
import { AS_FITS } from "../../src/drawing/scene.ts";
import { type Picture, Standing } from "../../src/page/panels/graph/standing.ts";
import type { Edits } from "../../src/page/program/edits.ts";

const LEVELS = AS_FITS;
const PICTURE: Picture = { front: "p0 f", shown: "jaxpr:p0 ", levels: LEVELS, direction: "TB" };
const edits = (same: string[], added: string[]): Edits => ({
  same: new Map(same.map((id) => [id, id])),
  added,
  changed: [],
  removed: 0,
});
const small = (): Edits => edits(["e0", "e1"], ["e2"]);

/** What stands after a first picture. */
function standing(): Standing {
  const one = new Standing();
  one.asked(null);
  one.next(PICTURE, null, true);
  return one;
}

describe("a picture follows another", () => {
  it("is looked at afresh when it is the first", () => {
    expect(new Standing().next(PICTURE, null, true)).toEqual({ another: true, refit: true, change: null });
  });

  it("stays in its place while the same program opens and closes", () => {
    expect(standing().next(PICTURE, null, true)).toEqual({ another: false, refit: false, change: null });
  });

  it.each([
    ["another level or body alone", { shown: "stablehlo:p0 " }],
    ["other levels", { levels: { ...LEVELS } }],
    ["another direction", { direction: "LR" as const }],
  ])("is looked at afresh with %s, and is no other program", (_, other) => {
    expect(standing().next({ ...PICTURE, ...other }, null, true)).toEqual({ another: false, refit: true, change: null });
  });

  it("is another one by its name, though at the same place", () => {
    expect(standing().next({ ...PICTURE, front: "p0 g" }, null, true)).toEqual({ another: true, refit: true, change: null });
  });

  it("tells an edit once, in its place", () => {
    const one = standing();
    const edit = small();
    one.asked(edit);
    expect(one.next(PICTURE, edit, true)).toEqual({ another: false, refit: false, change: edit });
    one.asked(edit);
    expect(one.next(PICTURE, edit, true).change).toBeNull();
  });

  it("is another one when more was added than stayed", () => {
    const one = standing();
    const edit = edits(["e0"], ["e1", "e2"]);
    one.asked(edit);
    expect(one.next(PICTURE, edit, true)).toEqual({ another: true, refit: true, change: null });
  });

  it("is another one when an edit between was never shown: what is known of the second is known of the first alone", () => {
    const one = standing();
    const [first, second] = [small(), small()];
    one.asked(first);
    one.asked(second);
    expect(one.next(PICTURE, second, true)).toEqual({ another: true, refit: true, change: null });
    // That was then: the next one follows a picture that was shown.
    const third = small();
    one.asked(third);
    expect(one.next(PICTURE, third, true).change).toBe(third);
  });

  it("counts no edit twice that is asked for twice", () => {
    const one = standing();
    const edit = small();
    one.asked(edit);
    one.asked(edit);
    expect(one.next(PICTURE, edit, true).change).toBe(edit);
  });

  it("tells no edit where its level does not show it, then or later", () => {
    const one = standing();
    const edit = small();
    one.asked(edit);
    expect(one.next({ ...PICTURE, shown: "stablehlo:p0 " }, edit, false).change).toBeNull();
    one.asked(edit);
    expect(one.next(PICTURE, edit, true).change).toBeNull();
  });

  it("is looked at afresh after nothing was shown", () => {
    const one = standing();
    one.cleared();
    expect(one.next(PICTURE, null, true)).toEqual({ another: false, refit: true, change: null });
  });
});
