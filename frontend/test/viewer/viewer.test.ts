import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { el } from "../../src/drawing/svg/node.ts";
import { rememberFiled } from "../../src/model/filed.ts";
import { rememberProgram } from "../../src/model/packed.ts";
import { atOnce } from "../../src/model/slices.ts";
import { wholeProgram } from "../../src/model/unpack.ts";
import { build } from "../../src/viewer/dom.ts";
import { keyAction } from "../../src/viewer/keys.ts";
import { Cancelled, LayoutClient, type WorkerLike } from "../../src/viewer/layoutClient.ts";
import { lastId } from "../../src/viewer/marks.ts";
import type { Drawing, FromWorker, Subject, ToWorker } from "../../src/viewer/protocol.ts";
import { packedProgram } from "../packing.ts";
import { trainingScan } from "../page/programs.ts";
import { scene } from "./scenes.ts";

const press = (key: string, parts: Partial<Parameters<typeof keyAction>[0]> = {}) =>
  keyAction({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...parts });

describe("keys", () => {
  it("mean one thing each", () => {
    expect(press("ArrowDown")).toEqual({ do: "walk", direction: "down" });
    expect(press("ArrowDown", { shiftKey: true })).toEqual({ do: "pan", dx: 0, dy: 80 });
    expect(press("?", { shiftKey: true })).toEqual({ do: "command", name: "help" });
    expect(press("x")).toBeNull();
  });
  it("leave the browser its own", () => {
    expect(press("f", { ctrlKey: true })).toBeNull();
    expect(press("ArrowLeft", { altKey: true })).toBeNull();
  });
});

describe("paths in a drawing", () => {
  it("end at an equation", () => {
    expect([lastId("e3"), lastId("e3:1/e7"), lastId("e3:1")]).toEqual(["e3", "e7", "e3"]);
  });
});

class FakeElement {
  readonly attributes: Record<string, string> = {};
  readonly children: (FakeElement | string)[] = [];
  readonly tag: string;
  constructor(tag: string) {
    this.tag = tag;
  }
  setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
  }
  append(...nodes: (FakeElement | string)[]): void {
    this.children.push(...nodes);
  }
}

const fakeDocument = {
  createElementNS: (_: string, tag: string) => new FakeElement(tag),
  createTextNode: (text: string) => text,
} as unknown as Document;

