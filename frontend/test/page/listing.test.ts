import { describe, expect, it } from "vitest";
import type { Program, Trace } from "../../src/model/types.ts";
import { duration, rowOf, rowsOf } from "../../src/page/program/listing.ts";
import { FEW } from "../../src/page/state/answered.ts";
import { bodyOf } from "../../src/page/state/request.ts";
import { fresh } from "../../src/page/state/saved.ts";
import { statusOf } from "../../src/page/state/status.ts";
import { createStore } from "../../src/page/state/store.ts";
import type { Listing, OpenFile } from "../../src/page/state/types.ts";
import { jaxpr, program, trace } from "./programs.ts";

type Ran = NonNullable<Program["ran"]>;

function ran(parts: Partial<Ran>): Ran {
  const none = { traces: 1, lowerings: 1, compiles: 1, trace_ms: 1, lower_ms: 2, compile_ms: 3, at_ms: 0, file: "a.py", line: 4 };
  return { calls: 1, types: "x: f32[3]", why: "", anew: 0, ...none, ...parts };
}

const PROGRAMS = [
  program([], { id: "p0", name: "step", ran: ran({ calls: 9, compile_ms: 10 }) }),
  program([], { id: "p1", name: "loss", ran: ran({ types: "w: f32[8,3]", why: "w: f32[8,3], before: f32[4,3]" }) }),
  program([], { id: "p2", name: "Loss2", entry: "j0", ran: ran({ compile_ms: 2000, anew: 2 }) }),
];
const ALL: Listing = { open: true, query: "", by: "order" };

describe("the list of programs", () => {
  it("says what was measured, and why it was traced again", () => {
    expect(rowOf(PROGRAMS[1] as Program)).toEqual({
      id: "p1",
      name: "loss",
      types: "w: f32[8,3]",
      calls: 1,
      traces: 1,
      compiles: 1,
      milliseconds: 6,
      place: "a.py:4",
      why: "w: f32[8,3], before: f32[4,3]",
      empty: true,
    });
    expect(rowOf(PROGRAMS[2] as Program)).toMatchObject({ why: "made anew 3 times with the same types", empty: false });
  });

  it("sorts and narrows by every word", () => {
    const ids = (listing: Partial<Listing>): string[] => rowsOf(PROGRAMS, { ...ALL, ...listing }).map(({ id }) => id);
    expect(ids({})).toEqual(["p0", "p1", "p2"]);
    expect(ids({ by: "time" })).toEqual(["p2", "p0", "p1"]);
    expect(ids({ by: "calls" })).toEqual(["p0", "p1", "p2"]);
    expect(ids({ by: "name" })).toEqual(["p1", "p2", "p0"]);
    expect(ids({ query: "LOSS a.py" })).toEqual(["p1", "p2"]);
    expect(ids({ query: "loss [8,3]" })).toEqual(["p1"]);
    expect(ids({ query: "nothing" })).toEqual([]);
  });

  it("has types and levels of programs that nobody measured", () => {
    const made = rowOf(program([jaxpr("j0", [], [])], { id: "p3" }));
    expect(made).toMatchObject({ calls: null, milliseconds: 0, place: "jaxpr" });
  });

  it("writes times as people read them", () => {
    expect([0.26, 12.4, 999.6, 1234, 12_345].map(duration)).toEqual(["0.3 ms", "12 ms", "1000 ms", "1.2 s", "12 s"]);
  });
});

describe("an opened trace", () => {
  const file: OpenFile = { name: "r.json", size: 3, data: '{"schema":1}', as: "saved" };

  function opened(parts: Partial<Trace>, programs: Program[] = PROGRAMS) {
    const store = createStore(fresh("mine"));
    store.dispatch({ type: "file", file, note: "" });
    store.dispatch({ type: "run", id: 1 });
    const made = trace(programs, parts);
    store.dispatch({ type: "answer", id: 1, answer: { trace: made, source: made.text ?? "", file, asked: null, wishes: [] } });
    return store;
  }

  it("goes out as it is, and what the command was told by itself", () => {
    const wanted = { source: "mine", staticNumbers: false, compile: false, jax: null, asked: null, wishes: [] };
    expect(bodyOf({ ...wanted, file })).toEqual({ opens: '{"schema":1}' });
    expect(bodyOf({ ...wanted, file: { ...file, as: "told" } })).toEqual({ opens: null });
    expect(bodyOf(wanted)).toMatchObject({ source: "mine", parts: true });
  });

  it("shows its own text, which cannot be edited, and gives the paste back", () => {
    const store = opened({ text: "theirs" });
    expect([store.source.value, store.current.value]).toEqual(["theirs", true]);
    store.dispatch({ type: "edit", source: "other" });
    expect([store.source.value, store.state.value.source]).toEqual(["theirs", "mine"]);
    store.dispatch({ type: "file", file: null, note: "" });
    expect([store.source.value, store.current.value]).toEqual(["mine", false]);
  });

  it("says that it was opened, not traced", () => {
    const store = opened({});
    store.dispatch({ type: "settled", id: 1, milliseconds: 5 });
    expect(statusOf(store.state.value).text).toBe("Opened");
  });

  it("begins with the list where it has many programs", () => {
    expect(opened({}).state.value.listing.open).toBe(false);
    const many = Array.from({ length: FEW + 1 }, (_, at) => program([], { id: `p${at}` }));
    expect(opened({}, many).state.value.listing.open).toBe(true);
  });

  it("comes forward in a level that its program has", () => {
    const module = { dialect: "stablehlo", text: "", functions: [], values: {}, name: "", ops: [], packed: null };
    const store = opened({}, [
      program([jaxpr("j0", [], [])], { id: "p0" }),
      program([], { id: "p1", entry: null, modules: { stablehlo: module } }),
    ]);
    expect(store.state.value.view).toBe("jaxpr");
    store.dispatch({ type: "program", id: "p1" });
    expect(store.state.value.view).toBe("stablehlo");
    store.dispatch({ type: "program", id: "p0" });
    expect(store.state.value.view).toBe("jaxpr");
  });
});
