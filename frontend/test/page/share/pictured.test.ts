import { describe, expect, it } from "vitest";
import { type Pictured, pictureOf } from "../../../src/page/api/pictures.ts";
import { pictured } from "../../../src/page/state/pictured.ts";
import { fresh } from "../../../src/page/state/saved.ts";
import type { State } from "../../../src/page/state/types.ts";
import { type Action, initial, update } from "../../../src/page/state/update.ts";
import { trace, trainingScan } from "../programs.ts";

const shown = (...more: Action[]): State =>
  [
    { type: "run", id: 1 } as Action,
    { type: "answer", id: 1, answer: { trace: trace([trainingScan()]), source: "traced", asked: null, wishes: [] } } as Action,
    ...more,
  ].reduce(update, initial(fresh("traced"), { restoring: null, arrival: null }));
const turned: Action = { type: "direction", direction: "LR" };

describe("what the server is to draw", () => {
  it("is of the code that the graph is of, whatever was typed since", () => {
    const state = { ...shown(), source: "typed since" };
    expect(pictured(state)[0].source).toBe("traced");
    expect(pictured({ ...state, shown: null })[0].source).toBe("typed since");
  });

  it("is as on screen, without what is selected, or as first drawn", () => {
    const state = shown(turned, { type: "select", target: { kind: "eqn", path: "e0" } } as Action);
    const key = `jaxpr:${state.program}`;
    const there = { ...state, open: { [key]: new Set(["e0"]) }, alone: { [key]: "e0" } };
    const program = { id: "p0", name: "jax.grad(loss)", made: "" };
    expect(pictured(there)[1]).toMatchObject({ view: "jaxpr", open: ["e0"], alone: "e0", direction: "LR", selection: null });
    const first = pictured({ ...there, sharing: { ...there.sharing, shown: "fresh" } })[1];
    expect(first).toEqual({
      program: { ...program, name: state.shown?.trace.programs[0]?.name },
      view: "jaxpr",
      open: null,
      alone: null,
      selection: null,
    });
  });

  it("is the graph of the level whose text is shown", () => {
    expect(pictured({ ...shown(), view: "beside-text" })[1].view).toBe("jaxpr");
    expect(pictured({ ...shown(), view: "stablehlo-text" })[1].view).toBe("stablehlo");
  });
});

describe("a picture of the server", () => {
  const wanted: Pictured = { state: "v1:xyz", format: "pdf", theme: "dark", title: "f", overlay: null };

  it("is asked for with the choices that were made", async () => {
    const sent: unknown[] = [];
    const fetcher: typeof fetch = async (path, how) => {
      sent.push(path, how?.method, JSON.parse(String(how?.body)));
      return new Response("%PDF");
    };
    expect(await (await pictureOf(wanted, fetcher)).text()).toBe("%PDF");
    expect(sent).toEqual(["api/v1/pictures", "POST", wanted]);
  });

  it("is refused in the server's words, or the page's", async () => {
    const error = { code: "extra-missing", message: "This server makes no PDF.", advice: "Take the SVG." };
    const refusing: typeof fetch = async () => new Response(JSON.stringify({ error }), { status: 501 });
    await expect(pictureOf(wanted, refusing)).rejects.toMatchObject({ failure: error });
    await expect(pictureOf(wanted, () => Promise.reject(new TypeError("network")))).rejects.toMatchObject({
      failure: { code: "unreachable" },
    });
  });
});
