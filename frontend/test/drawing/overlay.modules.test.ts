/** Overlays of lowered modules: every op is marked as the equations are, and the legend explains every colour. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { heldInside, regionLive } from "../../src/drawing/cost/ops/live.ts";
import { bytesOfValue, typed } from "../../src/drawing/cost/ops/types.ts";
import { opWork, regionWork } from "../../src/drawing/cost/ops/work.ts";
import { everyOp } from "../../src/drawing/graph/ops/context.ts";
import { drawModule, foldableOps, initialOpenOps, OVERLAYS, opPlacesOf } from "../../src/drawing/index.ts";
import type { Module } from "../../src/model/types.ts";
import { example } from "./fixtures.ts";

vi.setConfig({ testTimeout: 60_000 });

const FOLDER = resolve(import.meta.dirname, "modules");
const load = (name: string): Module => JSON.parse(readFileSync(resolve(FOLDER, `${name}.json`), "utf8")) as Module;
const pasted = ["pasted_scan", "branches", "reducers", "blocks", "manual", "functions"].map(load);
const lowered = ["02_training_scan", "05_loop_until", "06_branches"].map((name) => example(name).modules.stablehlo!);

describe.each(OVERLAYS)("the overlay of %s", (overlay) => {
  it("marks boxes and explains itself in every module", () => {
    for (const module of [...pasted, ...lowered]) {
      const scene = drawModule(module, { open: initialOpenOps(module), overlay });
      expect(scene.overlay?.title).not.toBe("");
      const explained = new Set(scene.overlay?.swatches.map(({ fill }) => fill));
      for (const { fill } of scene.nodes) if (fill != null) expect(explained).toContain(fill);
    }
  });

  it("moves no wire and loses no box", () => {
    const module = load("pasted_scan");
    const open = new Set(foldableOps(module));
    const [plain, laid] = [drawModule(module, { open }), drawModule(module, { open, overlay })];
    expect(laid.nodes.map(({ key }) => key)).toEqual(plain.nodes.map(({ key }) => key));
    expect(laid.wires.map(({ key }) => key)).toEqual(plain.wires.map(({ key }) => key));
  });
});

describe("operations", () => {
  const named = (module: Module, name: string) => [...everyOp(module)].filter((op) => op.name === name);

  it("of a loop are those of a step times its trips; without trips they are of a turn", () => {
    const module = load("pasted_scan");
    const [loop] = named(module, "stablehlo.while");
    const step = regionWork(module, loop!.regions[1]!).flops + regionWork(module, loop!.regions[0]!).flops;
    expect(opWork(module, loop!)).toMatchObject({ flops: 6 * step, perTurn: false });
    expect(opWork({ ...module }, { ...loop!, trips: null })).toMatchObject({ flops: step, perTurn: true });
  });

  it("of branches are the costliest", () => {
    const module = load("branches");
    const [branch] = named(module, "stablehlo.case");
    const each = branch!.regions.map((region) => regionWork(module, region).flops);
    expect(opWork(module, branch!).flops).toBe(Math.max(...each));
  });

  it("say which ops they leave out, custom calls by their target", () => {
    const module = load("helpers");
    const main = module.functions.find(({ name }) => name === "main")!;
    expect([...regionWork(module, main.region).uncounted]).toEqual(["lapack_ssyevd_ffi"]);
  });
});

describe("memory", () => {
  it("peaks at an op, and inside of it", () => {
    for (const module of [...pasted, ...lowered]) {
      const [main] = module.functions;
      const live = regionLive(module, main!.region);
      expect(live.peak).toBeGreaterThanOrEqual(live.inputs);
      if (live.at !== null && main!.region.blocks.length === 1) {
        expect(live.during.get(live.at.id)! + heldInside(module, live.at)).toBe(live.peak);
      }
    }
  });
});

it("scopes are those of the equations that ops were lowered from", () => {
  const program = example("02_training_scan");
  const places = opPlacesOf(program, "stablehlo");
  const scene = drawModule(program.modules.stablehlo!, { open: new Set(), overlay: "lines", places });
  expect(scene.overlay?.swatches.length).toBeGreaterThan(0);
});

it.each([
  ["tensor<6x3xf32>", { shape: [6, 3], dtype: "float32" }],
  ["tensor<i1>", { shape: [], dtype: "bool" }],
  ["tensor<2x?xbf16>", { shape: [2, "?"], dtype: "bfloat16" }],
  ["tensor<2xcomplex<f64>>", { shape: [2], dtype: "complex128" }],
  ["tensor<4xf8E4M3FN>", { shape: [4], dtype: "float8_e4m3fn" }],
  ["f32[5,3]{1,0}", { shape: [5, 3], dtype: "float32" }],
  ["pred[]", { shape: [], dtype: "bool" }],
  ["s32[4]{0}", { shape: [4], dtype: "int32" }],
  ["!stablehlo.token", null],
  ["tuple<tensor<f32>>", null],
])("the type %s is read", (type, expected) => {
  expect(typed(type)).toEqual(expected);
});

it.each([
  ["tensor<6x3xf32>", 72],
  ["tensor<4xi1>", 4],
  ["tensor<?xf32>", null],
  ["!stablehlo.token", 0],
  ["tensor<4x!quant.uniform<i8:f32, 2.0:15>>", null],
])("a value of %s takes so many bytes", (type, bytes) => {
  const module = { ...load("branches"), values: { v: { type, name: "%v", role: null, label: null, derived: false } } };
  expect(bytesOfValue(module, "v")).toBe(bytes);
});
