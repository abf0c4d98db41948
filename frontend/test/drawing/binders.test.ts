/** Binders of one argument share a pill in the frame of their body, and nothing is lost by it. */
import { describe, expect, it, vi } from "vitest";
import { drawProgram, initialOpen, type Scene } from "../../src/drawing/index.ts";
import type { Operand, Program } from "../../src/model/types.ts";
import * as build from "../page/programs.ts";
import { ALL } from "./checks.ts";
import { example } from "./fixtures.ts";

vi.setConfig({ testTimeout: 30_000 });

const program = example("frame_tree");
const shut = initialOpen(program);
const KEY = "e0~in.carry.params['layers']";

function broken(scene: Scene): string[] {
  return Object.values(ALL).flatMap((check) => check(scene));
}

function pills(scene: Scene): [string, string][] {
  const type = (key: string): string => scene.labels.find((label) => label.key === `${key}.type`)?.text ?? "";
  const found = scene.nodes.filter((node) => node.kind === "binder" && node.eqn === "e0");
  return found.sort((a, b) => a.box.x - b.box.x).map((node) => [node.title, type(node.key)]);
}

describe("the parameters of a training scan", () => {
  const scene = drawProgram(program, { open: shut });

  it("are one pill, which says how many they are and opens on demand", () => {
    expect(pills(scene).map(([title, type]) => `${title} ${type}`)).toEqual(["params['layers'] 12 values", "x f32[4,2,3]"]);
    expect(scene.nodes.find((node) => node.key === KEY)!.toggle).toBe(KEY);
    expect(scene.labels.map((label) => label.text)).toContain("next step \u00d712");
  });

  it("still enter by a port each, all of them at the pill", () => {
    const ports = scene.ports.filter((port) => port.owner === "e0" && port.direction === "in" && port.name.startsWith("params"));
    expect(ports).toHaveLength(12);
    expect(new Set(ports.map((port) => port.box.x)).size).toBe(1);
    const wires = scene.wires.filter((wire) => ports.some((port) => port.key === wire.to));
    expect(wires.map((wire) => wire.from).sort()).toEqual(
      program.jaxprs[program.entry!]!.invars.slice(0, 12)
        .map((id) => `|${id}>out0`)
        .sort(),
    );
  });

  it("open into their leaves, in operand order, with the carry of each", () => {
    const open = drawProgram(program, { open: new Set([...shut, KEY, "e0~out.carry.result[0]['layers']"]) });
    const titles = pills(open).map(([title]) => title);
    expect(titles).toEqual([
      ...scene.ports
        .filter((port) => port.owner === "e0" && port.direction === "in")
        .map(({ name }) => name)
        .slice(0, 12),
      "x",
    ]);
    expect(open.wires.filter((wire) => wire.kind === "loop")).toHaveLength(12);
    expect(broken(open)).toEqual([]);
  });
});

function many(count: number, literals = false): Program {
  const ids = Array.from({ length: count }, (_, i) => `a${i}`);
  const inner = ids.map((id, i) => build.variable(`b${id}`, "f32[3]", `p['w${i}']`));
  const sines = ids.map((id) =>
    build.eqn(`s${id}`, "sin", { operands: [build.operand(`b${id}`, "arg")], results: [build.result(`r${id}`, "f32[3]")] }),
  );
  const outs = ids.map((id) => build.variable(`r${id}`, "f32[3]"));
  const body = build.jaxpr("j1", sines, [...inner, ...outs], {
    invars: inner.map(({ id }) => id),
    outvars: outs.map(({ id }) => ({ var: id })),
  });
  const operand = (id: string): Operand => build.operand(literals ? { literal: "0.0", aval: "f32[3]" } : id, "arg");
  const call = build.eqn("e0", "jit", {
    operands: ids.map(operand),
    results: ids.map((id) => build.result(`o${id}`, "f32[3]")),
    nested: [
      {
        param: "jaxpr",
        label: "body",
        jaxpr: "j1",
        inputs: ids.map((_, index) => ({ from: "operand" as const, index })),
        outputs: ids.map((_, index) => [{ to: "result" as const, index }]),
        consts: [],
        finals: [],
      },
    ],
  });
  const vars = ids.flatMap((id) => [build.variable(id, "f32[3]", id), build.variable(`o${id}`, "f32[3]")]);
  const entry = build.jaxpr("j0", [call], vars, { invars: literals ? [] : ids, outvars: ids.map((id) => ({ var: `o${id}` })) });
  return build.program([entry, body]);
}

describe("leaves that are read one by one", () => {
  const scene = drawProgram(many(10), { open: new Set(["e0"]) });

  it("are named where they are read, with no wire from the pill to each", () => {
    const chips = scene.chips.filter((chip) => chip.kind === "stub").map((chip) => chip.text);
    expect(chips).toEqual(Array.from({ length: 10 }, (_, i) => `p['w${i}']`));
    expect(broken(scene)).toEqual([]);
  });

  it("stand for themselves while they are few", () => {
    const few = drawProgram(many(8), { open: new Set(["e0"]) });
    expect(pills(few)).toHaveLength(8);
    expect(few.chips).toEqual([]);
  });

  it("share one chip where literals are passed", () => {
    const zeros = drawProgram(many(10, true), { open: new Set(["e0"]) });
    const chips = zeros.chips.filter((chip) => chip.kind === "literal");
    expect(chips.map((chip) => [chip.text, chip.also.length])).toEqual([["0.0", 9]]);
    expect(broken(zeros)).toEqual([]);
  });
});

describe("a strip that is too wide to be read", () => {
  const step = example("frame_step");
  const opened = initialOpen(step);
  const pills = (scene: Scene): string[] =>
    scene.nodes.filter(({ kind }) => kind === "binder" || kind === "result").map(({ title }) => title);

  it("shares a pill of what has no name in common, too, which is opened as any other", () => {
    // Results whose names say nothing of their tree: interleaved, as a map over three trees gives them.
    const mixed = structuredClone(step);
    const body = mixed.jaxprs[mixed.jaxprs[mixed.entry!]!.eqns[0]!.nested[0]!.jaxpr]!;
    const [value, ...made] = body.outvars;
    body.outvars = [value!, ...Array.from({ length: 16 }, (_, i) => [made[i]!, made[16 + i]!, made[32 + i]!]).flat()];
    const scene = drawProgram(mixed, { open: opened });
    expect(pills(scene)).toContain("49 values");
    expect(scene.width).toBeLessThan(1_400);
    const key = scene.nodes.find(({ title }) => title === "49 values")!.key;
    expect(pills(drawProgram(mixed, { open: new Set([...opened, key]) }))).toHaveLength(pills(scene).length + 48);
  });

  it("shows what was opened", () => {
    const key = drawProgram(step, { open: opened }).nodes.find(({ kind, title }) => kind === "binder" && title === "params")!.key;
    expect(pills(drawProgram(step, { open: new Set([...opened, key]) })).filter((title) => title.startsWith("params["))).toHaveLength(16);
  });
});
