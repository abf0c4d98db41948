import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Linked, MOST_BYTES, PREFIX } from "../../src/page/state/links/format.ts";
import { LinkError, pack, unpack } from "../../src/page/state/links/pack.ts";
import { fromV1, seenFrom } from "../../src/page/state/links/read.ts";
import { plain } from "../../src/page/state/transforms.ts";

const bare: Linked = {
  source: "import jax\n",
  staticNumbers: false,
  compile: false,
  jax: null,
  asked: null,
  wishes: [],
  spot: { program: null, view: "jaxpr", open: null, alone: null, selection: null },
};
const full: Linked = {
  source: "import jax\n# größer 🎛️\nf = jax.grad(lambda x: x**2)\n",
  staticNumbers: true,
  compile: true,
  jax: "0.6.0",
  asked: { fun: "f", signature: { x: "f32[]" }, args: "" },
  wishes: [{ base: { id: "p0", name: "f" }, steps: [{ ...plain("vmap"), in_axes: [0, null], size: 4 }] }],
  spot: {
    program: { id: "p1", name: "vmap(f)", made: "vmap(in_axes=(0, None), size=4)" },
    view: "stablehlo",
    open: ["op3", "op3/op9"],
    alone: "op3",
    selection: { kind: "op", id: "op9" },
    levels: { by: "calls", depth: "all" },
    direction: "LR",
  },
};

/** The fragment of any JSON, as an older or newer page, or an attacker, would make it. */
async function fragmentOf(value: unknown, prefix = PREFIX): Promise<string> {
  return fragmentOfText(JSON.stringify(value), prefix);
}

async function fragmentOfText(text: string, prefix = PREFIX): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate"));
  return prefix + Buffer.from(await new Response(stream).arrayBuffer()).toString("base64url");
}

describe("links", () => {
  it("bring back what was packed", async () => {
    for (const linked of [bare, full]) expect(await unpack((await pack(linked)) ?? "")).toEqual(linked);
  });

  it("bring back any code, to the letter", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 400 }), async (source) => {
        expect((await unpack((await pack({ ...bare, source })) ?? "")).source).toBe(source);
      }),
      { numRuns: 50 },
    );
  });

  it("hold letters that no program that sends addresses around breaks", async () => {
    expect((await pack(full))?.slice(1)).toMatch(/^v1:[\w-]+$/);
  });

  it("are made of code that fits, or not at all", async () => {
    let source = "";
    for (let at = 0; source.length < 400_000; at++) source += `${Math.imul(at, 2654435761) >>> 0}\n`;
    expect(await pack({ ...bare, source })).toBeNull();
    expect(await pack({ ...bare, source: "#".repeat(MOST_BYTES + 1) })).toBeNull();
  });

  it("open for ever: addresses of every version that was in use", async () => {
    const file = JSON.parse(readFileSync(new URL("../links/addresses.json", import.meta.url), "utf8")) as {
      fragment: string;
      linked: Linked;
    }[];
    expect(file.length).toBeGreaterThanOrEqual(4);
    for (const { fragment, linked } of file)
      expect(await unpack(fragment)).toEqual({ compile: false, jax: null, ...(linked as Partial<Linked>) });
  });

  it("name a version of JAX by its number, and nothing else", async () => {
    for (const jax of ["0.6.0", "0.10.2", "0.7.0rc1"]) expect((await unpack(await fragmentOf({ source: "x", jax }))).jax).toBe(jax);
    for (const jax of ["", "newest", "0.6.0; rm", "../0.6.0", "0", 6, null, ["0.6.0"]])
      expect((await unpack(await fragmentOf({ source: "x", jax }))).jax).toBeNull();
  });

  it("of a newer page open as far as this one understands them", async () => {
    const linked = await unpack(await fragmentOf({ source: "x", view: "triton", folds: 3, selection: ["row", "r1"], open: "all" }));
    expect(linked).toEqual({ ...bare, source: "x" });
  });
});

describe("a link that cannot be opened says why", () => {
  const refused = async (fragment: string): Promise<string> => {
    try {
      await unpack(fragment);
    } catch (error) {
      expect(error).toBeInstanceOf(LinkError);
      return (error as Error).message;
    }
    return "opened";
  };

  it("another version", async () => {
    expect(await refused(await fragmentOf({ source: "x" }, "#v2:"))).toContain("version 2");
    expect(await refused("#viewer")).toContain("not one of a shared program");
  });

  it("cut off anywhere, or changed", async () => {
    const whole = (await pack(full)) ?? "";
    for (let end = PREFIX.length; end < whole.length - 1; end += 7)
      expect(await refused(whole.slice(0, end))).toMatch(/cut off|changed|no code/);
    expect(await refused(`${whole}%20`)).toContain("letters");
    const at = PREFIX.length + 12;
    expect(await refused(whole.slice(0, at) + (whole[at] === "A" ? "B" : "A") + whole.slice(at + 1))).toMatch(/cut off|changed/);
  });

  it("one that unpacks to more than there is room for", async () => {
    const bomb = await fragmentOfText(" ".repeat(20_000_000));
    expect(bomb.length).toBeLessThan(40_000);
    expect(await refused(bomb)).toContain("more than any code");
    expect(await refused(PREFIX + "A".repeat(200_000))).toContain("longer than any");
  });

  it("without code, or without sense", async () => {
    expect(await refused(await fragmentOf({ view: "jaxpr" }))).toContain("no code");
    expect(await refused(await fragmentOf([1, 2]))).toContain("no code");
    expect(await refused(await fragmentOfText("{"))).toContain("no code");
  });
});

describe("what a stranger put into a link", () => {
  it("never throws, and what is not of its kind is left out", () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (a, b, c) => {
        const linked = fromV1({ source: "x", asked: a, wishes: [b, c], program: [a, b], view: c, open: [a], alone: b, selection: [a, c] });
        expect(linked?.source).toBe("x");
        expect(linked?.spot.open === null || linked?.spot.open.every((path) => typeof path === "string")).toBe(true);
        seenFrom({ program: a, open: b, selection: c, camera: a });
      }),
    );
  });

  it("has no levels but those of the chooser", () => {
    const levels = (value: unknown) => fromV1({ source: "x", levels: value })?.spot.levels;
    expect(levels(["calls", 2])).toEqual({ by: "calls", depth: 2 });
    expect(levels(["auto", "all"])).toEqual({ by: "auto", depth: "all" });
    for (const bad of [["calls"], ["hue", 1], ["calls", -1], ["calls", 1.5], ["calls", 1e9], { by: "calls", depth: 1 }, "all"])
      expect(levels(bad)).toBeUndefined();
    expect(seenFrom({ levels: { by: "none", depth: null } })?.levels).toEqual({ by: "none", depth: null });
  });

  it("has no camera but a real one", () => {
    const seen = (camera: unknown) => seenFrom({ camera })?.camera;
    expect(seen({ x: 1, y: 2, k: 0.5 })).toEqual({ x: 1, y: 2, k: 0.5 });
    for (const camera of [null, { x: 1, y: 2 }, { x: 1, y: 2, k: 0 }, { x: Number.NaN, y: 0, k: 1 }, [1, 2, 3]])
      expect(seen(camera)).toBeNull();
  });
});
