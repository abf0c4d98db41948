import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Trace } from "../../src/model/types.ts";
import { ServerError } from "../../src/page/api/client.ts";
import type { TraceBody } from "../../src/page/state/request.ts";
import { createRunner, PAUSE_MS, type Runner, STARTING_MS } from "../../src/page/state/runner.ts";
import { fresh } from "../../src/page/state/saved.ts";
import { isRunning, statusOf } from "../../src/page/state/status.ts";
import { createStore, type Store } from "../../src/page/state/store.ts";
import { plain } from "../../src/page/state/transforms.ts";
import { problem, trace, trainingScan } from "./programs.ts";

interface Sent {
  readonly order: TraceBody;
  readonly signal: AbortSignal;
  answer(trace: Trace): void;
  finish(): void;
  fail(error: unknown): void;
}

let store: Store;
let runner: Runner;
let sent: Sent[];

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  store = createStore(fresh("a"));
  runner = createRunner(
    store,
    (order, onTrace, signal) =>
      new Promise<void>((finish, fail) => void sent.push({ order: order as TraceBody, signal, answer: onTrace, finish, fail })),
  );
});

afterEach(() => {
  runner.stop();
  vi.useRealTimers();
});

const edit = (source: string): void => store.dispatch({ type: "edit", source });

describe("running", () => {
  it("sends the paste, shows levels as they come, and settles", async () => {
    runner.run();
    expect(sent[0]?.order).toEqual({ source: "a", levels: ["jaxpr", "stablehlo"], static_numbers: false, parts: true });
    expect(store.state.value.run.phase).toBe("running");
    sent[0]?.answer(trace([trainingScan()]));
    expect(store.program.value?.name).toBe("train");
    expect(store.state.value.run.phase).toBe("lowering");
    sent[0]?.finish();
    await vi.runAllTimersAsync();
    expect(store.state.value.run.phase).toBe("settled");
  });

  it("is ended by the person, who is told so, and what comes of it later is not taken", async () => {
    runner.run();
    runner.cancel();
    expect(sent[0]?.signal.aborted).toBe(true);
    expect(statusOf(store.state.value).text).toBe("Cancelled");
    expect(isRunning(store.state.value.run)).toBe(false);
    runner.run();
    sent[1]?.answer(trace([trainingScan()]));
    sent[1]?.finish();
    await vi.runAllTimersAsync();
    expect(statusOf(store.state.value).text).toBe("Traced");
  });

  it("waits for a pause in typing, and hovering does not prolong it", () => {
    runner.run();
    edit("ab");
    vi.advanceTimersByTime(PAUSE_MS - 100);
    edit("abc");
    vi.advanceTimersByTime(PAUSE_MS - 100);
    expect(sent.length).toBe(1);
    store.dispatch({ type: "hover", target: { kind: "place", line: 1, col: 0 } });
    vi.advanceTimersByTime(100);
    expect(sent.map(({ order }) => order.source)).toEqual(["a", "abc"]);
  });

  it("ends the older run when a newer one starts", () => {
    runner.run();
    runner.run();
    expect(sent[0]?.signal.aborted).toBe(true);
    expect(sent[1]?.signal.aborted).toBe(false);
    sent[0]?.answer(trace([trainingScan()]));
    expect(store.program.value).toBeNull();
  });

  it("does not run by itself when that is switched off, nor for a text that was sent already", () => {
    runner.run();
    edit("ab");
    edit("a");
    vi.advanceTimersByTime(PAUSE_MS * 2);
    store.dispatch({ type: "settings", auto: false });
    edit("abc");
    vi.advanceTimersByTime(PAUSE_MS * 2);
    expect(sent.length).toBe(1);
  });

  it("sends nothing for an empty paste and clears the page", () => {
    runner.run();
    sent[0]?.answer(trace([trainingScan()]));
    edit(" \n");
    runner.run();
    expect(sent.length).toBe(1);
    expect(store.program.value).toBeNull();
  });

  it("waits for a server that is starting", async () => {
    const starting = new ServerError({ code: "starting", message: "The server cannot run code yet.", advice: "" });
    runner.run();
    sent[0]?.fail(starting);
    await vi.advanceTimersByTimeAsync(STARTING_MS);
    expect(sent.length).toBe(2);
    expect(store.state.value.run.phase).toBe("running");
    sent[1]?.answer(trace([trainingScan()]));
    expect(store.program.value?.name).toBe("train");
    runner.run();
    sent[2]?.fail(starting);
    await vi.advanceTimersByTimeAsync(1);
    runner.run();
    await vi.advanceTimersByTimeAsync(STARTING_MS * 2);
    expect(sent.length).toBe(4);
  });

  it("keeps the graph and says what went wrong", async () => {
    runner.run();
    sent[0]?.answer(trace([trainingScan()]));
    runner.run();
    sent[1]?.fail(new ServerError({ code: "busy", message: "Too much to do.", advice: "Wait." }));
    await vi.runAllTimersAsync();
    expect(store.state.value.failure?.message).toBe("Too much to do.");
    expect(store.program.value?.name).toBe("train");
  });

  it("sends once more, and once only, when an edit gave a program another id", () => {
    const grad = plain("grad");
    const named = (id: string, name: string) => ({ ...trainingScan(), id, name });
    store.dispatch({ type: "wish", wish: { base: { id: "p0", name: "train" }, steps: [grad] } });
    runner.run();
    sent[0]?.answer(trace([named("p0", "other"), named("p1", "train")]));
    expect(sent.map(({ order }) => order.transforms?.map(({ program }) => program))).toEqual([["p0"], ["p1"]]);
    expect(sent[0]?.signal.aborted).toBe(true);
    sent[1]?.answer(trace([named("p0", "train"), named("p1", "other")]));
    expect(sent.length).toBe(2);
  });

  it("sends the paste alone when the function that was traced with types is gone", () => {
    store.dispatch({ type: "ask", asked: { fun: "loss", signature: { w: "f32[3]" }, args: "" } });
    runner.run();
    expect(sent[0]?.order).toMatchObject({ fun: "loss", signature: { w: "f32[3]" } });
    sent[0]?.answer(trace([], { diagnostics: [problem("fun", "name 'loss' is not defined", { type: "NameError" })] }));
    expect(sent.length).toBe(2);
    expect(sent[1]?.order.fun).toBeUndefined();
    expect(store.state.value.notices).toHaveLength(1);
  });
});
