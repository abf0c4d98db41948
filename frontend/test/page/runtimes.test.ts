import { describe, expect, it } from "vitest";
import { runtimes } from "../../src/page/api/client.ts";
import { choicesOf } from "../../src/page/state/runtimes.ts";

describe("the versions of JAX", () => {
  it("are no choice where there is one", () => {
    expect(choicesOf([], null)).toEqual([]);
    expect(choicesOf(["0.10.2"], null)).toEqual([]);
    expect(choicesOf(["0.10.2"], "0.10.2")).toEqual([]);
  });

  it("are told apart by the one that is chosen, the server's own first", () => {
    const titles = (jax: string | null) => choicesOf(["0.10.2", "0.4.38", "0.6.0"], jax).map(({ title, chosen }) => [title, chosen]);
    const none = [
      ["JAX 0.10.2", true],
      ["JAX 0.4.38", false],
      ["JAX 0.6.0", false],
    ];
    expect(titles(null)).toEqual(none);
    expect(titles("0.10.2")).toEqual(none);
    expect(titles("0.6.0")).toEqual([
      ["JAX 0.10.2", false],
      ["JAX 0.4.38", false],
      ["JAX 0.6.0", true],
    ]);
  });

  it("show one that a link asks for and that is not here, with what adds it, and the way back", () => {
    expect(choicesOf(["0.10.2"], "0.6.0")).toEqual([
      { jax: null, title: "JAX 0.10.2", about: "The server's own", chosen: false },
      { jax: "0.6.0", title: "JAX 0.6.0", about: "Not here: `jaxpr-visualizer jax add 0.6.0`", chosen: true },
    ]);
  });

  it("are read from the server, whatever it says", async () => {
    const says = (body: unknown, status = 200) => runtimes(async () => new Response(JSON.stringify(body), { status }));
    expect(await says({ runtimes: [{ jax: "0.10.2", default: true }, { jax: "0.6.0" }] })).toEqual(["0.10.2", "0.6.0"]);
    for (const odd of [null, [], {}, { runtimes: null }, { runtimes: [null, 1, {}, { jax: 6 }] }]) expect(await says(odd)).toEqual([]);
    expect(await says({}, 404)).toEqual([]);
  });
});
