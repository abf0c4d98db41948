import { describe, expect, it } from "vitest";
import { drawProgram, initialOpen } from "../../src/drawing/index.ts";
import { firstStop, neighbour } from "../../src/viewer/walk.ts";
import { example } from "../drawing/fixtures.ts";
import { frame, node, scene } from "./scenes.ts";

const walked = scene(
  [frame("scan", 0, 200, 400, 300)],
  [node("a", 0, 0), node("b", 120, 0), node("c", 300, 100), node("in1", 20, 260), node("in2", 20, 340), node("d", 0, 600)],
  [
    ["a", "c"],
    ["c", "scan"],
    ["in1", "in2"],
    ["scan", "d"],
  ],
);

describe("walking by arrows", () => {
  it("begins at the top left", () => {
    expect(firstStop(walked)?.key).toBe("a");
    expect(neighbour(walked, "gone", "down")).toBe("a");
  });

  it("follows wires down and up, past what is merely nearer", () => {
    expect(neighbour(walked, "a", "down")).toBe("c");
    expect(neighbour(walked, "c", "up")).toBe("a");
    expect(neighbour(walked, "c", "down")).toBe("scan");
    expect(neighbour(walked, "d", "up")).toBe("scan");
  });

  it("goes beside without wires", () => {
    expect(neighbour(walked, "a", "right")).toBe("b");
    expect(neighbour(walked, "b", "left")).toBe("a");
    expect(neighbour(walked, "a", "left")).toBeNull();
  });

  it("goes down into an open body, and out of its last row to what comes after it", () => {
    expect(neighbour(walked, "scan", "down")).toBe("in1");
    expect(neighbour(walked, "in2", "down")).toBe("d");
    expect(neighbour(walked, "in1", "up")).toBe("scan");
    expect(neighbour(walked, "in1", "right")).toBeNull();
  });

  it("goes with the flow by right and left where it flows to the right", () => {
    const program = example("02_training_scan");
    const right = drawProgram(program, { open: initialOpen(program), direction: "LR" });
    const [loop] = right.frames;
    const first = neighbour(right, loop!.key, "right");
    expect(right.nodes.find(({ key }) => key === first)?.kind).toBe("binder");
    expect(neighbour(right, first!, "left")).toBe(loop!.key);
    const before = right.nodes.filter(({ kind }) => kind === "input").map(({ key }) => key);
    expect(before).toContain(firstStop(right)?.key);
    expect(before).toContain(neighbour(right, loop!.key, "left"));
    expect(before).toContain(neighbour(right, before[0]!, "down") ?? neighbour(right, before[0]!, "up"));
  });

  it("walks inside a frame", () => {
    expect(neighbour(walked, "in1", "down")).toBe("in2");
    expect(neighbour(walked, "in2", "up")).toBe("in1");
  });
});
