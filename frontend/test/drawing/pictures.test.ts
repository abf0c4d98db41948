/** Committed pictures: what people see changes only on purpose. UPDATE_PICTURES=1 writes them anew; look at them before committing. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { locatedPlaces } from "../../src/drawing/graph/located.ts";
import { drawModule, drawProgram, initialOpen, initialOpenOps, sceneToSvg, svgToString } from "../../src/drawing/index.ts";
import type { Module } from "../../src/model/types.ts";
import { example, examples } from "./fixtures.ts";

const FOLDER = resolve(import.meta.dirname, "../pictures");
const DOCS = resolve(import.meta.dirname, "../../../docs");
const update = process.env.UPDATE_PICTURES === "1";

/** The examples people see first, in the colours of the reader's system; the others are covered by the invariants. */
const shown = examples().filter(({ name }) => /^\d\d_/.test(name));
/** One program for each kind of frame, light and dark. */
const frames = examples().filter(({ name }) => name.startsWith("frame_"));

function matches(file: string, svg: string, folder = FOLDER): void {
  const path = resolve(folder, file);
  if (update) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, svg);
  }
  expect(existsSync(path), `${file} is missing: run with UPDATE_PICTURES=1`).toBe(true);
  // A whole SVG as a difference helps nobody.
  expect(readFileSync(path, "utf8") === svg, `${file} changed: run with UPDATE_PICTURES=1 and look at it`).toBe(true);
}

describe.each(shown)("$name", ({ name, program }) => {
  it("looks as committed", () => {
    const scene = drawProgram(program, { open: initialOpen(program) });
    matches(`${name}.svg`, `${svgToString(sceneToSvg(scene, { theme: "auto", title: program.name }))}\n`);
  });
});

describe.each(frames)("$name", ({ name, program }) => {
  it.each(["light", "dark"] as const)("looks as committed, %s", (theme) => {
    const scene = drawProgram(program, { open: initialOpen(program) });
    matches(`${name}.${theme}.svg`, `${svgToString(sceneToSvg(scene, { theme, title: program.name }))}\n`);
  });
});

/** The same mechanism to the right: lanes below each other, a loop, branches, a module. */
const flowing = ["01_grad_of_scan", "02_training_scan", "frame_while", "06_branches"];

describe.each(flowing)("%s, to the right", (name) => {
  it.each(["light", "dark"] as const)("looks as committed, %s", (theme) => {
    const program = example(name);
    const scene = drawProgram(program, { open: initialOpen(program), direction: "LR" });
    matches(`right_${name}.${theme}.svg`, `${svgToString(sceneToSvg(scene, { theme, title: program.name }))}\n`);
  });
});

/** One module for each way that ops are drawn, pasted as text: its roles are those that the text shows. */
const MODULES = resolve(import.meta.dirname, "modules");
const pasted = ["pasted_scan", "branches", "composite", "reducers", "helpers", "manual", "blocks", "layers", "compiled"];

describe.each(pasted)("the module of %s", (name) => {
  it.each(["light", "dark"] as const)("looks as committed, %s", (theme) => {
    const module = JSON.parse(readFileSync(resolve(MODULES, `${name}.json`), "utf8")) as Module;
    const scene = drawModule(module, { open: initialOpenOps(module), places: locatedPlaces(module) });
    matches(`module_${name}.${theme}.svg`, `${svgToString(sceneToSvg(scene, { theme, title: name }))}\n`);
  });
});

describe("the module of a scan that was traced", () => {
  it.each(["light", "dark"] as const)("looks as committed, %s", (theme) => {
    const module = example("02_training_scan").modules.stablehlo!;
    const scene = drawModule(module, { open: initialOpenOps(module) });
    matches(`module_training_scan.${theme}.svg`, `${svgToString(sceneToSvg(scene, { theme, title: module.name }))}\n`);
  });
});

it("the picture of the README is the drawing of today", () => {
  const program = example("01_grad_of_scan");
  const scene = drawProgram(program, { open: initialOpen(program) });
  const title = "The gradient of a scan: forward on the left, backward on the right";
  matches("grad_of_scan.svg", `${svgToString(sceneToSvg(scene, { theme: "auto", title }))}\n`, DOCS);
});
