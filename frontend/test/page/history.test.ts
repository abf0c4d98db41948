import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { when } from "../../src/page/panels/history/when.ts";
import type { Linked } from "../../src/page/state/links/format.ts";
import { fromV1 } from "../../src/page/state/links/read.ts";
import { continues, ENTRY_PREFIX, firstLine, MOST_ENTRIES, matching, readEntry } from "../../src/page/state/local/entries.ts";
import { createHistory, SITTING_MS } from "../../src/page/state/local/history.ts";
import type { Store } from "../../src/page/state/local/shelf.ts";
import { createShortLinks, readLink } from "../../src/page/state/local/shortLinks.ts";

class Memory implements Store {
  readonly map = new Map<string, string>();
  readonly room: number;
  constructor(room = Number.POSITIVE_INFINITY) {
    this.room = room;
  }
  get length(): number {
    return this.map.size;
  }
  key(at: number): string | null {
    return [...this.map.keys()][at] ?? null;
  }
  getItem(key: string): string | null {
    return this.map.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    const others = [...this.map].reduce((sum, [name, text]) => sum + (name === key ? 0 : text.length), 0);
    if (others + value.length > this.room) throw new DOMException("full", "QuotaExceededError");
    this.map.set(key, value);
  }
  removeItem(key: string): void {
    this.map.delete(key);
  }
}

const SPOT = { program: null, view: "jaxpr", open: null, alone: null, selection: null } as const;
const linked = (source: string, more: Partial<Linked> = {}): Linked => ({
  source,
  staticNumbers: false,
  asked: null,
  wishes: [],
  compile: false,
  jax: null,
  spot: SPOT,
  ...more,
});
const unlike = (number: number): string => `a${number} = ${number}\nb${number} = ${number}\n`;

