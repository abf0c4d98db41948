import { describe, expect, it } from "vitest";
import { newsOf } from "../../src/page/program/news.ts";
import { spokenToggle } from "../../src/page/program/speak.ts";
import { fresh } from "../../src/page/state/saved.ts";
import type { State } from "../../src/page/state/types.ts";
import { type Action, initial, update } from "../../src/page/state/update.ts";
import { trace, trainingScan } from "./programs.ts";

const saved = fresh("code");
const programs = [trainingScan(), { ...trainingScan(), id: "p1", name: "other" }];
const run: Action = { type: "run", id: 1 };
const answer: Action = { type: "answer", id: 1, answer: { trace: trace(programs), source: "code", asked: null, wishes: [] } };
const begun: State = [run, answer].reduce(update, initial(saved));
const said = (action: Action, before = begun): string | null => newsOf(action, before, update(before, action));

describe("news for those who do not look", () => {
  it("tell another program, view and level", () => {
    expect(said({ type: "program", id: "p1" })).toBe("Program other");
    expect(said({ type: "view", view: "stablehlo" })).toBe("Graph of the StableHLO module");
    expect(said({ type: "levels", levels: { by: "calls", depth: "all" } })).toBe("Everything is open. Grouped by functions");
    expect(said({ type: "levels", levels: { ...begun.levels, depth: 0 } })).toBe("Everything is closed");
    expect(said({ type: "levels", levels: { ...begun.levels, depth: 2 } })).toBe("Open 2 levels deep");
    expect(said({ type: "levels", levels: { ...begun.levels } })).toBe("Open as far as fits");
    expect(said({ type: "levels", levels: { ...begun.levels, by: "scopes" } })).toBe("Grouped by name scopes");
  });

  it("tell all of it where back and forward led", () => {
    const spot = { program: { id: "p1", name: "other", made: "" }, view: "jaxpr-text", open: null, alone: null, selection: null } as const;
    expect(said({ type: "spot", spot })).toBe("Program other. Text of the jaxpr");
  });

  it("are none of what changes nothing, of an answer, or without a program", () => {
    expect(said({ type: "view", view: "jaxpr" })).toBeNull();
    expect(said({ type: "hover", target: { kind: "eqn", path: "e0" } })).toBeNull();
    expect(said(answer, update(initial(saved), run))).toBeNull();
    expect(said({ type: "view", view: "stablehlo" }, initial(saved))).toBeNull();
  });

  it("tell what was opened and closed", () => {
    expect(spokenToggle("scan ×8", true)).toBe("Opened scan ×8");
    expect(spokenToggle("", false)).toBe("Closed the body");
  });
});
