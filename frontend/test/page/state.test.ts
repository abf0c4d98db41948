import { describe, expect, it } from "vitest";
import type { Diagnostic, Module, Trace } from "../../src/model/types.ts";
import { argsExpression } from "../../src/page/state/args.ts";
import { preferredTab, tabsOf } from "../../src/page/state/messages.ts";
import { placeholderFor } from "../../src/page/state/placeholder.ts";
import { fresh } from "../../src/page/state/saved.ts";
import { statusOf } from "../../src/page/state/status.ts";
import type { State } from "../../src/page/state/types.ts";
import { type Action, currentProgram, initial, isCurrent, isStale, update } from "../../src/page/state/update.ts";
import { trace, trainingScan } from "./programs.ts";

const saved = fresh("code");
const emptyModule: Module = { dialect: "stablehlo", name: "", functions: [], ops: [], packed: null, values: {}, text: "" };
const stateAfter = (...actions: Action[]): State => actions.reduce(update, initial(saved));
const run: Action = { type: "run", id: 1 };
const answer = (made: Trace, id = 1, source = "code"): Action => ({
  type: "answer",
  id,
  answer: { trace: made, source, asked: null, wishes: [] },
});
const broken: Diagnostic = {
  severity: "error",
  code: "python-error",
  type: "NameError",
  message: "name 'x' is not defined\nmore",
  advice: "",
  span: null,
  frames: [],
  stage: "run",
  field: null,
};

describe("answers", () => {
  it("show their first program", () => {
    const state = stateAfter(run, answer(trace([trainingScan(), { ...trainingScan(), id: "p1", name: "other" }])));
    expect(currentProgram(state)?.name).toBe("train");
    expect(isStale(state)).toBe(false);
    expect(isCurrent(state)).toBe(true);
  });

  it("of an older run are ignored", () => {
    const state = stateAfter(run, { type: "run", id: 2 }, answer(trace([trainingScan()]), 1));
    expect(state.latest).toBeNull();
    expect(state.run).toEqual({ id: 2, phase: "running", milliseconds: null });
  });

  it("that fail leave the last good graph standing", () => {
    const state = stateAfter(run, answer(trace([trainingScan()])), { type: "run", id: 2 }, answer(trace([], { diagnostics: [broken] }), 2));
    expect(currentProgram(state)?.name).toBe("train");
    expect(state.latest?.trace.diagnostics).toEqual([broken]);
    expect(isStale(state)).toBe(true);
  });

  it("that fail of a file that is opened leave nothing of another standing", () => {
    const file = { name: "bad.mlirbc", size: 3, data: "AAAA" };
    const refused = answer(trace([], { diagnostics: [broken] }), 2);
    const of = refused.type === "answer" ? { ...refused, answer: { ...refused.answer, file } } : refused;
    const opened: Action[] = [run, answer(trace([trainingScan()])), { type: "file", file, note: "" }, { type: "run", id: 2 }];
    const state = stateAfter(...opened, of, { type: "settled", id: 2, milliseconds: 1 });
    expect([currentProgram(state), isStale(state), placeholderFor(state)?.text]).toEqual([null, false, broken.message.split("\n")[0]]);
    const closed = stateAfter(
      ...opened,
      of,
      { type: "file", file: null, note: "" },
      { type: "run", id: 3 },
      answer(trace([trainingScan()]), 3),
    );
    expect([currentProgram(closed)?.name, isStale(closed)]).toEqual(["train", false]);
  });

  it("that are merely empty do not", () => {
    const state = stateAfter(run, answer(trace([trainingScan()])), { type: "run", id: 2 }, answer(trace([]), 2));
    expect(currentProgram(state)).toBeNull();
  });

  it("keep the tab, the open bodies and the selection where the program is still there", () => {
    const two = [trainingScan(), { ...trainingScan(), id: "p1", name: "other" }];
    const before = stateAfter(
      run,
      answer(trace(two)),
      { type: "program", id: "p1" },
      { type: "open", key: "jaxpr:p1", open: new Set(["e0"]) },
      { type: "select", target: { kind: "eqn", path: "e0" } },
      { type: "run", id: 2 },
      answer(trace(two), 2),
    );
    expect(before.program).toBe("p1");
    expect([...(before.open["jaxpr:p1"] ?? [])]).toEqual(["e0"]);
    expect(before.selection).toEqual({ kind: "eqn", path: "e0" });
    const gone = update(update(before, { type: "run", id: 3 }), answer(trace([trainingScan()]), 3));
    expect(gone.program).toBe("p0");
    expect(gone.selection).toBeNull();
    expect(gone.open).toEqual({});
  });

  it("are put away when the paste is emptied, also the ones still on their way", () => {
    const state = stateAfter(run, answer(trace([trainingScan()])), { type: "clear" }, answer(trace([trainingScan()])));
    expect(state.shown).toBeNull();
    expect(statusOf(state).text).toBe("Ready");
  });

  it("no longer fit a text that was edited", () => {
    const state = stateAfter(run, answer(trace([trainingScan()])), { type: "edit", source: "code2" });
    expect(isCurrent(state)).toBe(false);
  });
});

