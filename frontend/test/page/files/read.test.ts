import { describe, expect, it, vi } from "vitest";
import { createLights } from "../../../src/page/app.ts";
import { base64, KINDS, kindOfFile } from "../../../src/page/files/kinds.ts";
import { createOpener } from "../../../src/page/files/opener.ts";
import { type Readable, read, sizeOf } from "../../../src/page/files/read.ts";
import { requestOf } from "../../../src/page/state/request.ts";
import { fresh } from "../../../src/page/state/saved.ts";
import { createStore } from "../../../src/page/state/store.ts";

const BYTECODE = [0x4d, 0x4c, 0xef, 0x52, 0x00, 0xff];

function file(name: string, content: string | readonly number[]): Readable {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : Uint8Array.from(content);
  return { name, size: bytes.length, arrayBuffer: async () => bytes.slice().buffer };
}

function notebook(cells: unknown, language = "python"): string {
  return JSON.stringify({ cells, metadata: { kernelspec: { language } } });
}

describe("reading a file", () => {
  it.each([
    ["a.py", "import jax", "python"],
    ["A.MLIR", "x", "mlir"],
    ["a.hlo", "x", "hlo"],
    ["a.jaxpr.txt", "x", "jaxpr"],
    ["a.txt", "x", null],
    ["Makefile", "x", null],
    ["a.mlirbc", "module {}", "mlir"],
  ])("%s is a text", async (name, source, input) => {
    expect(await read(file(name, source))).toEqual({ kind: "text", source, input, note: "" });
  });

  it("of bytes keeps the bytes, whatever it is called", async () => {
    for (const name of ["a.mlirbc", "a.py", "a"])
      expect(await read(file(name, BYTECODE))).toEqual({ kind: "bytes", data: btoa(String.fromCharCode(...BYTECODE)) });
    expect(await read(file("a.png", [0x89, 0x50, 0, 1]))).toMatchObject({ kind: "bytes" });
  });

  it("refuses in words what is too large, empty or unreadable", async () => {
    const large = { ...file("big.mlir", "x"), size: 23_100_000 };
    expect(await read(large)).toEqual({
      kind: "refused",
      why: "big.mlir has 23.1 MB; at most 16 MB can be opened. It was not sent anywhere.",
    });
    expect(await read(file("a.py", ""))).toEqual({ kind: "refused", why: "a.py is empty." });
    const gone = { ...file("a", "x"), arrayBuffer: async () => Promise.reject(new Error("gone")) };
    expect(await read(gone)).toMatchObject({ kind: "refused", why: expect.stringContaining("a cannot be read") });
  });

  it("joins the code cells of a notebook, and says so", async () => {
    const cells = [
      { cell_type: "markdown", source: ["# Title"] },
      { cell_type: "code", source: ["import jax\n", "x = 1\n"] },
      { cell_type: "code", source: "" },
      { cell_type: "code", source: "%time jax.make_jaxpr(f)(x)" },
      null,
    ];
    expect(await read(file("demo.ipynb", notebook(cells)))).toEqual({
      kind: "text",
      source: "import jax\nx = 1\n\n%time jax.make_jaxpr(f)(x)\n",
      input: null,
      note: "The 2 code cells of demo.ipynb are, one under the other, the code now; its texts and outputs are left out.",
    });
    expect(await read(file("r.ipynb", notebook([], "R")))).toMatchObject({ kind: "refused", why: expect.stringContaining("is R") });
    for (const broken of ["{", "[]", '{"cells": 3}', notebook([{ cell_type: "code", source: " " }])])
      expect(await read(file("x.ipynb", broken))).toMatchObject({ kind: "refused" });
  });

  it("finds one row for each end that is in the table", () => {
    for (const kind of KINDS) for (const end of kind.ends) expect(kindOfFile(`some${end}`, new Uint8Array())?.title).toBe(kind.title);
    expect(kindOfFile("some.rs", new Uint8Array())).toBeNull();
  });

  it("writes base64 of any length", () => {
    for (const length of [0, 1, 2, 0x6000 - 1, 0x6000, 0x6001, 100_000]) {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 7) % 256);
      expect(Uint8Array.from(atob(base64(bytes)), (letter) => letter.charCodeAt(0))).toEqual(bytes);
    }
  });

  it.each([
    [1, "1 byte"],
    [999, "999 bytes"],
    [1_200, "1 kB"],
    [16_000_000, "16 MB"],
    [2_340_000, "2.3 MB"],
  ])("says %i as %s", (size, words) => expect(sizeOf(size)).toBe(words));
});

describe("opening a file", () => {
  function page() {
    const store = createStore(fresh("before"));
    const run = vi.fn();
    return { store, run, opener: createOpener(store, { run }, createLights()) };
  }

  it("of text puts it into the editor, with what its name says until it is edited", async () => {
    const { store, run, opener } = page();
    await opener.open([file("a.mlir", "odd.op @x")]);
    expect(requestOf(store.state.peek())).toMatchObject({ source: "odd.op @x", input: "mlir" });
    expect(run).toHaveBeenCalledOnce();
    store.dispatch({ type: "edit", source: "import jax" });
    expect(requestOf(store.state.peek())).not.toHaveProperty("input");
  });

  it("of bytes stands in place of the code, which comes back", async () => {
    const { store, opener } = page();
    await opener.open([file("a.mlirbc", BYTECODE)]);
    expect(requestOf(store.state.peek())).toMatchObject({ source: "", data: btoa(String.fromCharCode(...BYTECODE)) });
    expect(store.state.peek().file).toMatchObject({ name: "a.mlirbc", size: 6 });
    store.dispatch({ type: "file", file: null, note: "" });
    expect(requestOf(store.state.peek())).toMatchObject({ source: "before" });
    expect(requestOf(store.state.peek())).not.toHaveProperty("data");
  });

  it("that cannot be opened takes nothing away", async () => {
    const { store, run, opener } = page();
    await opener.open([file("a.py", "")]);
    expect(store.state.peek()).toMatchObject({ source: "before", file: null, arrival: { kind: "unread", why: "a.py is empty." } });
    expect(run).not.toHaveBeenCalled();
  });

  it("of several opens the first, and the one that was opened last", async () => {
    const { store, opener } = page();
    await opener.open([file("a.py", "a"), file("b.py", "b")]);
    expect(store.state.peek()).toMatchObject({
      source: "a",
      arrival: { kind: "file", note: "Of 2 files a.py was opened: one at a time." },
    });
    await Promise.all([opener.open([file("c.py", "c")]), opener.open([file("d.py", "d")])]);
    expect(store.state.peek()).toMatchObject({ source: "d", arrival: null });
  });
});
