// Which levels a file of its own offers, and what it says of a thing.
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { drawProgram, initialOpen } from "../../src/drawing/index.ts";
import { levelsOf, subjectOf, unpacked } from "../../src/embed/data.ts";
import { wordsOf } from "../../src/embed/words.ts";
import { example } from "../drawing/fixtures.ts";

const program = example("02_training_scan");

test("only levels that the program has are offered", () => {
  expect(levelsOf(program)).toEqual(["jaxpr", "stablehlo"]);
  expect(levelsOf({ ...program, entry: null })).toEqual(["stablehlo"]);
  expect(subjectOf({ ...program, entry: null }, "jaxpr")).toBeNull();
  expect(subjectOf(program, "hlo")).toBeNull();
  expect(subjectOf(program, "stablehlo")?.kind).toBe("module");
});

test("a box says its title and hint, a wire its role, and the ground nothing", () => {
  const scene = drawProgram(program, { open: initialOpen(program) });
  const box = scene.nodes.find(({ title }) => title === "lr")!;
  expect(wordsOf(scene, { key: box.key, eqn: null, value: null })).toEqual({ title: "lr", more: box.hint });
  const wire = scene.wires.find(({ role }) => role === "carry")!;
  expect(wordsOf(scene, { key: wire.key, eqn: null, value: null })?.title).toBe("carry");
  expect(wordsOf(scene, { key: "nothing", eqn: null, value: null })).toBeNull();
});

test("data comes back as it was packed", async () => {
  const data = { program, title: "</script>\u2028", level: "jaxpr" };
  expect(await unpacked(gzipSync(JSON.stringify(data)).toString("base64"))).toEqual(data);
});
