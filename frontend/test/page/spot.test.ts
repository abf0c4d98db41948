import { describe, expect, it } from "vitest";
import { fresh } from "../../src/page/state/saved.ts";
import { atSpot, programOf, type Spot, sameSpot, spotOf } from "../../src/page/state/spot.ts";
import type { State } from "../../src/page/state/types.ts";
import { type Action, initial, update } from "../../src/page/state/update.ts";
import { trace, trainingScan } from "./programs.ts";

const saved = fresh("code");
const programs = [trainingScan(), { ...trainingScan(), id: "p1", name: "other" }];
const answered = (from: State, made = programs): State =>
  [
    { type: "run", id: 1 } as Action,
    { type: "answer", id: 1, answer: { trace: trace(made), source: "code", asked: null, wishes: [] } } as Action,
  ].reduce(update, from);
const begun = (restoring: Spot | null): State => answered(initial(saved, { restoring, arrival: null }));
const spot: Spot = {
  program: { id: "p1", name: "other", made: "" },
  view: "stablehlo-text",
  open: ["e0"],
  alone: null,
  selection: { kind: "eqn", path: "e0" },
};

describe("spots", () => {
  it("come back as they were", () => {
    const state = begun(spot);
    expect(spotOf(state)).toEqual(spot);
    expect(state.restoring).toBeNull();
    expect(sameSpot(spotOf(atSpot(begun(null), spot)), spot)).toBe(true);
  });

  it("bring back which way values flow, and down where they say nothing; what is open stays open", () => {
    const right = { ...spot, direction: "LR" } as const;
    const state = begun(right);
    expect(state.direction).toBe("LR");
    expect(spotOf(state)).toEqual(right);
    expect(sameSpot(right, spot)).toBe(false);
    expect(atSpot(state, spot).direction).toBe("TB");
    const turned = update(begun(spot), { type: "direction", direction: "LR" });
    expect(spotOf(turned)).toEqual(right);
  });

  it("bring back the levels too, and as fits where they say none", () => {
    const deep = { ...spot, levels: { by: "calls", depth: 2 } } as const;
    const state = begun(deep);
    expect(state.levels).toEqual({ by: "calls", depth: 2 });
    expect(spotOf(state)).toEqual(deep);
    expect([...(state.open["stablehlo:p1"] ?? [])]).toEqual(["e0"]);
    expect(sameSpot(deep, spot)).toBe(false);
    expect(atSpot(state, spot).levels).toEqual({ by: "auto", depth: null });
    // The same levels are the same object: nothing is drawn again for them.
    expect(atSpot(state, deep).levels).toBe(state.levels);
  });

  it("wait for an answer with programs", () => {
    const waiting = answered(initial(saved, { restoring: spot, arrival: null }), []);
    expect(waiting.restoring).toEqual(spot);
  });

  it("of a program that is gone bring back its view only", () => {
    const state = begun({ ...spot, program: { id: "p1", name: "gone", made: "" } });
    expect([state.program, state.view, state.selection]).toEqual(["p0", "stablehlo-text", null]);
  });

  it("show no body alone that is not there", () => {
    expect(begun({ ...spot, view: "jaxpr", alone: "e0" }).alone).toEqual({ "jaxpr:p1": "e0" });
    expect(begun({ ...spot, view: "jaxpr", alone: "e77" }).alone).toEqual({});
  });

  it("find a program by its name where ids have moved, and never another's", () => {
    const [first] = programs;
    const moved = [{ ...trainingScan(), id: "p7" }];
    expect(programOf(moved, { id: "p0", name: "train", made: "" })?.id).toBe("p7");
    expect(programOf(programs, { id: "p0", name: "train", made: "grad" })).toBeNull();
    expect(programOf([...programs, { ...first!, id: "p8" }, { ...first!, id: "p9" }], { id: "p5", name: "train", made: "" })).toBeNull();
  });

  it("differ by what is selected, not by what is open", () => {
    expect(sameSpot(spot, { ...spot, open: null })).toBe(true);
    expect(sameSpot(spot, { ...spot, selection: null })).toBe(false);
  });
});

describe("other code", () => {
  it("comes with all that belongs to it, and keeps nothing of the code before", () => {
    const before = begun(spot);
    const code: Action = { type: "code", saved: { ...saved, source: "new" }, spot, arrival: { kind: "link", kept: true, back: false } };
    const now = update(before, code);
    expect([now.source, now.shown, now.program, now.selection]).toEqual(["new", null, null, null]);
    expect(spotOf(answered(now))).toEqual(spot);
  });
});