describe("the history of a browser", () => {
  it("lists what was traced, newest first, and gives it back as it was", () => {
    const history = createHistory(() => store, { id: null });
    const store = new Memory();
    const whole = linked("f(1)\n", {
      staticNumbers: true,
      asked: { fun: "f", signature: { x: "f32[3]" }, args: "" },
      compile: true,
      jax: "0.9.2",
    });
    expect(history.record(whole, "f", 1000)).toBe(true);
    expect(history.record(linked("g(2)\n"), "g", 2000)).toBe(true);
    const { entries, able, on } = history.list();
    expect([able, on, entries.map(({ value }) => value.name)]).toEqual([true, true, ["g", "f"]]);
    expect(fromV1(entries[1]?.value.link)).toEqual(whole);
  });

  it("has one entry for one program that is edited, and a new one for another, after a while, and where one is pinned", () => {
    const history = createHistory(() => store, { id: null });
    const store = new Memory();
    const names = (): string[] => history.list().entries.map(({ value }) => value.link.source);
    history.record(linked("a = 1\nb = 2\nc = 3\n"), "f", 0);
    history.record(linked("a = 1\nb = 2\nc = 4\n"), "f", 1);
    expect(names()).toEqual(["a = 1\nb = 2\nc = 4\n"]);
    history.record(linked("x = 1\n"), "g", 2);
    expect(names()).toHaveLength(2);
    history.record(linked("x = 1\ny = 2\nz = 3\n"), "g", 3 + SITTING_MS);
    expect(names()).toHaveLength(3);
    history.pin(history.list().entries[0]?.id ?? "", true);
    history.record(linked("x = 1\ny = 2\nz = 4\n"), "g", 4 + SITTING_MS);
    expect(names()).toHaveLength(4);
    // Traced once more, it is not there twice.
    history.record(linked("x = 1\n"), "g", 5 + SITTING_MS);
    expect(names()).toHaveLength(4);
  });

  it("keeps what is pinned, and so many others", () => {
    const store = new Memory();
    const history = createHistory(() => store, { id: null });
    history.record(linked("pinned = 0\n"), "p", 0);
    history.pin(history.list().entries[0]?.id ?? "", true);
    for (let at = 1; at <= MOST_ENTRIES + 20; at++) history.record(linked(unlike(at)), "f", at);
    const { entries } = history.list();
    expect(entries).toHaveLength(MOST_ENTRIES + 1);
    expect(entries[0]?.value.name).toBe("p");
    expect(entries.at(-1)?.value.link.source).toBe(unlike(21));
    history.clear();
    expect(history.list().entries.map(({ value }) => value.name)).toEqual(["p"]);
  });

  it("lets the oldest go where the browser is full, and gives up where nothing is left to go", () => {
    const store = new Memory(1200);
    const history = createHistory(() => store, { id: null });
    for (let at = 1; at <= 30; at++) expect(history.record(linked(unlike(at)), "f", at)).toBe(true);
    expect(history.list().entries[0]?.value.link.source).toBe(unlike(30));
    expect(history.list().entries.length).toBeGreaterThan(3);
    const before = history.list().entries;
    expect(history.record(linked("x".repeat(5000)), "f", 99)).toBe(false);
    expect(history.list().entries).toEqual(before);
  });

  it("keeps what two tabs record at once", () => {
    const store = new Memory();
    const [one, other] = [createHistory(() => store, { id: null }), createHistory(() => store, { id: null })];
    one.record(linked("one = 1\n"), "one", 1);
    other.record(linked("other = 1\n"), "other", 2);
    one.record(linked("one = 1\nmore = 2\nand = 3\n"), "one", 3);
    expect(one.list()).toEqual(other.list());
    expect(
      one
        .list()
        .entries.map(({ value }) => value.name)
        .sort(),
    ).toContain("other");
  });

  it("does nothing, and breaks nothing, where it may keep nothing", () => {
    const history = createHistory(
      () => {
        throw new DOMException("no", "SecurityError");
      },
      { id: null },
    );
    expect(history.record(linked("a\n"), "f", 1)).toBe(false);
    history.turn(false);
    history.clear();
    expect(history.list()).toEqual({ entries: [], dropped: 0, able: false, on: false });
  });

  it("switched off keeps nothing more, and what is there stays", () => {
    const store = new Memory();
    const history = createHistory(() => store, { id: null });
    history.record(linked("a\n"), "f", 1);
    history.turn(false);
    expect(history.record(linked("b\n"), "g", 2)).toBe(false);
    expect(history.list()).toMatchObject({ on: false, entries: [{ value: { name: "f" } }] });
    history.turn(true);
    expect(history.record(linked("b\n"), "g", 3)).toBe(true);
  });

  it("drops what it cannot read, says so once, leaves what is newer and what is not its own", () => {
    const store = new Memory();
    const history = createHistory(() => store, { id: null });
    history.record(linked("good\n"), "f", 1);
    const broken = [
      "",
      "{",
      "3",
      "null",
      "[]",
      '{"version":1}',
      '{"version":1,"at":1,"link":{"source":5}}',
      '{"version":1,"at":"x","link":{"source":"a"}}',
    ];
    for (const [at, text] of broken.entries()) store.map.set(`${ENTRY_PREFIX}broken${at}`, text);
    store.map.set(`${ENTRY_PREFIX}new`, '{"version":2,"shape":"unknown"}');
    store.map.set("other", "{");
    expect(history.list()).toMatchObject({ dropped: broken.length, entries: [{ value: { name: "f" } }] });
    expect(history.list().dropped).toBe(0);
    expect([store.map.has(`${ENTRY_PREFIX}new`), store.map.has("other")]).toEqual([true, true]);
  });

  it("reads whatever anyone left in it without a stumble", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (value, link) => {
        const found = readEntry({ at: 1, ...value, link } as Record<string, unknown>);
        if (found !== null) expect(fromV1(found.link)).not.toBeNull();
        readLink(value as Record<string, unknown>);
      }),
    );
  });

  it("takes no time that no date can hold: the dialog could not say it", () => {
    const link = { url: "https://h/s/a", embed: "https://h/embed/a", token: "t", state: "v1:" };
    for (const at of [8.64e15 + 1, -1e300, Number.NaN, Number.POSITIVE_INFINITY, "1", null]) {
      expect(readEntry({ at, link: { source: "x" } })).toBeNull();
      expect(readLink({ ...link, at })).toBeNull();
    }
    for (const at of [0, -8.64e15, 8.64e15]) {
      expect(readEntry({ at, link: { source: "x" } })?.at).toBe(at);
      expect(new Date(readLink({ ...link, at })?.at ?? Number.NaN).toISOString()).not.toBe("");
    }
  });

  // What version 1 of the page left in a browser; entries are added, never changed.
  it("opens what earlier versions kept", () => {
    const kept = JSON.parse(readFileSync(new URL("../history/v1.json", import.meta.url), "utf8")) as Record<string, string>;
    const store = new Memory();
    for (const [key, text] of Object.entries(kept)) store.map.set(key, text);
    const { entries, dropped } = createHistory(() => store, { id: null }).list();
    expect(dropped).toBe(0);
    expect(entries.map(({ value }) => [value.name, value.pinned, fromV1(value.link)?.source])).toEqual([
      ["jax.grad(loss)", true, "import jax\njax.make_jaxpr(jax.grad(lambda x: x * x))(1.0)\n"],
      ["f", false, "f(1)\n"],
    ]);
    expect(createShortLinks(() => store).list()).toMatchObject([
      { id: "abc123", value: { url: "https://example.org/s/abc123", token: "secret" } },
    ]);
  });
});

