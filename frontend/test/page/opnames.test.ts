import { expect, it } from "vitest";
import { namedOps } from "../../src/page/program/opnames.ts";
import { module, op, trainingScan } from "./programs.ts";

it("the ops of an equation are counted by name, in the order of their first", () => {
  const ops = [op("o1", "stablehlo.multiply"), op("o2", "stablehlo.add"), op("o3", "stablehlo.multiply"), op("o4", "chlo.erf")];
  const lowered = {
    ...trainingScan(),
    modules: { stablehlo: module(ops) },
    links: { stablehlo: { e1: ["o1", "o2", "o3", "o4"], e0: [] } },
  };
  expect(namedOps(lowered, "stablehlo", "e1")).toEqual([
    { name: "multiply", ids: ["o1", "o3"] },
    { name: "add", ids: ["o2"] },
    { name: "chlo.erf", ids: ["o4"] },
  ]);
  expect(namedOps(lowered, "stablehlo", "e0")).toEqual([]);
  expect(namedOps(trainingScan(), "stablehlo", "e1")).toEqual([]);
});
