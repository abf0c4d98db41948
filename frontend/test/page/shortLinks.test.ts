import { describe, expect, it } from "vitest";
import { at } from "../../src/page/api/address.ts";
import { linksKept, shorten, unshorten } from "../../src/page/api/shortLinks.ts";

interface Asked {
  readonly path: string;
  readonly how: RequestInit | undefined;
}

function server(status: number, body: unknown): { asked: Asked[]; fetcher: typeof fetch } {
  const asked: Asked[] = [];
  return {
    asked,
    fetcher: async (path, how) => {
      asked.push({ path: String(path), how });
      return new Response(status === 204 ? null : JSON.stringify(body), { status });
    },
  };
}
const failing: typeof fetch = () => Promise.reject(new TypeError("network"));
const MADE = { id: "abc", url: "https://h/s/abc", embed: "https://h/embed/abc", delete_token: "t", picture: true, note: "" };

describe("a short link", () => {
  it("is made of what a link says, and of nothing else", async () => {
    const { asked, fetcher } = server(201, MADE);
    expect(await shorten("v1:xyz", fetcher)).toEqual({ id: "abc", url: MADE.url, embed: MADE.embed, token: "t", note: "" });
    expect(asked.map(({ path, how }) => [path, how?.method, how?.body])).toEqual([["api/v1/links", "POST", '{"state":"v1:xyz"}']]);
  });

  it("is given up with its token; one that is gone is given up", async () => {
    const { asked, fetcher } = server(204, null);
    await unshorten("a/b", "t", fetcher);
    expect(asked[0]?.path).toBe("api/v1/links/a%2Fb");
    expect(new Headers(asked[0]?.how?.headers).get("Authorization")).toBe("Bearer t");
    for (const status of [403, 404, 410]) await unshorten("x", "t", server(status, {}).fetcher);
    await expect(unshorten("x", "t", server(503, {}).fetcher)).rejects.toThrow("503");
  });

  it("says what is wrong, in the server's words or the page's", async () => {
    const error = { error: { code: "full", message: "The store is full.", advice: "Wait." } };
    await expect(shorten("v1:", server(507, error).fetcher)).rejects.toMatchObject({ failure: error.error });
    for (const status of [404, 405, 501])
      await expect(shorten("v1:", server(status, {}).fetcher)).rejects.toMatchObject({
        failure: { message: "This server keeps no short links." },
      });
    await expect(shorten("v1:", server(201, { id: 3 }).fetcher)).rejects.toThrow("understands");
    await expect(shorten("v1:", failing)).rejects.toMatchObject({ failure: { code: "unreachable" } });
  });

  it("is offered where the server says that it keeps them", async () => {
    expect(await linksKept(server(200, { links: true }).fetcher)).toBe(true);
    expect(await linksKept(server(200, { links: false }).fetcher)).toBe(false);
    expect(await linksKept(server(404, {}).fetcher)).toBe(false);
  });
});

it("knows where the interface is from a page of its own", () => {
  expect(at("api/v1/links")).toBe("api/v1/links");
});
