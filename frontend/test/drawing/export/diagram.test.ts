// The plain graph says what the picture shows: the same boxes, a literal or an arrow for each operand, and nothing that floats.
import { describe, expect, test } from "vitest";
import { type Diagram, diagramOf } from "../../../src/drawing/export/diagram.ts";
import { programLevel } from "../../../src/drawing/graph/jaxpr.ts";
import { moduleLevel } from "../../../src/drawing/graph/module.ts";
import { drawProgram, foldable, initialOpen } from "../../../src/drawing/index.ts";
import { example, examples } from "../fixtures.ts";

function check(diagram: Diagram): void {
  const ids = new Set(diagram.nodes.map(({ id }) => id));
  const groups = new Set(diagram.groups.map(({ id }) => id));
  expect(ids.size).toBe(diagram.nodes.length);
  for (const { from, to } of diagram.edges) expect([ids.has(from), ids.has(to)]).toEqual([true, true]);
  for (const { group } of [...diagram.nodes, ...diagram.groups]) expect(group === null || groups.has(group)).toBe(true);
}

describe.each(examples().map(({ name, program }) => [name, program] as const))("%s", (_, program) => {
  test.each([
    ["as it opens", initialOpen(program)],
    ["all open", new Set(foldable(program))],
    ["closed", new Set<string>()],
  ])("%s", (_name, open) => {
    const diagram = diagramOf(programLevel(program, open));
    const scene = drawProgram(program, { open });
    check(diagram);
    const kinds = (kind: string): number => diagram.nodes.filter((node) => node.kind === kind).length;
    expect(kinds("op")).toBe(scene.nodes.filter(({ kind }) => kind === "op").length);
    expect(kinds("closed")).toBe(scene.nodes.filter(({ kind }) => kind === "closed").length);
    expect(diagram.groups.length).toBe(scene.frames.length);
    expect(diagram.edges.filter(({ kind }) => kind === "loop").length).toBe(scene.wires.filter(({ kind }) => kind === "loop").length);
    expect(diagram.nodes.reduce((sum, { literals }) => sum + literals.length, 0)).toBeGreaterThanOrEqual(
      scene.chips.filter(({ kind }) => kind === "literal").length,
    );
  });
});

test("roles are those of the wires: a scan with a const, a carry, xs and ys", () => {
  const diagram = diagramOf(programLevel(example("02_training_scan"), initialOpen(example("02_training_scan"))));
  const binder = (title: string): string => diagram.nodes.find((node) => node.kind === "binder" && node.title === title)!.id;
  const into = (id: string): string[] => diagram.edges.filter(({ to }) => to === id).map(({ role, kind }) => `${role} ${kind}`);
  expect(into(binder("lr"))).toEqual(["const flow"]);
  expect(into(binder("w"))).toEqual(["carry loop", "carry flow"]);
});

test("what the backward pass reads of the forward one is a residual", () => {
  const program = example("01_grad_of_scan");
  const diagram = diagramOf(programLevel(program, initialOpen(program)));
  const residuals = diagram.nodes.filter(({ kind, role }) => kind === "binder" && role === "residual").map(({ id }) => id);
  expect(residuals.length).toBeGreaterThan(0);
  for (const id of residuals) expect(diagram.edges.filter(({ to }) => to === id).map(({ role }) => role)).toEqual(["residual"]);
});

test("a lowered module is a graph, too", () => {
  const module = example("02_training_scan").modules.stablehlo!;
  const diagram = diagramOf(moduleLevel(module, new Set()));
  check(diagram);
  expect(diagram.nodes.some(({ title }) => title.includes("while"))).toBe(true);
});
