// Answers in parts: what is packed is made whole as it was, what is left out is asked for when it is looked at.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { leftOut } from "../../src/drawing/index.ts";
import { packedProgram, rememberProgram } from "../../src/model/packed.ts";
import { numbersOf, Templates } from "../../src/model/rows.ts";
import { atOnce, inTurns } from "../../src/model/slices.ts";
import type { LeftOut, Part, Program, Trace } from "../../src/model/types.ts";
import { unpackProgram, wholeModule, wholeProgram } from "../../src/model/unpack.ts";
import { ServerError } from "../../src/page/api/client.ts";
import { putIn } from "../../src/page/api/merge.ts";
import { createLoader } from "../../src/page/state/loader.ts";
import { inWords, wantedParts } from "../../src/page/state/parts.ts";
import { fresh } from "../../src/page/state/saved.ts";
import { createStore } from "../../src/page/state/store.ts";
import { draw } from "../../src/viewer/draw.ts";
import { eqn, jaxpr, program, trace, variable } from "./programs.ts";

const rows = (...numbers: number[]): string => Buffer.from(Int32Array.from(numbers).buffer).toString("base64");

describe("rows", () => {
  it("fill the ids of their templates and share the rest", () => {
    const templates = new Templates(['{"id":"e#","params":[{"name":"n"}],"reads":["v#","v#"]}', '["same"]', ' "e#"']);
    const [a, b, c, d] = [...templates.read(rows(0, 1, 2, 3, 0, 4, 5, 6, 1, 2))] as Record<string, unknown>[];
    expect([a, b, c, d]).toEqual([
      { id: "e1", params: [{ name: "n" }], reads: ["v2", "v3"] },
      { id: "e4", params: [{ name: "n" }], reads: ["v5", "v6"] },
      ["same"],
      "e#",
    ]);
    expect(a?.params).toBe(b?.params);
    expect([...numbersOf(rows(1, -1, 2 ** 31 - 1))]).toEqual([1, -1, 2 ** 31 - 1]);
  });

  it("fill ids that are keys, and keep the order of the text where keys are numbers", () => {
    const templates = new Templates(['{"v#":"a","v#":"b"}', '{"b":"v#","1":"v#"}']);
    expect([...templates.read(rows(0, 7, 8, 1, 3, 4))]).toEqual([
      { v7: "a", v8: "b" },
      { b: "v3", 1: "v4" },
    ]);
  });
});

const ROOT = join(import.meta.dirname, "..", "..", "..");
const PYTHON = join(ROOT, ".venv", "bin", "python");

describe.skipIf(!existsSync(PYTHON))("what Python packs", () => {
  it("is the program and the module again", () => {
    const fixture = join(ROOT, "frontend", "test", "traces", "transformer.json");
    const script = `
import json, sys
from visualizer.model.parts import in_parts
from visualizer.model.parts import _cut
_cut.SMALL = 0
out = []
emit = in_parts(out.append)
trace = json.load(open(sys.argv[1]))
emit({"level": "jaxpr", "trace": {**trace, "programs": [{**p, "modules": {}, "links": {}} for p in trace["programs"]]}, "patch": None})
print(json.dumps([out[0]["trace"]["programs"][0], [m["part"] for m in out[1:]]]))
`;
    const options = { cwd: ROOT, env: { ...process.env, PYTHONPATH: ROOT }, encoding: "utf8", maxBuffer: 1 << 28 } as const;
    const [outline, parts] = JSON.parse(execFileSync(PYTHON, ["-c", script, fixture], options)) as [Program, Part[]];
    const [before] = (JSON.parse(readFileSync(fixture, "utf8")) as Trace).programs;
    const whole = parts.reduce((made, part) => putIn(made, part, part), unpackProgram({ outline, parts }));
    expect(Object.keys(whole.jaxprs)).toEqual(Object.keys(before?.jaxprs ?? {}));
    for (const [id, found] of Object.entries(whole.jaxprs)) {
      expect(found.eqns).toEqual(before?.jaxprs[id]?.eqns);
      expect(found.vars).toEqual(before?.jaxprs[id]?.vars);
    }
  }, 30_000);
});

