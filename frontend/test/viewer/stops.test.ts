import { describe, expect, it } from "vitest";
import { rolesIn, rolesInTurns } from "../../src/drawing/roles.ts";
import { StopIndex } from "../../src/viewer/stops.ts";
import { edgeOf, Trail } from "../../src/viewer/walk.ts";
import { frame, node, scene } from "./scenes.ts";

const drawn = scene(
  [frame("scan", 0, 200, 400, 300)],
  [
    node("a", 0, 0),
    node("b", 120, 0),
    node("scan/in1", 20, 260),
    node("scan/in2", 120, 260),
    node("scan/in3", 20, 340),
    node("closed", 0, 600, { kind: "closed", toggle: "closed", fold: { x: 10, y: 608, w: 10, h: 10 } }),
    node("group", 200, 600, { kind: "closed", eqn: null, toggle: "group@1", fold: { x: 210, y: 608, w: 10, h: 10 } }),
  ],
  [
    ["a", "scan/in2"],
    ["scan/in1", "scan/in3"],
    ["scan/in2", "scan/in3"],
  ],
);
const index = StopIndex.of(drawn);

describe("stops", () => {
  it("are found by key, by instance and by what opens them", () => {
    expect(index.at("scan/in1")?.key).toBe("scan/in1");
    expect(index.of("scan")?.key).toBe("scan");
    expect(index.of("group@1")?.key).toBe("group");
    expect(index.of("nowhere")).toBeNull();
    expect(index.at(null)).toBeUndefined();
  });

  it("open by a target of 24 pixels at any scale", () => {
    const hits = (k: number): number => {
      let found = 0;
      for (let x = -40; x < 60; x += 0.5) if (index.gripAt(x, 613, k) === "closed") found += 0.5 * k;
      return found;
    };
    expect(hits(1)).toBeGreaterThanOrEqual(24);
    expect(hits(2)).toBeGreaterThanOrEqual(24);
    expect(index.gripAt(15, 613, 1)).toBe("closed");
    expect(index.gripAt(60, 613, 1)).toBeNull();
    // From afar the target may be wider than the box, but what stands beside it is not meant.
    expect(index.gripAt(-20, 613, 0.2)).toBeNull();
  });

  it("know which body a view is inside of", () => {
    expect(index.inside({ x: 50, y: 250, w: 200, h: 150 })).toBe("scan");
    expect(index.inside({ x: 0, y: 0, w: 400, h: 700 })).toBeNull();
  });
});

describe("keys", () => {
  it("Home and End lead to the edges of the same body", () => {
    expect(edgeOf(drawn, "scan/in2", "first")).toBe("scan/in1");
    expect(edgeOf(drawn, "scan/in2", "last")).toBe("scan/in3");
    expect(edgeOf(drawn, "b", "first")).toBe("a");
    expect(edgeOf(drawn, "a", "last")).toBe("group");
    expect(edgeOf(drawn, "gone", "last")).toBe("a");
  });

  it("go back the way they came, though another is nearer", () => {
    const trail = new Trail();
    expect(trail.next(drawn, "scan/in2", "down")).toBe("scan/in3");
    expect(trail.next(drawn, "scan/in3", "up")).toBe("scan/in2");
    expect(new Trail().next(drawn, "scan/in3", "up")).toBe("scan/in1");
  });
});

it("is made in turns of a large drawing, and finds what it finds when it is made at once", () => {
  const many = scene(
    [],
    Array.from({ length: 5_000 }, (_, i) => node(`e${i}`, 0, 40 * i)),
    [],
  );
  const turns = StopIndex.inTurns(many);
  let stops = 0;
  let step = turns.next();
  for (; step.done !== true; step = turns.next()) stops++;
  expect(stops).toBe(2);
  expect(step.value.size).toBe(5_000);
  expect(step.value.of("e4999")).toBe(StopIndex.of(many).of("e4999"));
});

it("the lines of a legend are found in turns, once", () => {
  const drawing = scene(
    [],
    [node("a", 0, 0), node("b", 0, 80)],
    Array.from({ length: 6_000 }, () => ["a", "b"] as const),
  );
  const wires = drawing.wires.map((wire, i) => ({ ...wire, role: i === 5_999 ? ("carry" as const) : ("plain" as const) }));
  const many = { ...drawing, wires };
  const turns = rolesInTurns(many);
  expect(turns.next().done).toBe(false);
  expect(turns.next().done).toBe(true);
  expect([...rolesIn(many).found].sort()).toEqual(["carry", "plain"]);
  expect(rolesIn(many)).toBe(rolesIn(many));
});
