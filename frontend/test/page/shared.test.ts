import { describe, expect, it } from "vitest";
import { fresh } from "../../src/page/state/saved.ts";
import { pathOf, rootOf, sharedIn } from "../../src/page/state/shared.ts";
import { spotShared, wantedShared, widthOf } from "../../src/page/state/sharing.ts";
import type { State } from "../../src/page/state/types.ts";
import { initial, update } from "../../src/page/state/update.ts";

const shared = { id: "abc", state: "v1:xyz", forked: false };
const begun = (): State => initial(fresh("code"), { restoring: null, arrival: null, shared });

describe("a page that was served for a short link", () => {
  it("says what the link holds, where its address is that of the link", () => {
    expect(sharedIn('{"id":"abc","state":"v1:xyz"}', "/s/abc")).toEqual(shared);
    expect(sharedIn('"v1:xyz"', "/under/s/abc/")).toEqual(shared);
    expect(sharedIn('{"state":"v1:xyz"}', "/")).toBeNull();
    expect(sharedIn(null, "/s/abc")).toBeNull();
    for (const block of ["", "{", "3", "null", '{"state":3}', '{"state":"v1:<b>"}', '{"state":"#v1:xyz"}'])
      expect(sharedIn(block, "/s/abc"), block).toBeNull();
  });

  it("has the address of the link until it is somebody's own", () => {
    expect([rootOf("/s/abc"), rootOf("/under/s/abc/"), rootOf("/"), rootOf("/under/")]).toEqual(["/", "/under/", "/", "/under/"]);
    expect([pathOf("/", shared), pathOf("/", { ...shared, forked: true }), pathOf("/under/", null)]).toEqual(["/s/abc", "/", "/under/"]);
  });
});

describe("a fork", () => {
  it("is made by the first change of what the link holds, and by asking for it", () => {
    const asked = update(begun(), { type: "fork" });
    expect(asked.shared?.forked).toBe(true);
    expect(asked.arrival).toEqual({ kind: "link", kept: false, back: false });
    expect(update(begun(), { type: "edit", source: "code2" }).shared?.forked).toBe(true);
    expect(update(begun(), { type: "settings", staticNumbers: true }).shared?.forked).toBe(true);
    expect(update(begun(), { type: "compile", on: true }).shared?.forked).toBe(true);
  });

  it("is not made by looking, by settings of one's own, or by an edit that changes nothing", () => {
    let state = begun();
    for (const action of [
      { type: "edit", source: "code" },
      { type: "settings", theme: "dark" },
      { type: "settings", auto: false },
      { type: "view", view: "stablehlo" },
      { type: "open", key: "jaxpr:p0", open: new Set(["e0"]) },
      { type: "share", change: { open: true } },
    ] as const)
      state = update(state, action);
    expect(state.shared).toBe(shared);
  });

  it("is nothing more than that: other code altogether comes from no link", () => {
    expect(update(begun(), { type: "load", source: "other" }).shared).toBeNull();
    expect(update(begun(), { type: "code", saved: fresh("x"), spot: null, arrival: null }).shared).toBeNull();
    expect(update(initial(fresh("x")), { type: "fork" }).shared).toBeNull();
  });
});

describe("what is shared", () => {
  const spot = {
    program: { id: "p0", name: "f", made: "" },
    view: "stablehlo",
    open: ["e0"],
    alone: "e0",
    selection: { kind: "eqn", path: "e0/e1" },
    levels: { by: "calls", depth: 2 },
  } as const;

  it("is what is seen, or what somebody sees who has opened nothing", () => {
    expect(spotShared(spot, { shown: "screen" })).toBe(spot);
    expect(spotShared(spot, { shown: "fresh" })).toEqual({
      program: spot.program,
      view: "stablehlo",
      open: null,
      alone: null,
      selection: null,
    });
    const state = { ...begun(), program: "p0", open: { "jaxpr:p0": new Set(["e0"]) }, alone: { "jaxpr:p0": "e0" } };
    expect(wantedShared(state)).toMatchObject({ open: ["e0"], alone: "e0", overlay: null });
    expect(wantedShared({ ...state, sharing: { ...state.sharing, shown: "fresh" } })).toEqual({ open: null });
  });

  it("has a width that a picture can have", () => {
    expect(["", " ", "x", "640", "3.6", "1e9", "-5"].map(widthOf)).toEqual([null, null, null, 640, 100, 10_000, 100]);
  });
});
