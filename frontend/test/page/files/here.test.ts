import { describe, expect, it } from "vitest";
import { type Reading, readTrace } from "../../../src/model/check/index.ts";
import { filedOf } from "../../../src/model/filed.ts";
import type { Trace } from "../../../src/model/types.ts";
import { createLights } from "../../../src/page/app.ts";
import { begin } from "../../../src/page/files/here.ts";
import { sending } from "../../../src/page/files/sending.ts";
import { LayoutClient, type WorkerLike } from "../../../src/viewer/layoutClient.ts";
import type { FromWorker, ToWorker } from "../../../src/viewer/protocol.ts";
import { given, levelsOf, readingOf } from "../../../src/viewer/reading.ts";
import { fixture } from "../programs.ts";

/** A worker that reads files as the real one does, and draws nothing. */
class Reader implements WorkerLike {
  readonly sent: ToWorker[] = [];
  readonly #files = new Map<number, Reading>();
  onmessage: WorkerLike["onmessage"] = null;
  onerror: WorkerLike["onerror"] = null;

  postMessage(message: ToWorker): void {
    this.sent.push(message);
    queueMicrotask(() => this.#answer(message));
  }

  terminate(): void {
    this.onmessage = null;
  }

  #answer(message: ToWorker): void {
    const say = (data: FromWorker): void => void this.onmessage?.({ data } as MessageEvent<FromWorker>);
    if (message.type === "file" && message.id !== undefined) {
      const reading = readingOf(message.text);
      if (reading !== null) this.#files.set(message.file, reading);
      say({ type: "read", id: message.id, levels: reading === null ? null : levelsOf(reading) });
    } else if (message.type === "close") {
      this.#files.delete(message.file);
    } else if (message.type === "give") {
      const reading = this.#files.get(message.file);
      if (message.level !== "jaxpr" && reading?.rest() === false) {
        say({ type: "failed", id: message.id, message: "no modules" });
        return;
      }
      for (const piece of reading === undefined ? [] : given(reading.trace, message.level))
        say({ type: "given", id: message.id, piece: JSON.stringify(piece) });
      say({ type: "given", id: message.id, piece: null });
    }
  }
}

function bench() {
  const workers: Reader[] = [];
  const layout = new LayoutClient(() => {
    const worker = new Reader();
    workers.push(worker);
    return worker;
  });
  const lights = createLights();
  lights.layout.value = layout;
  const asked: unknown[] = [];
  const send = sending(lights, async (wanted) => void asked.push(wanted));
  return { workers, layout, lights, send, asked };
}

const signal = (): AbortSignal => new AbortController().signal;

describe("a saved trace", () => {
  it("is read here, level by level, and sent nowhere", async () => {
    const { send, asked } = bench();
    const text = JSON.stringify(fixture("02_training_scan"));
    const heard: Trace[] = [];
    await send({ opens: text }, (each) => void heard.push(each), signal());
    expect(asked).toEqual([]);
    expect(heard.map(({ programs }) => Object.keys(programs[0]!.modules))).toEqual([[], ["stablehlo"]]);
    expect(heard.at(-1)).toEqual(readTrace(text));
  });

  it("is known before it is all there, and is drawn from what the worker has", async () => {
    const { send, layout, workers } = bench();
    let coming: Trace | null = null;
    const heard: Trace[] = [];
    const text = JSON.stringify(fixture("02_training_scan"));
    await send(
      { opens: text },
      (each) => void heard.push(each),
      signal(),
      undefined,
      (each) => {
        coming = each;
      },
    );
    const [program] = heard.at(-1)!.programs;
    expect(coming!.programs[0]!.jaxprs).toBe(program!.jaxprs);
    expect(filedOf(program!.jaxprs)).toMatchObject({ program: 0, level: "jaxpr" });
    expect(filedOf(program!.modules.stablehlo!)).toMatchObject({ program: 0, level: "stablehlo" });
    layout.expect(program!, { open: null }, "");
    void layout.draw({ kind: "module", module: program!.modules.stablehlo! }, { open: null }, "").catch(() => undefined);
    const loads = workers[0]!.sent.filter((message) => message.type === "load");
    expect(loads.map(({ subject }) => subject)).toEqual([
      { kind: "filed", file: expect.any(Number), program: 0, level: "jaxpr" },
      { kind: "filed", file: expect.any(Number), program: 0, level: "stablehlo" },
    ]);
    // A worker that is begun anew is given the file once more.
    layout.cancel();
    void layout.draw({ kind: "program", program: program! }, { open: null }, "").catch(() => undefined);
    expect(workers[1]!.sent.map(({ type }) => type)).toEqual(["file", "load", "draw"]);
    expect(workers[1]!.sent[0]).toMatchObject({ text });
  });

  it("is begun with before it is known to be one, and read once", async () => {
    const { send, layout, workers, asked } = bench();
    const text = JSON.stringify(fixture("06_branches"));
    const sent = (type: string): ToWorker[] => workers.flatMap((worker) => worker.sent.filter((message) => message.type === type));
    const heard: Trace[] = [];
    const open = (): Promise<void> => send({ opens: text }, (each) => void heard.push(each), signal());
    begin(layout, new TextEncoder().encode(text))(text);
    await open();
    expect([heard.at(-1), sent("file").length, sent("close").length, asked]).toEqual([readTrace(text), 1, 0, []]);
    // One that is none after all, one that another was chosen after, and one whose worker ended meanwhile.
    begin(layout, new TextEncoder().encode("{}"))(null);
    begin(layout, new TextEncoder().encode(text))("another");
    await open();
    expect(sent("file").length).toBe(4);
    expect(sent("close").length).toBe(2);
    begin(layout, new TextEncoder().encode(text))(text);
    layout.cancel();
    heard.length = 0;
    await open();
    expect([heard.at(-1), asked]).toEqual([readTrace(text), []]);
  });

  it("is the server's to judge where the page does not take it, or cannot", async () => {
    const { send, asked, lights } = bench();
    const broken = { opens: '{"schema": 1, "programs": [' };
    const files = { opens: '{"files":[]}' };
    const good = { opens: JSON.stringify(fixture("06_branches")) };
    const told = { opens: null };
    for (const wanted of [broken, files, told]) await send(wanted, () => undefined, signal());
    lights.layout.value = null;
    await send(good, () => undefined, signal());
    expect(asked).toEqual([broken, files, told, good]);
  });

  it("is read again where the worker ended meanwhile, and not at all where nobody waits", async () => {
    const { send, layout, asked } = bench();
    const heard: Trace[] = [];
    const done = send({ opens: JSON.stringify(fixture("06_branches")) }, (each) => void heard.push(each), signal());
    await import("../../../src/page/files/here.ts");
    layout.cancel();
    await done;
    expect([heard.length > 0, asked]).toEqual([true, []]);
    const gone = new AbortController();
    const stopped = send({ opens: JSON.stringify(fixture("06_branches")) }, () => expect.unreachable(), gone.signal);
    gone.abort();
    await expect(stopped).rejects.toMatchObject({ name: "AbortError" });
    expect(asked).toEqual([]);
  });
});
