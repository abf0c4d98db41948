import { describe, expect, it } from "vitest";
import { pictured } from "../../src/drawing/svg/picture.ts";
import { atOnce } from "../../src/model/slices.ts";
import { ConeIndex } from "../../src/viewer/cone.ts";
import { type Item, within } from "../../src/viewer/items.ts";
import { MarkIndex, NO_MARKS } from "../../src/viewer/marks.ts";
import { frame, node, scene } from "./scenes.ts";

const drawn = scene(
  [frame("e0", 0, 0, 300, 300)],
  [node("e0/e1", 10, 40), node("e0/e2", 10, 140), node("e3", 10, 400)],
  [
    ["e0/e1", "e0/e2"],
    ["e0/e2", "e3"],
  ],
);
const { layers } = atOnce(pictured(drawn, { theme: "light", interactive: true }));
const nodes = layers.find((layer) => layer.count === 3 && layer.item(0)?.key === "e0/e1");

/** A thing in the document as far as marks know it. */
function item(key: string): Item & { classes: Set<string> } {
  const classes = new Set<string>();
  const classList = {
    toggle: (name: string, on: boolean) => (on ? classes.add(name) : classes.delete(name)),
    remove: (name: string) => classes.delete(name),
  };
  return { key, eqn: key, value: null, target: { classList }, classes } as unknown as Item & { classes: Set<string> };
}

describe("the things of a picture", () => {
  it("are those that a region overlaps, in painting order", () => {
    if (nodes === undefined) throw new Error("no layer of nodes");
    expect(within(nodes, { x: 0, y: 0, w: 1000, h: 1000 })).toEqual([0, 1, 2]);
    expect(within(nodes, { x: 0, y: 100, w: 1000, h: 50 })).toEqual([1]);
    expect(within(nodes, { x: 90, y: 72, w: 5, h: 5 })).toEqual([0]);
    expect(within(nodes, { x: 91, y: 73, w: 5, h: 5 })).toEqual([]);
  });
});

describe("marks", () => {
  const lit = (name: string, items: readonly { key: string | null; classes: Set<string> }[]) =>
    items.filter(({ classes }) => classes.has(name)).map(({ key }) => key);

  it("are known of what is not in the document", () => {
    let changes = 0;
    const index = new MarkIndex(
      drawn,
      () => [],
      () => changes++,
    );
    expect(index.lights).toBeNull();
    index.mark("lit", { ids: new Set(["e1"]), path: "e0/e1", values: new Set() });
    const [wire] = drawn.wires;
    index.markKeys("lit-wire", [wire?.key ?? ""]);
    const lights = [...drawn.nodes, ...drawn.wires].filter((each) => index.lights?.(each) === true).map(({ key }) => key);
    expect(lights).toEqual(["e0/e1", wire?.key]);
    index.mark("lit", NO_MARKS);
    index.markKeys("lit-wire", []);
    expect(index.lights).toBeNull();
    // A canvas is told when lights go out, too.
    expect(changes).toBe(4);
  });

  it("are found by path, by id and by nothing", () => {
    const items = ["e0", "e0/e1", "e0/e2", "e3"].map(item);
    const index = new MarkIndex(drawn, () => items);
    const count = (marks: Parameters<MarkIndex["mark"]>[1]) => index.mark("lit", marks) > 0;
    expect(count({ ids: new Set(["e1"]), path: "e0/e1", values: new Set() })).toBe(true);
    expect(lit("lit", items)).toEqual(["e0/e1"]);
    expect(count({ ids: new Set(["e1", "e2"]), path: null, values: new Set() })).toBe(true);
    expect(lit("lit", items)).toEqual(["e0/e1", "e0/e2"]);
    expect(count({ ids: new Set(["e1"]), path: "e9/e1", values: new Set() })).toBe(true);
    expect(lit("lit", items)).toEqual(["e0/e1"]);
    expect(count(NO_MARKS)).toBe(false);
    expect(lit("lit", items)).toEqual([]);
    expect(count({ ids: new Set(["e77"]), path: null, values: new Set() })).toBe(false);
  });

  it("are put on what comes into sight later, and count what is out of it", () => {
    const index = new MarkIndex(drawn, () => []);
    expect(index.mark("lit", { ids: new Set(["e3"]), path: null, values: new Set() })).toBeGreaterThan(0);
    index.markKeys("found", ["e0/e1"]);
    const [late, other] = [item("e3"), item("e0/e1")];
    index.dress(late);
    index.dress(other);
    expect([...late.classes]).toEqual(["lit"]);
    expect([...other.classes]).toEqual(["found"]);
    expect([...index.keys()]).toEqual(["e0/e1"]);
  });

  it("light the closed group that something stands in", () => {
    const folded = { ...drawn, folds: [{ key: "e3", eqns: ["e8"], inner: [{ key: "x", eqns: ["e9"], inner: [] }] }] };
    const items = ["e0", "e3"].map(item);
    const index = new MarkIndex(folded, () => items);
    index.mark("lit", { ids: new Set(["e9"]), path: null, values: new Set() });
    expect(lit("lit", items)).toEqual(["e3"]);
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
