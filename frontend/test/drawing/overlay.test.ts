import { describe, expect, it, vi } from "vitest";
import { contrast } from "../../src/drawing/contrast.ts";
import { drawProgram, initialOpen, OVERLAYS, sceneToSvg, svgToString } from "../../src/drawing/index.ts";
import { overlayOf } from "../../src/drawing/overlay/index.ts";
import { paths } from "../../src/drawing/overlay/places.ts";
import { DARK, fills, LIGHT } from "../../src/drawing/theme.ts";
import { example, examples } from "./fixtures.ts";

vi.setConfig({ testTimeout: 60_000 });

const total = (text: string): number => {
  const found = /([\d.]+) (k?)FLOP/.exec(text);
  return found === null ? 0 : Number(found[1]) * (found[2] === "k" ? 1000 : 1);
};

vi.setConfig({ testTimeout: 60_000 });

describe.each(OVERLAYS)("the overlay of %s", (kind) => {
  it("marks boxes and explains itself in every example", () => {
    for (const { program } of examples()) {
      const scene = drawProgram(program, { open: initialOpen(program), overlay: kind });
      expect(scene.overlay?.title).not.toBe("");
      const explained = new Set(scene.overlay?.swatches.map(({ fill }) => fill));
      for (const { fill } of scene.nodes) if (fill != null) expect(explained).toContain(fill);
    }
  });

  it("moves no wire and loses no box", () => {
    const program = example("01_grad_of_scan");
    const open = initialOpen(program);
    const [plain, laid] = [drawProgram(program, { open }), drawProgram(program, { open, overlay: kind })];
    expect(laid.nodes.map(({ key }) => key)).toEqual(plain.nodes.map(({ key }) => key));
    expect(laid.wires.map(({ key }) => key)).toEqual(plain.wires.map(({ key }) => key));
  });
});

it("gives what it says a line of its own, also in boxes that were drawn without it before", () => {
  // A primitive that no other test has drawn, whatever ran before.
  const program = structuredClone(example("01_grad_of_scan"));
  for (const { eqns } of Object.values(program.jaxprs)) for (const eqn of eqns) if (eqn.primitive === "tanh") eqn.primitive = "unseen";
  const open = initialOpen(program);
  drawProgram(program, { open });
  const scene = drawProgram(program, { open, overlay: "flops" });
  const said = scene.labels.filter(({ key }) => key.endsWith(".mark"));
  expect(said.length).toBeGreaterThan(0);
  for (const { key, owner, y } of said) {
    for (const other of scene.labels) if (other.owner === owner && other.key !== key) expect(y - other.y).toBeGreaterThanOrEqual(9);
  }
});

describe("operations", () => {
  it("in a scan are those of all steps, and add up to its own", () => {
    const program = example("01_grad_of_scan");
    const overlay = overlayOf(program, "flops");
    const marks = [...paths(program, 1000)].map((path) => [path, overlay.eqn(path)?.text ?? ""] as const);
    const scan = marks.find(([path]) => marks.some(([inner]) => inner.startsWith(`${path}/`)));
    const inner = marks.filter(([path]) => path.startsWith(`${scan?.[0]}/`));
    expect(inner.length).toBeGreaterThan(2);
    expect(inner.reduce((sum, [, text]) => sum + total(text), 0)).toBe(total(scan?.[1] ?? ""));
  });
});

describe("live memory", () => {
  it("marks one way down to the peak", () => {
    for (const { program } of examples()) {
      const overlay = overlayOf(program, "memory");
      const peaks = [...paths(program, 5000)].filter((path) => overlay.eqn(path)?.peak === true);
      peaks.reduce((above, path) => {
        expect(path.startsWith(above)).toBe(true);
        return `${path}`;
      }, "");
      if ([...paths(program, 1)].length > 0) expect(peaks.length).toBeGreaterThan(0);
    }
  });

  it("circles the peak, so that it is told without colour", () => {
    const program = example("01_grad_of_scan");
    const scene = drawProgram(program, { open: initialOpen(program), overlay: "memory" });
    expect(svgToString(sceneToSvg(scene, { theme: "auto" }))).toContain("jv-peak");
  });
});

describe("source lines", () => {
  it("are those of the equations", () => {
    const program = example("01_grad_of_scan");
    const overlay = overlayOf(program, "lines");
    for (const jaxpr of Object.values(program.jaxprs)) {
      for (const eqn of jaxpr.eqns) expect(overlay.eqn(eqn.id)?.text).toBe(eqn.span === null ? undefined : `line ${eqn.span.line}`);
    }
  });

  it("of a group are told where they are the same", () => {
    const program = example("01_grad_of_scan");
    const overlay = overlayOf(program, "lines");
    const eqns = Object.values(program.jaxprs).flatMap((jaxpr) => jaxpr.eqns);
    const same = eqns.filter((eqn) => eqn.span?.line === eqns[0]?.span?.line).map(({ id }) => id);
    expect(overlay.group(same)?.text).toBe(`line ${eqns[0]?.span?.line}`);
    expect(overlay.group(eqns.map(({ id }) => id))).toBeNull();
  });
});

it("text stays readable on every fill", () => {
  for (const palette of [LIGHT, DARK]) {
    for (const [name, fill] of Object.entries(fills(palette))) {
      expect(contrast(palette.ink, fill), name).toBeGreaterThanOrEqual(4.5);
    }
  }
});
