/** What has to be opened before an equation can be seen. */
import { expect, it } from "vitest";
import { emptyScene } from "../../src/drawing/emit/sink.ts";
import { hiding } from "../../src/page/program/hiding.ts";

const inner = { key: "~turn.e1+2", eqns: ["e1", "e2"], inner: [] };
const folded = {
  ...emptyScene(),
  folds: [{ key: "~run.e1+4", eqns: [], inner: [inner, { key: "~turn.e3+2", eqns: ["e3", "e4"], inner: [] }] }],
};

it("is nothing where nothing hides it", () => {
  expect(hiding({ open: [], scene: emptyScene() }, "e7")).toEqual([]);
  expect(hiding({ open: ["e3"], scene: emptyScene() }, "e3:1/e7")).toEqual([]);
});

it("is the bodies around it", () => {
  expect(hiding({ open: ["e3"], scene: emptyScene() }, "e3/e7:1/e9")).toEqual(["e3/e7"]);
});

it("is the groups around it, or around the body that it stands in, before that body", () => {
  expect(hiding({ open: [], scene: folded }, "e2")).toEqual(["~run.e1+4", "~turn.e1+2"]);
  expect(hiding({ open: [], scene: folded }, "e4/e9")).toEqual(["~run.e1+4", "~turn.e3+2"]);
});
