import { describe, expect, it } from "vitest";
import { groupsOf, printedBands, sourceBands, stepped } from "../../src/page/program/groups.ts";
import { eqnIndex } from "../../src/page/program/instances.ts";
import { eqnsOf } from "../../src/page/program/links.ts";
import { printedOf } from "../../src/page/program/printed.ts";
import { fixture } from "./programs.ts";

const NAMES = ["01_grad_of_scan", "02_training_scan", "06_branches", "07_recompute", "09_jit_in_jit"];

describe("lines that belong together", () => {
  for (const name of NAMES) {
    it(`${name}: every equation and op begins on a line of its own group`, () => {
      for (const program of fixture(name).programs) {
        const groups = groupsOf(program);
        for (const level of ["jaxpr", "stablehlo"] as const) {
          const printed = printedOf(program, level);
          const bands = printedBands(program, level);
          for (const [id, [start, end]] of printed.ranges) {
            const eqn = level === "jaxpr" ? id : eqnsOf(program, id)[0];
            const span = eqn === undefined ? null : (eqnIndex(program).get(eqn)?.eqn.span ?? null);
            const line = printed.text.slice(0, start).split("\n").length;
            // What is narrower and on the same line has it.
            const narrower = [...printed.ranges.values()].some(
              ([from, to]) => to - from < end - start && printed.text.slice(0, from).split("\n").length === line && from >= start,
            );
            if (!narrower) expect(bands[line]).toBe(span === null ? -1 : groups.lines.indexOf(span.line));
          }
        }
      }
    });
  }

  it("are in the order of the paste, each equation in one", () => {
    const program = fixture("02_training_scan").programs[0];
    if (program === undefined) throw new Error("no program");
    const groups = groupsOf(program);
    expect([...groups.lines].sort((a, b) => a - b)).toEqual(groups.lines);
    const all = groups.eqns.flat();
    expect(new Set(all).size).toBe(all.length);
    expect(all).toHaveLength([...eqnIndex(program).values()].filter(({ eqn }) => eqn.span !== null).length);
  });

  it("cover an expression over several lines where nothing else stands", () => {
    const program = fixture("02_training_scan").programs[0];
    if (program === undefined) throw new Error("no program");
    const bands = sourceBands(program, "\n".repeat(20));
    for (const [group, line] of groupsOf(program).lines.entries()) expect(bands[line]).toBe(group);
    expect(bands[1]).toBe(-1);
  });

  it("are walked around the end", () => {
    const groups = { lines: [3, 5], eqns: [["a"], ["b"]], of: new Map() };
    expect([stepped(groups, null, 1), stepped(groups, null, -1), stepped(groups, 1, 1), stepped(groups, 0, -1)]).toEqual([0, 1, 0, 1]);
    expect(stepped({ ...groups, lines: [] }, null, 1)).toBeNull();
  });
});