describe("what is said of an entry", () => {
  it("is the first line that says something", () => {
    expect(firstLine("# a comment\nimport jax\n\n  x = jax.jit(f)(1)\n")).toBe("x = jax.jit(f)(1)");
    expect(firstLine("# only this")).toBe("# only this");
    expect(firstLine("")).toBe("");
  });

  it("is found by all words, in name and code", () => {
    const entries = ["grad(loss)", "scan"].map((name, at) => ({
      id: name,
      value: { at, name, pinned: false, link: { source: `x = ${name}(1)` } },
    }));
    expect(matching(entries, "LOSS x").map(({ id }) => id)).toEqual(["grad(loss)"]);
    expect(matching(entries, " ")).toHaveLength(2);
    expect(matching(entries, "loss scan")).toEqual([]);
  });

  it("is a time as people say it", () => {
    const now = Date.UTC(2026, 10, 30, 12);
    const ago = (minutes: number): string => when(now - minutes * 60_000, now);
    expect([ago(0), ago(5), ago(125), ago(60 * 30), ago(60 * 24 * 3), ago(60 * 24 * 30)]).toEqual([
      "just now",
      "5 min ago",
      "2 h ago",
      "yesterday",
      "3 days ago",
      "2026-10-31",
    ]);
  });

  it("goes on with a text that shares most of its lines", () => {
    expect(continues("a\nb\nc", "a\nb\nd")).toBe(true);
    expect(continues("a\nb\nc", "x\ny\nz")).toBe(false);
    expect(continues("a", "a\nb\nc\nd")).toBe(false);
    expect(continues("", "")).toBe(true);
  });
});

describe("short links that were made here", () => {
  it("are found by what they share, newest first, and forgotten", () => {
    const store = new Memory();
    const links = createShortLinks(() => store);
    const made = (state: string, at: number) => ({ url: "https://h/s/x", embed: "https://h/embed/x", token: "t", state, name: "f", at });
    expect(links.put("x", made("v1:a", 1))).toBe(true);
    links.put("y", made("v1:b", 2));
    expect(links.list().map(({ id }) => id)).toEqual(["y", "x"]);
    expect([links.of("v1:a")?.id, links.of("v1:c")]).toEqual(["x", null]);
    links.remove("x");
    expect(links.of("v1:a")).toBeNull();
  });

  it("lead to no address of another kind", () => {
    expect(readLink({ url: "javascript:alert(1)", embed: "https://h", token: "t", state: "v1:", at: 1 })).toBeNull();
  });
});