const packedBody = { eqns: rows(0, 3, 5), vars: rows(1, 5), names: "a", count: 1 };
const templates = [
  '{"id":"e#","primitive":"sin","params":[],"operands":[],"results":[{"var":"v#","aval":"f32[]","used":true,"role":"result","kind":null}],"nested":[],"effects":[],"stack":[],"span":null,"trips":null,"printed":null}',
  '{"id":"v#","aval":"f32[]","shape":[],"dtype":"float32","weak_type":false,"label":null}',
];
const call = { param: "jaxpr", label: "", jaxpr: "j1", inputs: [], outputs: [], consts: [], finals: [] };
const left: LeftOut = { part: "p0.0.jaxpr", kind: "bodies", level: "jaxpr", jaxprs: ["j1"], eqns: 1, bytes: 1200 };
const outline = program([jaxpr("j0", [eqn("e0", "pjit", { nested: [call] })], []), jaxpr("j1", [], [], { left_out: 1 })], {
  left_out: [left, { ...left, part: "p0.1.jaxpr", kind: "text", jaxprs: [], eqns: 0 }],
});
const packed: Part = {
  name: left.part,
  program: "p0",
  jaxprs: { j1: jaxpr("j1", [], [], { packed: packedBody }) },
  templates,
  texts: {},
  modules: {},
  links: {},
};
const whole: Part = { ...packed, jaxprs: { j1: jaxpr("j1", [eqn("e3", "sin")], [variable("v5", "f32[]")]) }, templates: [] };

describe("a body that was left out", () => {
  it("is drawn as one box that says how many equations are to come, and is then asked for", () => {
    const { scene } = draw({ kind: "program", program: outline }, { open: ["e0"] }, "");
    expect(scene.nodes.map(({ title }) => title)).toContain("1 equation to come");
    expect(leftOut(scene)).toEqual(["j1"]);
    expect(wantedParts(outline, "jaxpr", leftOut(scene))).toEqual([left]);
    expect(wantedParts(outline, "jaxpr", [])).toEqual([]);
    expect(wantedParts(outline, "jaxpr-text", ["j1"]).map(({ kind }) => kind)).toEqual(["text"]);
    expect(wantedParts(outline, "jaxpr-text", [], ["j1"])).toContain(left);
    expect(wantedParts(outline, "stablehlo", [], ["j1"])).not.toContain(left);
    expect(inWords(left)).toBe("1 equation in one body");
  });

  it("takes its place when it has come, also for the worker", () => {
    rememberProgram(outline.jaxprs, { outline, parts: [] });
    const made = putIn(outline, whole, packed);
    expect(made.jaxprs.j1?.eqns.map(({ primitive }) => primitive)).toEqual(["sin"]);
    expect(made.left_out.map(({ part }) => part)).toEqual(["p0.1.jaxpr"]);
    const sent = packedProgram(made);
    expect(sent?.parts).toEqual([packed]);
    expect(sent === null ? null : unpackProgram(sent).jaxprs.j1?.eqns[0]?.id).toBe("e3");
    expect(outline.jaxprs.j1?.eqns).toEqual([]);
  });
});

describe("unpacking", () => {
  it("in turns gives the same as at once, and ends when it is aborted", async () => {
    const given = program([jaxpr("j0", [], [], { packed: packedBody })], { templates });
    expect(await inTurns(wholeProgram(given))).toEqual(atOnce(wholeProgram(given)));
    const abort = new AbortController();
    abort.abort();
    vi.spyOn(performance, "now").mockImplementation(
      (
        (now) => () =>
          (now += 100)
      )(0),
    );
    const slow = (function* () {
      for (let i = 0; i < 3; i++) yield;
      return 1;
    })();
    await expect(inTurns(slow, abort.signal)).rejects.toThrow();
    vi.restoreAllMocks();
  });

  it("fills the blocks and values of a module", () => {
    const block = { args: [], ops: [] };
    const region = { label: "", blocks: [block] };
    const module = wholeModule({
      dialect: "stablehlo",
      text: "",
      functions: [{ id: "f0", name: "main", args: [], results: [], attributes: {}, region, text_span: null, span: null }],
      values: {},
      name: "m",
      ops: [],
      packed: { templates: ['{"id":"o#"}', '["m#",{"type":"t"}]'], blocks: [rows(0, 1, 0, 2)], values: rows(1, 4), links: "", count: 2 },
    });
    const made = atOnce(module);
    expect(made.functions[0]?.region.blocks[0]?.ops.map(({ id }) => id)).toEqual(["o1", "o2"]);
    expect(made.values).toEqual({ m4: { type: "t" } });
  });
});

