import { describe, expect, it } from "vitest";
import { filesIn } from "../../../src/page/files/folders.ts";
import { type Readable, read } from "../../../src/page/files/read.ts";
import { saved } from "../../../src/page/files/save.ts";
import { together } from "../../../src/page/files/several.ts";
import type { Answer } from "../../../src/page/state/types.ts";
import { program, trace } from "../programs.ts";

function file(path: string, content: string, size = content.length): Readable {
  const bytes = new TextEncoder().encode(content);
  return { name: path.split("/").pop() ?? "", path, size, arrayBuffer: async () => bytes.slice().buffer };
}

describe("several files", () => {
  it("go out together, and of what is no program only the name", async () => {
    const made = await together([file("d/a.mlir", "module {}"), file("d/a.jaxpr.html", "<html>".repeat(9))]);
    expect(made).toMatchObject({ kind: "files", name: "d/", size: 9 });
    if (made.kind !== "files") throw new Error("refused");
    const { files } = JSON.parse(made.data) as { files: { name: string; data: string }[] };
    expect(files.map(({ name, data }) => [name, atob(data)])).toEqual([
      ["d/a.mlir", "module {}"],
      ["d/a.jaxpr.html", " "],
    ]);
  });

  it("are refused in words where they are too many or too large", async () => {
    expect(await together([file("a.mlir", "", 20_000_000), file("b.mlir", "", 20_000_000)])).toEqual({
      kind: "refused",
      why: "The files have 40 MB; at most 32 MB can be opened together. They were not sent anywhere.",
    });
    expect(await together(Array.from({ length: 1001 }, (_, at) => file(`${at}.mlir`, "x")))).toMatchObject({ kind: "refused" });
    const gone = { ...file("a.mlir", "x"), arrayBuffer: async () => Promise.reject(new Error("gone")) };
    expect(await together([gone, file("b", "x")])).toMatchObject({ kind: "refused", why: "a.mlir cannot be read: it may be gone." });
  });

  it("are found in folders, hidden ones left out", async () => {
    const leaf = (name: string, at: string) => ({
      name,
      fullPath: `${at}/${name}`,
      isFile: true,
      isDirectory: false,
      file: (done: (found: object) => void) => done({ name, size: 1, arrayBuffer: async () => new ArrayBuffer(1) }),
    });
    const folder = (name: string, at: string, inner: readonly object[]) => ({
      name,
      fullPath: `${at}/${name}`,
      isFile: false,
      isDirectory: true,
      createReader: () => {
        const pieces = [inner.slice(0, 1), inner.slice(1), []];
        return { readEntries: (done: (found: readonly object[]) => void) => done(pieces.shift() ?? []) };
      },
    });
    const dump = folder("dump", "", [
      leaf("b.mlir", "/dump"),
      leaf(".hidden", "/dump"),
      folder("in", "/dump", [leaf("a.mlir", "/dump/in")]),
    ]);
    const found = await filesIn([dump as unknown as FileSystemEntry]);
    expect(found.map(({ path }) => path)).toEqual(["dump/b.mlir", "dump/in/a.mlir"]);
  });
});

describe("a saved trace", () => {
  const answer: Answer = { trace: trace([program([], { name: "my loss" })]), source: "import jax", asked: null, wishes: [] };

  it("is known by what it holds", async () => {
    const text = '{"schema": 1, "programs": []}';
    expect(await read(file("a.json", text))).toEqual({ kind: "saved", data: text });
    expect(await read(file("a.json", '{"a": 1}'))).toMatchObject({ kind: "text" });
  });

  it("holds the text that it is of, and has the name of its program", async () => {
    const { name, text } = await saved(answer, { staticNumbers: false, compile: false, jax: null });
    expect(name).toBe("my_loss.trace.json");
    expect(JSON.parse(text)).toMatchObject({ schema: 1, text: "import jax" });
    const named = { ...answer, file: { name: "train.trace.json", size: 1, data: "", as: "saved" as const } };
    expect((await saved(named, { staticNumbers: false, compile: false, jax: null })).name).toBe("train.trace.json");
  });

  it("is asked for whole where parts were left out", async () => {
    const left = { part: "p0.0.jaxpr", kind: "text" as const, level: "jaxpr" as const, jaxprs: [], eqns: 0, bytes: 9 };
    const large = { ...answer, trace: trace([program([], { left_out: [left] })]) };
    const sent: unknown[] = [];
    const fetcher = (async (to: string, init: RequestInit) => {
      sent.push([to, JSON.parse(init.body as string)]);
      return new Response(JSON.stringify(answer.trace));
    }) as typeof fetch;
    const { text } = await saved(large, { staticNumbers: true, compile: false, jax: null }, fetcher);
    expect(sent).toMatchObject([["api/v1/trace", { source: "import jax", parts: false, static_numbers: true }]]);
    expect(JSON.parse(text).programs).toHaveLength(1);
    const none = (async () => new Response(JSON.stringify(trace([])))) as unknown as typeof fetch;
    await expect(saved(large, { staticNumbers: true, compile: false, jax: null }, none)).rejects.toThrow("larger than the server sends");
  });
});