describe("failures of the server", () => {
  const failure = { code: "unreachable", message: "The server does not answer.", advice: "Wait." };
  it("are shown and leave the graph", () => {
    const state = stateAfter(run, answer(trace([trainingScan()])), { type: "run", id: 2 }, { type: "failed", id: 2, failure });
    expect(isStale(state)).toBe(true);
    expect(statusOf(state).tone).toBe("failed");
    expect(currentProgram(state)).not.toBeNull();
  });
  it("of an older run do not matter", () => {
    expect(stateAfter(run, { type: "run", id: 2 }, { type: "failed", id: 1, failure }).failure).toBeNull();
  });
});

describe("words for the page", () => {
  it("status", () => {
    expect(statusOf(stateAfter()).text).toBe("Ready");
    expect(statusOf(stateAfter(run)).text).toBe("Tracing");
    const done = stateAfter(run, answer(trace([trainingScan()])), { type: "settled", id: 1, milliseconds: 12.4 });
    expect(statusOf(done)).toEqual({ tone: "", text: "Traced", detail: "12 ms · JAX 0.10.2" });
    const failed = stateAfter(run, answer(trace([], { diagnostics: [broken] })), { type: "settled", id: 1, milliseconds: 5 });
    expect(statusOf(failed)).toEqual({ tone: "failed", text: "1 error", detail: "" });
  });

  it("placeholders", () => {
    expect(placeholderFor(initial({ ...saved, source: "  " }))?.title).toBe("Nothing to trace yet");
    expect(placeholderFor(stateAfter(run))).toEqual({ title: "Tracing", text: "", busy: true });
    const settled: Action = { type: "settled", id: 1, milliseconds: 1 };
    expect(placeholderFor(stateAfter(run, answer(trace([], { diagnostics: [broken] })), settled))).toEqual({
      title: "NameError before anything was traced",
      text: "name 'x' is not defined",
      busy: false,
    });
    expect(placeholderFor(stateAfter(run, answer(trace([])), settled))?.title).toBe("No JAX program in this code");
    const traced = stateAfter(run, answer(trace([trainingScan()])), settled);
    expect(placeholderFor(traced)).toBeNull();
    expect(placeholderFor(update(traced, { type: "view", view: "stablehlo" }))?.title).toBe("No StableHLO");
    const printed = stateAfter(run, answer(trace([trainingScan()], { input: "jaxpr" })), settled);
    expect(placeholderFor(update(printed, { type: "view", view: "stablehlo" }))?.title).toBe("No StableHLO of a print");
  });

  it("a module of declarations says that there is nothing to draw, and shows its text", () => {
    const region = { id: "g0", label: "", blocks: [] };
    const declared = { id: "f0", name: "f", args: [], results: [], region, span: null, text_span: null, attributes: {} };
    const module = { ...emptyModule, functions: [declared] };
    const program = { ...trainingScan(), entry: null, origin: "module" as const, modules: { stablehlo: module } };
    const state = update(stateAfter(run, answer(trace([program], { input: "mlir" }))), { type: "view", view: "stablehlo" });
    expect(placeholderFor(state)?.text).toBe("The module only declares @f: what is in it stands elsewhere.");
    expect(placeholderFor(update(state, { type: "view", view: "stablehlo-text" }))).toBeNull();
    const empty = { ...program, modules: { stablehlo: { ...module, functions: [] } } };
    const other = update(stateAfter(run, answer(trace([empty], { input: "mlir" }))), { type: "view", view: "stablehlo" });
    expect(placeholderFor(other)?.text).toBe("The module is empty.");
  });

  it("a print that follows a module is looked at as a jaxpr", () => {
    const before = stateAfter({ type: "view", view: "stablehlo-text" }, run, answer(trace([trainingScan()], { input: "jaxpr" })));
    expect(before.view).toBe("jaxpr-text");
  });

  it("tabs under the code: inspector and output always, the rest when there is any", () => {
    expect(tabsOf(trace([]), null).map((tab) => tab.id)).toEqual(["inspector", "outline", "output"]);
    const bad = trace([], { diagnostics: [broken], notes: ["cleaned"] });
    expect(tabsOf(bad, null).map((tab) => [tab.id, tab.count, tab.alarm])).toEqual([
      ["inspector", 0, false],
      ["outline", 0, false],
      ["problems", 1, true],
      ["output", 0, false],
      ["notes", 1, false],
    ]);
    expect(preferredTab(bad, null, "output")).toBe("problems");
    expect(preferredTab(trace([]), null, "problems")).toBe("output");
    expect(preferredTab(trace([trainingScan()]), null, "problems")).toBe("inspector");
    expect(preferredTab(trace([trainingScan()]), null, "output")).toBe("inspector");
    const printed = trace([trainingScan()], { output: { text: "hello", truncated: false } });
    expect(preferredTab(printed, null, "output")).toBe("output");
    expect(preferredTab(printed, null, "outline")).toBe("outline");
    const atField = trace([], { diagnostics: [{ ...broken, field: "signature.w" }] });
    expect(preferredTab(atField, null, "inspector")).toBe("output");
    const failedWish = trace([trainingScan()], { diagnostics: [{ ...broken, field: "transforms[0].steps[1]" }] });
    expect(preferredTab(failedWish, null, "inspector")).toBe("inspector");
  });

  it("the offers of a paste stay while one of them is traced, and go with the paste", () => {
    const offers = [{ fun: "f", args: [], span: null }];
    const offered = [run, answer(trace([], { offers }))];
    expect(stateAfter(...offered, answer(trace([], { diagnostics: [broken] }))).latest?.trace.offers).toEqual(offers);
    const traced = stateAfter(...offered, answer(trace([trainingScan()])));
    expect(traced.latest?.trace.offers).toEqual(offers);
    expect(traced.shown).toBe(traced.latest);
    expect(stateAfter(...offered, answer(trace([]), 1, "other code")).latest?.trace.offers).toEqual([]);
  });

  it("shapes as people write them become Python", () => {
    const struct = (dims: string, dtype: string): string => `__import__("jax").ShapeDtypeStruct((${dims}), "${dtype}")`;
    expect(argsExpression("")).toBe("()");
    expect(argsExpression("w: f32[3], xs: i32[6, 2]")).toBe(`(${struct("3,", "float32")}, ${struct("6,2,", "int32")},)`);
    expect(argsExpression("bf16[], 2.0")).toBe(`(${struct("", "bfloat16")}, 2.0,)`);
    expect(argsExpression("(w, xs)")).toBe("(w, xs)");
    expect(argsExpression("(a) + (b)")).toBe("((a) + (b),)");
    expect(argsExpression("xs[0], 'f32[3]'")).toBe("(xs[0], 'f32[3]',)");
    expect(argsExpression("{'w': f32[3]}")).toBe(`({'w': ${struct("3,", "float32")}},)`);
  });
});