function loading(fetchPart: Parameters<typeof createLoader>[2]) {
  const store = createStore({ ...fresh("a"), auto: false });
  const again = vi.fn();
  const loader = createLoader(store, again, fetchPart);
  store.dispatch({ type: "run", id: 1 });
  store.dispatch({ type: "answer", id: 1, answer: { trace: trace([outline]), run: "r", source: "a", asked: null, wishes: [] } });
  return { store, loader, again };
}

const soon = () => new Promise((done) => setTimeout(done));
const gone = () => Promise.reject(new ServerError({ code: "part-gone", message: "Gone.", advice: "Run." }));

describe("the loader", () => {
  it("asks for nothing that is not looked at, and puts in what has come", async () => {
    const fetchPart = vi.fn(() => Promise.resolve({ packed, whole }));
    const { store, loader } = loading(fetchPart);
    expect(fetchPart).not.toHaveBeenCalled();
    loader.bodies.value = ["j1"];
    expect(fetchPart).toHaveBeenCalledTimes(1);
    expect(loader.loading.value?.phase).toBe("loading");
    await soon();
    expect(loader.loading.value).toBeNull();
    expect(store.program.value?.jaxprs.j1?.eqns).toHaveLength(1);
  });

  it("waits for what is compiled until the server has all of it", () => {
    const fetchPart = vi.fn(() => new Promise<never>(() => undefined));
    const { store } = loading(fetchPart);
    const compiled: LeftOut = { part: "p0.0.hlo", kind: "module", level: "hlo", jaxprs: [], eqns: 9, bytes: 99 };
    const [first] = trace([outline]).programs;
    const answer = {
      trace: trace([{ ...first!, left_out: [...(first!.left_out ?? []), compiled] }]),
      run: "r",
      source: "a",
      asked: null,
      wishes: [],
    };
    store.dispatch({ type: "answer", id: 1, answer });
    store.dispatch({ type: "view", view: "hlo" });
    expect(fetchPart).not.toHaveBeenCalled();
    store.dispatch({ type: "settled", id: 1, milliseconds: 5 });
    expect(fetchPart).toHaveBeenCalledTimes(1);
  });

  it("stays stopped after a cancel until it is asked again", async () => {
    const fetchPart = vi.fn(() => new Promise<never>(() => undefined));
    const { loader } = loading(fetchPart);
    loader.bodies.value = ["j1"];
    loader.cancel();
    expect(loader.loading.value).toMatchObject({ phase: "stopped", failure: null });
    loader.bodies.value = ["j1", "j2"];
    expect(fetchPart).toHaveBeenCalledTimes(1);
    loader.again();
    expect(fetchPart).toHaveBeenCalledTimes(2);
  });

  it("asks once more when the run is over for what the server did not have yet", async () => {
    const fetchPart = vi
      .fn<NonNullable<Parameters<typeof createLoader>[2]>>()
      .mockImplementationOnce(gone)
      .mockResolvedValueOnce({ packed, whole });
    const { store, loader, again } = loading(fetchPart);
    loader.bodies.value = ["j1"];
    await soon();
    loader.searched.value = ["j1"];
    expect(fetchPart).toHaveBeenCalledTimes(1);
    expect(loader.loading.value?.phase).toBe("loading");
    store.dispatch({ type: "settled", id: 1, milliseconds: 5 });
    expect(fetchPart).toHaveBeenCalledTimes(2);
    await soon();
    expect(again).not.toHaveBeenCalled();
    expect(loader.loading.value).toBeNull();
    expect(store.program.value?.jaxprs.j1?.eqns).toHaveLength(1);
  });

  it("traces again, once, what the server has forgotten, and then says so", async () => {
    const { store, loader, again } = loading(gone);
    store.dispatch({ type: "settled", id: 1, milliseconds: 5 });
    loader.bodies.value = ["j1"];
    await soon();
    expect(again).toHaveBeenCalledTimes(1);
    expect(loader.loading.value).toBeNull();
    store.dispatch({ type: "run", id: 2 });
    store.dispatch({ type: "answer", id: 2, answer: { trace: trace([outline]), run: "s", source: "a", asked: null, wishes: [] } });
    store.dispatch({ type: "settled", id: 2, milliseconds: 5 });
    await soon();
    expect(again).toHaveBeenCalledTimes(1);
    expect(loader.loading.value).toMatchObject({ phase: "stopped", failure: { code: "part-gone" } });
  });
});
