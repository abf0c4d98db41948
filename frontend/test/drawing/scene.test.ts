import { describe, expect, it, vi } from "vitest";
import { drawProgram, foldable, initialOpen, type Scene, sceneToSvg, svgToString } from "../../src/drawing/index.ts";
import type { Program } from "../../src/model/types.ts";
import { ALL } from "./checks.ts";
import { example, examples } from "./fixtures.ts";

const LARGEST = 400;

vi.setConfig({ testTimeout: 60_000 });

describe.each(examples())("$name", ({ program }) => {
  const equations = Object.values(program.jaxprs).reduce((sum, jaxpr) => sum + jaxpr.eqns.length, 0);
  const opens: [string, Set<string>][] = [
    ["closed", new Set()],
    ["as it opens", initialOpen(program)],
  ];
  if (equations < LARGEST) opens.push(["all open", new Set(foldable(program))]);
  const scenes = opens.flatMap(([words, open]): [string, Scene][] => [
    [words, drawProgram(program, { open })],
    [`${words}, to the right`, drawProgram(program, { open, direction: "LR" })],
  ]);
  it.each(scenes)("keeps every invariant, %s", (_, scene) => {
    const broken = Object.entries(ALL).map(([name, check]) => [name, check(scene).slice(0, 5)]);
    expect(Object.fromEntries(broken)).toEqual(Object.fromEntries(Object.keys(ALL).map((name) => [name, []])));
  });

  it("is the same picture every time", () => {
    const open = initialOpen(program);
    const draw = (): string => svgToString(sceneToSvg(drawProgram(program, { open }), { theme: "light" }));
    expect(draw()).toBe(draw());
  });
});

describe("twins", () => {
  const program = example("01_grad_of_scan");

  it("stand at the same height", () => {
    const scene = drawProgram(program, { open: initialOpen(program) });
    const twin = program.twins[0]!;
    const forward = scene.frames.find((frame) => frame.eqn === twin.forward)!;
    const backward = scene.frames.find((frame) => frame.eqn === twin.backward)!;
    expect([backward.box.y, backward.box.h]).toEqual([forward.box.y, forward.box.h]);
    expect(backward.box.x).toBeGreaterThan(forward.box.x + forward.box.w);
    expect([forward.up, backward.up]).toEqual([false, true]);
  });

  it("open together or not at all", () => {
    // As many equations as make one screen too small for both.
    const large = structuredClone(program);
    const body = (path: string) => large.jaxprs[large.jaxprs[large.entry!]!.eqns.find((eqn) => eqn.id === path)!.nested[0]!.jaxpr]!;
    const { forward, backward } = large.twins[0]!;
    const { eqns } = body(backward);
    while (eqns.length < 150) eqns.push({ ...eqns[0]!, id: `more${eqns.length}` });
    expect(body(forward).eqns.length).toBeLessThan(20);
    expect(initialOpen(large)).toEqual(new Set());
  });

  it("are level inside of jits as well", () => {
    const jitted = example("jitted_loss-0");
    const scene = drawProgram(jitted, { open: initialOpen(jitted) });
    const { forward, backward } = jitted.twins[0]!;
    const frame = (path: string) => scene.frames.find((each) => each.eqn === path)!;
    expect(frame(forward).box.y).toBeCloseTo(frame(backward).box.y, 6);
    expect(frame(forward).box.h).toBeCloseTo(frame(backward).box.h, 6);
  });

  it("are level when closed, with the residuals turning below both", () => {
    const scene = drawProgram(program, { open: new Set() });
    const [forward, backward] = scene.nodes.filter((node) => node.kind === "closed");
    expect(backward!.box.y).toBe(forward!.box.y);
    const bottom = Math.max(forward!.box.y + forward!.box.h, backward!.box.y + backward!.box.h);
    const residuals = scene.wires.filter((wire) => wire.role === "residual" && wire.from.startsWith(forward!.key));
    expect(residuals.length).toBe(program.twins[0]!.residuals.length);
    for (const wire of residuals) expect(wire.box.y + wire.box.h).toBeGreaterThan(bottom);
  });
});

describe("a scan", () => {
  const program = example("02_training_scan");
  const scene = drawProgram(program, { open: initialOpen(program) });

  it("has its binders in operand order with their roles and slices", () => {
    const binders = scene.nodes.filter((node) => node.kind === "binder").sort((a, b) => a.box.x - b.box.x);
    expect(binders.map((node) => node.role)).toEqual(["const", "carry", "xs", "xs"]);
    const texts = scene.labels.map((label) => label.text);
    const lines = (text: string) => scene.labels.filter((label) => label.full === text).map((label) => label.text);
    expect(lines("f32[6,2,3] → f32[2,3]")).toEqual(["f32[6,2,3]", "→ f32[2,3]"]);
    expect(lines("f32[] → f32[6]")).toEqual(["f32[]", "→ f32[6]"]);
    expect(texts).toContain("scan \u00d76");
    for (const caption of ["const", "carry", "xs", "ys"]) expect(texts).toContain(caption);
  });

  it("loops its carry to the next step", () => {
    const loops = scene.wires.filter((wire) => wire.kind === "loop");
    expect(loops.map((wire) => wire.role)).toEqual(["carry"]);
    expect(scene.labels.map((label) => label.text)).toContain("next step");
  });

  it("keeps its grouped ports when closed", () => {
    const closed = drawProgram(program, { open: new Set() });
    const node = closed.nodes.find((each) => each.kind === "closed")!;
    expect(node.call).toBe("scan");
    const ins = closed.ports.filter((port) => port.owner === node.key && port.direction === "in");
    expect(ins.map((port) => [port.role, port.name])).toEqual([
      ["const", "lr"],
      ["carry", "w"],
      ["xs", "xs"],
      ["xs", "ys"],
    ]);
  });
});

describe("names", () => {
  // Called w, the person's weight has a namesake among JAX's letters.
  const program = JSON.parse(JSON.stringify(example("01_grad_of_scan")).replaceAll('"label":"gain"', '"label":"w"')) as Program;
  const scene = drawProgram(program, { open: initialOpen(program) });
  const styles = (key: RegExp): [string, string][] =>
    scene.labels.filter((label) => key.test(label.key)).map((label) => [label.text, label.style]);

  it("of the person's never look like letters of JAX's", () => {
    // The binders of the backward scan: w is the weight of the person's, the other w the 23rd variable of the printed jaxpr.
    const pills = styles(/^e6\|v\d+\.name$/).filter(([text]) => text === "w");
    expect(pills).toEqual([
      ["w", "name"],
      ["w", "letter"],
    ]);
    const letters = scene.ports.filter((port) => port.owner.startsWith("e6|") && port.letter && port.name === "w");
    expect(letters.length).toBeGreaterThan(0);
    for (const port of letters) expect(port.hint).toContain("w (JAX's letter)");
  });

  it("look so in chips and boxes, too", () => {
    expect(styles(/^e6>in0\.chip\.text$/)).toEqual([["w", "stub"]]);
    expect(styles(/^e0\/e\d+\.label$/)).toEqual([["h", "own"]]);
  });
});

it("the twin of the opening picture fits a screen", () => {
  const program = example("01_grad_of_scan");
  expect(drawProgram(program, { open: initialOpen(program) }).width).toBeLessThan(1160);
});
