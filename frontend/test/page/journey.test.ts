import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Browser, createJourney, type Entry, entryOf, type Journey, PAUSE_MS } from "../../src/page/state/journey.ts";
import { fresh } from "../../src/page/state/saved.ts";
import { createStore, type Store } from "../../src/page/state/store.ts";
import { trace, trainingScan } from "./programs.ts";

const camera = { x: 1, y: 2, k: 0.5 };
let store: Store;
let journey: Journey;
/** A browser's history: entries, where it stands, the addresses. */
let entries: (Entry | null)[];
let at: number;
let writes: number;
let addresses: (string | null)[];

function begin(state: unknown = null): void {
  store = createStore(fresh("code"));
  entries = [null];
  addresses = [];
  at = 0;
  writes = 0;
  const browser: Browser = {
    state,
    push(entry) {
      entries = [...entries.slice(0, at + 1), entry];
      at += 1;
      writes += 1;
    },
    replace(entry, address) {
      entries[at] = entry;
      addresses.push(address);
      writes += 1;
    },
    go(steps) {
      at += steps;
      journey.popped(entries[at]);
    },
  };
  journey = createJourney(store, browser, (now) => Promise.resolve(`#${now.source}`));
}

function answer(): void {
  const programs = [trainingScan(), { ...trainingScan(), id: "p1", name: "other" }];
  store.dispatch({ type: "run", id: 1 });
  store.dispatch({ type: "answer", id: 1, answer: { trace: trace(programs), source: "code", asked: null, wishes: [] } });
}

const select = (path: string, jump = false): void => store.dispatch({ type: "select", target: { kind: "eqn", path }, jump });
const selected = (): string | null => {
  const { selection } = store.state.value;
  return selection?.kind === "eqn" ? selection.path : null;
};

beforeEach(() => {
  vi.useFakeTimers();
  begin();
});
afterEach(() => {
  journey.stop();
  vi.useRealTimers();
});

describe("the way a person took", () => {
  it("has an entry for each jump, and goes back and forward along it", () => {
    answer();
    select("e0");
    journey.looked(camera);
    select("e0/e1", true);
    store.dispatch({ type: "program", id: "p1" });
    expect(entries.length).toBe(3);
    expect([journey.back.value, journey.forward.value]).toEqual([true, false]);
    journey.go(-1);
    expect([store.state.value.program, selected()]).toEqual(["p0", "e0/e1"]);
    journey.go(-1);
    expect(selected()).toBe("e0");
    expect(journey.wanted.value).toEqual(camera);
    expect([journey.back.value, journey.forward.value]).toEqual([false, true]);
    journey.go(1);
    journey.go(1);
    expect(store.state.value.program).toBe("p1");
    journey.go(1);
    expect(at).toBe(2);
  });

  it("has none for clicks, hovers, answers and going where one is", () => {
    answer();
    select("e0");
    select("e1");
    store.dispatch({ type: "hover", target: { kind: "eqn", path: "e0" } });
    store.dispatch({ type: "program", id: "p0" });
    store.dispatch({ type: "view", view: "jaxpr" });
    store.dispatch({ type: "alone", path: null });
    select("e1", true);
    expect(entries.length).toBe(1);
  });

  it("remembers where an entry was left, with its open bodies", () => {
    answer();
    store.dispatch({ type: "open", key: "jaxpr:p0", open: new Set(["e0"]) });
    select("e0");
    store.dispatch({ type: "view", view: "stablehlo" });
    store.dispatch({ type: "view", view: "jaxpr-text" });
    journey.go(-1);
    journey.go(-1);
    expect(store.state.value.view).toBe("jaxpr");
    expect([...(store.state.value.open["jaxpr:p0"] ?? [])]).toEqual(["e0"]);
    expect(selected()).toBe("e0");
  });

  it("leads into a body that is shown alone, and out of it", () => {
    answer();
    store.dispatch({ type: "alone", path: "e0" });
    journey.go(-1);
    expect(store.state.value.alone).toEqual({});
    journey.go(1);
    expect(store.state.value.alone).toEqual({ "jaxpr:p0": "e0" });
  });

  it("leads back to the levels before, with what was open in them", () => {
    answer();
    store.dispatch({ type: "open", key: "jaxpr:p0", open: new Set(["e0"]) });
    store.dispatch({ type: "levels", levels: { by: "calls", depth: 2 } });
    store.dispatch({ type: "levels", levels: { by: "calls", depth: 2 } });
    expect(entries.length).toBe(2);
    journey.go(-1);
    expect(store.state.value.levels).toEqual({ by: "auto", depth: null });
    expect([...(store.state.value.open["jaxpr:p0"] ?? [])]).toEqual(["e0"]);
    journey.go(1);
    expect(store.state.value.levels).toEqual({ by: "calls", depth: 2 });
    expect(store.state.value.open).toEqual({});
  });

  it("forgets what was ahead when another way is taken", () => {
    answer();
    select("e0", true);
    journey.go(-1);
    select("e1", true);
    expect(journey.forward.value).toBe(false);
    expect(entries.length).toBe(2);
  });

  it("writes the newest entry and its address once after a pause, however much moves", async () => {
    answer();
    for (let i = 0; i < 100; i++) {
      journey.looked({ ...camera, x: i });
      vi.advanceTimersByTime(PAUSE_MS - 1);
    }
    expect(writes).toBe(0);
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect([writes, addresses]).toEqual([1, ["#code"]]);
    expect(entries[0]?.seen.camera).toEqual({ ...camera, x: 99 });
  });

  it("writes nothing while there is nothing to be in", async () => {
    await vi.advanceTimersByTimeAsync(5 * PAUSE_MS);
    expect(writes).toBe(0);
  });

  it("leaves entries of others alone", () => {
    answer();
    for (const entry of [null, 7, { jaxpr: 2 }, { jaxpr: 1, index: -1, seen: {} }, { jaxpr: 1, index: 0 }])
      expect(entryOf(entry)).toBeNull();
    expect(journey.popped({ scroll: 3 })).toBe(false);
    journey.landed();
    expect(journey.back.value).toBe(true);
  });

  it("goes on after a reload where it was", () => {
    answer();
    select("e0", true);
    journey.looked(camera);
    select("e1", true);
    const entry = JSON.parse(JSON.stringify(entries[1])) as unknown;
    journey.stop();
    begin(entry);
    expect(journey.wanted.value).toEqual(camera);
    expect(journey.back.value).toBe(true);
  });

  it("looks afresh at a graph that follows a text which was loaded anew", () => {
    answer();
    store.dispatch({ type: "view", view: "jaxpr-text" });
    journey.looked(camera);
    vi.advanceTimersByTime(PAUSE_MS);
    select("e0");
    store.dispatch({ type: "program", id: "p1" });
    const left = entries[at - 1] ?? null;
    expect(left?.seen.camera).toEqual(camera);
    journey.stop();
    begin(left);
    expect(journey.wanted.value).toEqual(camera);
    answer();
    store.dispatch({ type: "view", view: "stablehlo" });
    expect(journey.wanted.value).toBeNull();
  });

  it("forgets where to look when other code is pasted before a reload has its answer", () => {
    answer();
    select("e0", true);
    journey.looked(camera);
    select("e1", true);
    const left = entries[1] ?? null;
    journey.stop();
    begin(left);
    store.dispatch({ type: "edit", source: "other code" });
    expect(journey.wanted.value).toBeNull();
  });
});
