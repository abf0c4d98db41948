import { describe, expect, it } from "vitest";
import type { LevelMessage, Trace } from "../../src/model/types.ts";
import { ServerError, trace as send } from "../../src/page/api/client.ts";
import { lines } from "../../src/page/api/lines.ts";
import { applyMessage } from "../../src/page/api/merge.ts";
import type { TraceBody } from "../../src/page/state/request.ts";
import { module, op, trace, trainingScan } from "./programs.ts";

const first: LevelMessage = { level: "jaxpr", trace: trace([trainingScan()], { timings: { jaxpr: 3 } }), patch: null, part: null };
const second: LevelMessage = {
  level: "stablehlo",
  trace: null,
  patch: {
    programs: {
      p0: { texts: {}, modules: { stablehlo: module([op("o1", "stablehlo.while")]) }, links: { stablehlo: { e0: ["o1"] } }, left_out: [] },
    },
    diagnostics: [],
    notes: ["lowered"],
    timings: { stablehlo: 5 },
  },
  part: null,
};

function stream(...chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

const order: TraceBody = { source: "x", levels: ["jaxpr", "stablehlo"], static_numbers: false };
const answering =
  (body: string, status = 200): typeof fetch =>
  async () =>
    new Response(body, { status });

describe("lines", () => {
  it("survive any chunking, also in the middle of a character", async () => {
    const bytes = new TextEncoder().encode('{"a":"é"}\n\n{"b":2}');
    for (let cut = 0; cut <= bytes.length; cut++) {
      const found: string[] = [];
      for await (const line of lines(stream(bytes.slice(0, cut), bytes.slice(cut)))) found.push(line);
      expect(found).toEqual(['{"a":"é"}', '{"b":2}']);
    }
  });
});

describe("merging", () => {
  it("lays a later level over the trace and leaves the first alone", () => {
    const before = applyMessage(null, first);
    const after = applyMessage(before, second);
    expect(after?.programs[0]?.links).toEqual({ stablehlo: { e0: ["o1"] } });
    expect(after?.programs[0]?.jaxprs).toBe(before?.programs[0]?.jaxprs);
    expect(after?.timings).toEqual({ jaxpr: 3, stablehlo: 5 });
    expect(after?.notes).toEqual(["lowered"]);
    expect(before?.notes).toEqual([]);
    expect(before?.programs[0]?.links).toEqual({});
  });

  it("drops a patch that has nothing to lie on", () => {
    expect(applyMessage(null, second)).toBeNull();
  });
});

describe("sending", () => {
  it("posts the body as it is", async () => {
    const sent: unknown[] = [];
    const fetcher: typeof fetch = async (_, init) => {
      sent.push(JSON.parse(String(init?.body)));
      return new Response(`${JSON.stringify(first)}\n`);
    };
    await send(order, () => undefined, new AbortController().signal, fetcher);
    expect(sent).toEqual([order]);
  });

  it("tells of every level as it comes", async () => {
    const seen: Trace[] = [];
    const body = `${JSON.stringify(first)}\n${JSON.stringify(second)}\n`;
    await send(order, (t) => seen.push(t), new AbortController().signal, answering(body));
    expect(seen.map((t) => t.timings)).toEqual([{ jaxpr: 3 }, { jaxpr: 3, stablehlo: 5 }]);
  });

  const failing = async (fetcher: typeof fetch): Promise<string> => {
    try {
      await send(order, () => undefined, new AbortController().signal, fetcher);
    } catch (error) {
      if (error instanceof ServerError) return error.failure.code;
      throw error;
    }
    return "none";
  };

  it("turns whatever goes wrong into a failure a person can read", async () => {
    const refused = '{"error": {"code": "busy", "message": "Too much to do.", "advice": "Wait."}}';
    expect(await failing(answering(refused, 503))).toBe("busy");
    expect(await failing(answering("<html>Bad gateway</html>", 502))).toBe("502");
    expect(await failing(answering('{"level": "jaxpr", "tra'))).toBe("broken-off");
    expect(await failing(answering(""))).toBe("broken-off");
    expect(await failing(answering(`${refused}\n`))).toBe("busy");
    expect(await failing(() => Promise.reject(new TypeError("network")))).toBe("unreachable");
  });
});
