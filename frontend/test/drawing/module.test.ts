import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { drawModule, foldableOps, initialOpenOps, type Scene, sceneToSvg, svgToString } from "../../src/drawing/index.ts";
import type { Module } from "../../src/model/types.ts";
import { ALL } from "./checks.ts";

/** Lowered examples without their text, from scripts/fixtures.py by way of the tracing package; and pasted ones (scripts/modules.py). */
const FOLDER = resolve(import.meta.dirname, "modules");

function load(name: string): Module {
  return JSON.parse(readFileSync(resolve(FOLDER, `${name}.json`), "utf8")) as Module;
}

const names = readdirSync(FOLDER).map((file) => file.replace(".json", ""));

describe.each(names)("the module of %s", (name) => {
  const module = load(name);
  const scenes: [string, Scene][] = [
    ["closed", drawModule(module, { open: new Set() })],
    ["as it opens", drawModule(module, { open: initialOpenOps(module) })],
    ["all open", drawModule(module, { open: new Set(foldableOps(module)) })],
  ];
  it.each(scenes)("keeps every invariant, %s", (_, scene) => {
    const broken = Object.entries(ALL).map(([check, run]) => [check, run(scene).slice(0, 5)]);
    expect(Object.fromEntries(broken)).toEqual(Object.fromEntries(Object.keys(ALL).map((check) => [check, []])));
  });
});

describe("a compiled module", () => {
  const module = load("compiled");
  const scene = drawModule(module, { open: new Set(foldableOps(module)) });
  const titles = scene.nodes.map((node) => node.title);

  it("has wires where its text has tuples, and the person's names through them", () => {
    expect(titles.some((title) => /tuple/.test(title))).toBe(false);
    const loop = scene.frames.find((frame) => frame.kind === "while")!;
    expect(loop.title).toBe("while \u00d75");
    const texts = scene.labels.map(({ text }) => text);
    for (const caption of ["counter", "carry", "xs", "ys"]) expect(texts).toContain(caption);
    expect(texts.filter((text) => text === "xs").length).toBeGreaterThan(2);
  });

  it("has fusions as frames that say what they compute, and branches beside each other", () => {
    const frames = scene.frames.map(({ title }) => title);
    expect(frames).toContain("fusion dynamic-slice, add, tanh");
    expect(frames).toContain("fusion dynamic-update-slice");
    expect(frames.filter((title) => title === "true" || title === "false")).toEqual(["true", "false"]);
    expect(titles.filter((title) => title === "reduce")).toHaveLength(2);
  });
});

describe("a lowered scan", () => {
  const module = load("02_training_scan");
  const scene = drawModule(module, { open: initialOpenOps(module) });
  const texts = scene.labels.map((label) => label.text);

  it("is a while with condition and body beside each other, and its roles", () => {
    const frame = scene.frames.find((each) => each.kind === "while")!;
    const cards = scene.frames.filter((each) => each.kind === "body" && each.eqn === frame.eqn);
    expect(cards.map((card) => card.title)).toEqual(["cond", "body"]);
    expect(cards[0]!.box.y).toBe(cards[1]!.box.y);
    for (const caption of ["const", "carry", "xs", "ys", "counter", "predicate"]) expect(texts).toContain(caption);
    expect(
      scene.wires
        .filter((wire) => wire.kind === "loop")
        .map((wire) => wire.role)
        .sort(),
    ).toEqual(["carry", "carry", "ys"]);
  });

  it("has no result for what is the same in every step", () => {
    const frame = scene.frames.find((each) => each.kind === "while")!;
    const results = scene.nodes.filter((node) => node.kind === "result" && node.key.startsWith(`${frame.key}|`));
    const captions = (key: string) => scene.labels.filter((label) => label.key.startsWith(key)).map((label) => label.text);
    expect(results).toHaveLength(3);
    expect(captions(`${frame.key}.out`)).toEqual(["counter", "carry", "ys"]);
    const ports = scene.ports.filter((port) => port.owner === frame.key && port.direction === "out");
    expect(ports.map((port) => port.used)).toEqual([false, true, true]);
  });

  it("is led by its condition, as the while of a jaxpr", () => {
    const frame = scene.frames.find((each) => each.kind === "while")!;
    const gate = scene.wires.filter((wire) => wire.kind === "select" && wire.to.startsWith(`${frame.key}>`));
    expect(gate).toHaveLength(1);
    expect(texts).toContain("next step while true");
  });

  it("shows a called function inside of its call, and constants in their consumers", () => {
    expect(texts).toContain("body");
    expect(texts).toContain("@closed_call");
    expect(scene.nodes.map((node) => node.title)).not.toContain("constant");
    expect(scene.chips.filter((chip) => chip.kind === "literal").map((chip) => chip.text)).toContain("0.0 [6]");
  });

  it("tells MLIR's names from the person's", () => {
    const styles = scene.labels.filter((label) => label.text.startsWith("%")).map((label) => label.style);
    expect(new Set(styles)).toEqual(new Set(["letter"]));
    const pills = scene.labels.filter((label) => label.key.endsWith(".name") && ["w", "xs", "ys", "lr"].includes(label.text));
    expect(new Set(pills.map((label) => label.style))).toEqual(new Set(["name"]));
    expect(svgToString(sceneToSvg(scene, { theme: "light" }))).toContain("a name in the module");
  });

  it("names arguments as the person does", () => {
    const inputs = scene.nodes.filter((node) => node.kind === "input").map((node) => node.title);
    expect(inputs).toEqual(["w", "xs", "ys", "lr"]);
  });
});

it("a branch shows what it reads from outside", () => {
  const module = load("06_branches");
  const scene = drawModule(module, { open: new Set(foldableOps(module)) });
  expect(scene.labels.map((label) => label.text)).toContain("captured");
});

describe("a long module", () => {
  it("counts ops in what it folds, for a module has no equations", () => {
    const module = load("nested");
    const main = module.functions.find((each) => each.name === "main") ?? module.functions[0]!;
    const [block] = main.region.blocks;
    const of = block!.ops.find((op) => op.name === "stablehlo.convert")!;
    const copies = Array.from({ length: 300 }, (_, i) => ({ ...of, id: `copy${i}`, results: [`copied${i}`] }));
    const blocks = [{ ...block!, ops: [...block!.ops.slice(0, -1), ...copies, ...block!.ops.slice(-1)] }];
    const functions = module.functions.map((each) => (each === main ? { ...main, region: { ...main.region, blocks } } : each));
    const values = { ...module.values, ...Object.fromEntries(copies.map(({ results: [id] }) => [id!, module.values[of.results[0]!]!])) };
    const texts = drawModule({ ...module, functions, values }, { open: new Set() }).labels.map((label) => label.text);
    const hints = texts.filter((text) => / inside/.test(text));
    expect(hints.some((text) => /^[0-9]+ ops inside: /.test(text))).toBe(true);
    expect(hints.filter((text) => /equation/.test(text))).toEqual([]);
  });
});
