/** Nothing floats in a module: every operand of every op leads to the value that it is, once, through the border of every region. */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { Module } from "../../src/model/types.ts";
import { floating } from "./edges.ts";
import { examples } from "./fixtures.ts";

const FOLDER = resolve(import.meta.dirname, "modules");
const load = (name: string): Module => JSON.parse(readFileSync(resolve(FOLDER, `${name}.json`), "utf8")) as Module;
const names = readdirSync(FOLDER).map((file) => file.replace(".json", ""));

describe.each(names)("the module of %s", (name) => {
  it("has an edge or a chip for every operand of every op", () => {
    expect(floating(load(name))).toEqual([]);
  });
});

describe.each(examples().filter(({ program }) => program.modules.stablehlo !== undefined))("$name", ({ program }) => {
  it("has an edge or a chip for every operand of every op of what it lowers to", () => {
    expect(floating(program.modules.stablehlo!)).toEqual([]);
  });
});

it("says so where a value is lost", () => {
  const module = load("branches");
  const main = module.functions[0]!;
  const [block] = main.region.blocks;
  const ops = block!.ops.map((op) => (op.name.endsWith("multiply") ? { ...op, operands: [{ value: "lost", role: null }] } : op));
  const functions = [{ ...main, region: { ...main.region, blocks: [{ ...block!, ops }] } }];
  expect(floating({ ...module, functions }).length).toBeGreaterThan(0);
});
