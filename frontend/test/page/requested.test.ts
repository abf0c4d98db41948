// What the page asks for when it opens a link. The server asks for the same when the link is made, so that it traces once: the file is
// read by tests/links/test_wanted.py too.
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fromV1 } from "../../src/page/state/links/read.ts";
import { requestOf } from "../../src/page/state/request.ts";

const FILE = new URL("../links/requests.json", import.meta.url);
const cases = JSON.parse(readFileSync(FILE, "utf8")) as { state: unknown; request: unknown }[];

function asked(state: unknown): unknown {
  const linked = fromV1(state);
  return linked === null ? null : requestOf(linked);
}

if (process.env.UPDATE_REQUESTS) {
  writeFileSync(
    FILE,
    `${JSON.stringify(
      cases.map(({ state }) => ({ state, request: asked(state) })),
      null,
      2,
    )}\n`,
  );
}

describe("a link's request", () => {
  it.each(cases)("is what the server asks for, too: $state", ({ state, request }) => {
    expect(asked(state)).toEqual(request);
  });
});