describe("building DOM", () => {
  it("keeps a stranger's names as text and attribute values", () => {
    const evil = '<img src=x onerror="alert(1)">';
    const built = build(el("svg", { "aria-label": evil }, el("text", {}, evil)), {}, fakeDocument) as unknown as FakeElement;
    expect(built.attributes["aria-label"]).toBe(evil);
    const text = built.children[0] as FakeElement;
    expect(text.tag).toBe("text");
    expect(text.children).toEqual([evil]);
  });

  it("gives styles their nonce", () => {
    const built = build(el("svg", {}, el("style", {}, "a{}")), { nonce: "n1" }, fakeDocument) as unknown as FakeElement;
    expect((built.children[0] as FakeElement).attributes.nonce).toBe("n1");
  });

  it("is the only way markup is made: no source of the page assigns HTML", () => {
    const files = import.meta.glob("../../src/{page,viewer}/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true }) as Record<
      string,
      string
    >;
    const guilty = Object.entries(files).filter(([, text]) =>
      /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write/.test(text),
    );
    expect(Object.keys(files).length).toBeGreaterThan(30);
    expect(guilty.map(([name]) => name)).toEqual([]);
  });
});

class FakeWorker implements WorkerLike {
  readonly sent: ToWorker[] = [];
  ended = false;
  onmessage: WorkerLike["onmessage"] = null;
  onerror: WorkerLike["onerror"] = null;
  postMessage(message: ToWorker): void {
    this.sent.push(message);
  }
  terminate(): void {
    this.ended = true;
  }
  answer(message: FromWorker): void {
    this.onmessage?.({ data: message } as MessageEvent<FromWorker>);
  }
}

describe("the layout client", () => {
  const drawing: Drawing = { scene: scene([], [], []), title: "", open: [], foldable: [], left: 0, alone: null };
  const start = (): { client: LayoutClient; workers: FakeWorker[] } => {
    const workers: FakeWorker[] = [];
    const client = new LayoutClient(() => {
      const worker = new FakeWorker();
      workers.push(worker);
      return worker;
    });
    return { client, workers };
  };
  const subject = (): Subject => ({ kind: "program", program: trainingScan() });

  it("sends a program once, whatever is opened in it, and not again when a later level arrives", async () => {
    const { client, workers } = start();
    const first = subject();
    const one = client.draw(first, { open: null }, "");
    workers[0]?.answer({ type: "drawn", id: 0, drawing });
    expect(await one).toMatchObject(drawing);
    const lowered: Subject = first.kind === "program" ? { kind: "program", program: { ...first.program, links: {} } } : first;
    const two = client.draw(lowered, { open: ["e0"] }, "");
    workers[0]?.answer({ type: "drawn", id: 1, drawing });
    await two;
    expect(workers.length).toBe(1);
    expect(workers[0]?.sent.map((message) => message.type)).toEqual(["load", "draw", "draw"]);
  });

  it("lets the worker begin with what came packed, and sends it no second time when it is unpacked", async () => {
    const { client, workers } = start();
    const outline = packedProgram(trainingScan());
    const wanted = { open: null };
    client.expect(outline, wanted, "soon");
    const whole = atOnce(wholeProgram(outline));
    rememberProgram(whole.jaxprs, { outline, parts: [] });
    const done = client.draw({ kind: "program", program: whole }, wanted, "soon");
    workers[0]?.answer({ type: "drawn", id: 0, drawing });
    await done;
    expect(workers.length).toBe(1);
    expect(workers[0]?.sent).toEqual([
      { type: "load", token: 0, subject: { kind: "packed-program", packed: { outline, parts: [] } } },
      { type: "expect", token: 0, wanted, title: "soon" },
      { type: "draw", token: 0, id: 0, wanted, title: "soon" },
    ]);
  });

  it("expects nothing while a drawing is waited for", () => {
    const { client, workers } = start();
    void client.draw(subject(), { open: null }, "");
    client.expect(packedProgram(trainingScan()), { open: null }, "");
    expect(workers[0]?.sent.map((message) => message.type)).toEqual(["load", "draw"]);
  });

  it("ends a worker that is busy with something no longer wanted", async () => {
    const { client, workers } = start();
    const old = client.draw(subject(), { open: null }, "");
    const newer = client.draw(subject(), { open: null }, "");
    await expect(old).rejects.toBeInstanceOf(Cancelled);
    expect(workers[0]?.ended).toBe(true);
    workers[1]?.answer({ type: "drawn", id: 1, drawing });
    expect(await newer).toMatchObject(drawing);
    expect(workers[1]?.sent.map((message) => message.type)).toEqual(["load", "draw"]);
  });

  it("lets the worker forget the oldest program", async () => {
    const { client, workers } = start();
    const held = Array.from({ length: 5 }, subject);
    for (const [id, each] of held.entries()) {
      const done = client.draw(each, { open: null }, "");
      workers[0]?.answer({ type: "drawn", id, drawing });
      await done;
    }
    expect(workers[0]?.sent.filter((message) => message.type === "forget")).toEqual([{ type: "forget", token: 0 }]);
  });

  it("lets the worker forget what the page itself let go of", async () => {
    let told: ((token: number) => void) | null = null;
    const registered: number[] = [];
    vi.stubGlobal(
      "FinalizationRegistry",
      class {
        constructor(cleanup: (token: number) => void) {
          told = cleanup;
        }
        register(_: object, token: number): void {
          registered.push(token);
        }
      },
    );
    const { client, workers } = start();
    vi.unstubAllGlobals();
    const whole = trainingScan();
    rememberFiled(whole.jaxprs, { file: { id: 7, text: "{}" }, program: 0, level: "jaxpr" });
    const done = client.draw({ kind: "program", program: whole }, { open: null }, "");
    workers[0]?.answer({ type: "drawn", id: 0, drawing });
    await done;
    expect(registered).toEqual([0]);
    told!(0);
    told!(0);
    expect(workers[0]?.sent.slice(-2)).toEqual([
      { type: "forget", token: 0 },
      { type: "close", file: 7 },
    ]);
    expect(workers[0]?.sent.length).toBe(5);
    // It is loaded once more where it is drawn again.
    void client.draw({ kind: "program", program: whole }, { open: null }, "").catch(() => undefined);
    expect(workers[0]?.sent.slice(-3).map((message) => message.type)).toEqual(["file", "load", "draw"]);
  });

  it("says so when a layout fails, and goes on", async () => {
    const { client, workers } = start();
    const bad = client.draw(subject(), { open: null }, "");
    workers[0]?.answer({ type: "failed", id: 0, message: "no layers" });
    await expect(bad).rejects.toThrow("no layers");
    const crashed = client.draw(subject(), { open: null }, "");
    workers[0]?.onerror?.({} as ErrorEvent);
    await expect(crashed).rejects.toThrow("stopped");
    const good = client.draw(subject(), { open: null }, "");
    workers[1]?.answer({ type: "drawn", id: 2, drawing });
    expect(await good).toMatchObject(drawing);
  });
});

describe("the page's colours", () => {
  it("name every role of the drawing", () => {
    const tokens = readFileSync(new URL("../../src/page/tokens.css", import.meta.url), "utf8");
    for (const role of ["const", "carry", "xs", "ys", "residual", "cotangent", "literal", "plain"])
      expect(tokens).toContain(`--role-${role}: light-dark(`);
  });
});
