import { describe, expect, it } from "vitest";
import {
  ALL_COLUMNS,
  columnLevel,
  columnsOf,
  columnTitle,
  DEFAULT_COLUMNS,
  isGraph,
  oneMore,
  withColumn,
  withoutColumn,
} from "../../src/page/state/columns.ts";
import { fresh } from "../../src/page/state/saved.ts";
import { initial, update } from "../../src/page/state/update.ts";
import { jaxpr, module, program } from "./programs.ts";

describe("columns side by side", () => {
  it("are called by what they show", () => {
    expect(ALL_COLUMNS.map(columnTitle)).toEqual(["Source", "Jaxpr", "StableHLO", "HLO", "Jaxpr graph", "StableHLO graph", "HLO graph"]);
    expect(ALL_COLUMNS.filter(isGraph).map(columnLevel)).toEqual(["jaxpr", "stablehlo", "hlo"]);
  });

  it("are any of the levels, each once", () => {
    expect(withColumn(DEFAULT_COLUMNS, 2, "hlo-graph")).toEqual(["source", "jaxpr", "hlo-graph"]);
    expect(withColumn(DEFAULT_COLUMNS, 0, "stablehlo")).toEqual(["stablehlo", "jaxpr", "source"]);
    expect(withColumn(DEFAULT_COLUMNS, 7, "hlo")).toEqual(DEFAULT_COLUMNS);
  });

  it("are two to four: the paste and its levels", () => {
    const two = withoutColumn(DEFAULT_COLUMNS, 0);
    expect(two).toEqual(["jaxpr", "stablehlo"]);
    expect(withoutColumn(two, 0)).toEqual(two);
    expect(oneMore(two)).toEqual(["jaxpr", "stablehlo", "source"]);
    const four = oneMore(DEFAULT_COLUMNS);
    expect(four).toEqual(["source", "jaxpr", "stablehlo", "hlo"]);
    expect(oneMore(four)).toEqual(four);
  });

  it("of a module are its own levels", () => {
    const traced = program([jaxpr("j0", [], [])]);
    expect(columnsOf(traced, DEFAULT_COLUMNS)).toEqual(DEFAULT_COLUMNS);
    const pasted = { ...traced, entry: null, modules: { hlo: module([]) } };
    expect(columnsOf(pasted, DEFAULT_COLUMNS)).toEqual(["source", "hlo"]);
    expect(columnsOf(pasted, ["source", "hlo", "hlo-graph"])).toEqual(["source", "hlo", "hlo-graph"]);
  });

  it("stay chosen", () => {
    const state = update(initial(fresh("x")), { type: "columns", columns: ["hlo", "jaxpr-graph"] });
    expect(update(state, { type: "view", view: "beside-text" }).columns).toEqual(["hlo", "jaxpr-graph"]);
  });
});
