import { describe, expect, it } from "vitest";
import { el } from "../../src/drawing/svg/node.ts";
import { ConeIndex } from "../../src/viewer/cone.ts";
import { type Layer, layersOf, overlaps } from "../../src/viewer/items.ts";
import { MarkIndex } from "../../src/viewer/marks.ts";
import { frame, node, scene } from "./scenes.ts";

const drawn = scene(
  [frame("e0", 0, 0, 300, 300)],
  [node("e0/e1", 10, 40), node("e0/e2", 10, 140), node("e3", 10, 400)],
  [
    ["e0/e1", "e0/e2"],
    ["e0/e2", "e3"],
  ],
);
const keyed = (key: string) => el("g", { "data-key": key, "data-eqn": key }, el("text", {}, key));
const svg = el(
  "svg",
  {},
  el("title", {}, "t"),
  el("g", {}, el("g", {}, keyed("e0"), el("text", {}, "scan"))),
  el("g", {}, keyed("e0/e1"), keyed("e0/e2"), keyed("e3")),
);
const layers = layersOf(svg, drawn).filter((part): part is Layer => "items" in part);
const items = layers.flatMap((layer) => layer.items);

describe("the items of a drawing", () => {
  it("have the key and box of what they show, also one level down", () => {
    expect(items.map((item) => [item.key, item.box?.y])).toEqual([
      ["e0", 0],
      ["e0/e1", 40],
      ["e0/e2", 140],
      ["e3", 400],
    ]);
  });

  it("overlap what touches them", () => {
    const box = { x: 0, y: 0, w: 10, h: 10 };
    expect(overlaps(box, { x: 10, y: 0, w: 5, h: 5 })).toBe(true);
    expect(overlaps(box, { x: 11, y: 0, w: 5, h: 5 })).toBe(false);
  });

  it("are found by path, by id and by nothing", () => {
    const index = new MarkIndex(items);
    expect(index.mark("lit", { ids: new Set(["e1"]), path: "e0/e1", values: new Set() })).toBe(1);
    expect(index.mark("lit", { ids: new Set(["e1", "e2"]), path: null, values: new Set() })).toBe(2);
    expect(index.mark("lit", { ids: new Set(["e1"]), path: "e9/e1", values: new Set() })).toBe(1);
    expect(index.mark("lit", { ids: new Set(), path: null, values: new Set() })).toBe(0);
  });
});

describe("the cone of an equation", () => {
  it("is its wires and what is at their other ends", () => {
    const cone = new ConeIndex(drawn).around(new Set(["e2"]), "e0/e2");
    expect([...cone.near].sort()).toEqual(["e0/e1", "e3"]);
    expect(cone.wires.has("e0/e1>e0/e2")).toBe(true);
    expect(new ConeIndex(drawn).around(new Set(), null).near.size).toBe(0);
  });
});
