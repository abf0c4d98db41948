import { describe, expect, it } from "vitest";
import { drawProgram, foldable, initialOpen, type SvgNode, sceneToSvg, svgToString } from "../../src/drawing/index.ts";
import { example } from "./fixtures.ts";

const program = example("01_grad_of_scan");
const scene = drawProgram(program, { open: initialOpen(program) });

function walk(node: SvgNode): SvgNode[] {
  return [node, ...node.children.flatMap((child) => (typeof child === "string" ? [] : walk(child)))];
}

describe("a static picture", () => {
  const text = svgToString(sceneToSvg(scene, { theme: "light", title: "grad(loss)" }));

  it("stands alone: no ids, scripts, references or foreign objects", () => {
    for (const forbidden of [" id=", "<script", "href", "url(", "foreignObject", "data-", "tabindex", "<style"])
      expect(text).not.toContain(forbidden);
  });

  it("has alt text", () => {
    expect(text).toContain('role="img"');
    expect(text).toContain("<title>grad(loss)</title>");
    expect(text).toMatch(/<desc>Inputs gain, h0, xs\./);
  });

  it("explains the roles that occur", () => {
    expect(text).toContain("carry: handed to the next step");
    expect(text).toContain("residual: saved for the backward pass");
    expect(svgToString(sceneToSvg(scene, { theme: "light", legend: false }))).not.toContain("handed to the next step");
  });

  it("explains names and letters where both occur", () => {
    for (const words of ["a name in your code", "a letter of JAX's"]) expect(text).toContain(words.replace("'", "&#39;"));
    const named = structuredClone(program);
    for (const jaxpr of Object.values(named.jaxprs)) for (const variable of Object.values(jaxpr.vars)) variable.label ??= "theirs";
    const other = svgToString(sceneToSvg(drawProgram(named, { open: new Set() }), { theme: "light" }));
    expect(other).not.toContain("a name in your code");
  });

  it("takes what says when a branch runs for nobody's name", () => {
    const bare = structuredClone(example("06_branches"));
    for (const jaxpr of Object.values(bare.jaxprs)) for (const variable of Object.values(jaxpr.vars)) variable.label = null;
    const branches = drawProgram(bare, { open: new Set(foldable(bare)) });
    expect(branches.labels.some(({ full }) => full === "true" || full === "= 0")).toBe(true);
    expect(svgToString(sceneToSvg(branches, { theme: "light" }))).not.toContain("a name in your code");
  });

  it("follows the system with theme auto, by classes", () => {
    const auto = svgToString(sceneToSvg(scene, { theme: "auto" }));
    expect(auto).toContain("@media (prefers-color-scheme:dark){");
    const classes = new Set([...auto.matchAll(/class="jv-([\w-]+)"/g)].map((match) => match[1]));
    for (const name of classes) expect(auto).toContain(`.jv-${name}{`);
  });
});

describe("an interactive picture", () => {
  const nodes = walk(sceneToSvg(scene, { theme: "dark", interactive: true }));

  it("names every equation, value and toggle", () => {
    const keys = nodes.map((node) => node.attrs["data-key"]).filter(Boolean);
    for (const wire of scene.wires) expect(keys).toContain(wire.key);
    const toggles = nodes.filter((node) => node.attrs["data-toggle"]);
    expect(toggles.map((node) => node.attrs["data-toggle"])).toEqual(["e0", "e6"]);
    for (const toggle of toggles) {
      expect(toggle.attrs).toMatchObject({ role: "button", tabindex: "0", "aria-expanded": "true" });
      expect(toggle.attrs["aria-label"]).toMatch(/^scan \u00d78( reverse)?, close$/);
    }
  });

  it("lets the plate of a loop light and dim with its wire", () => {
    const loop = scene.wires.find((wire) => wire.kind === "loop" && wire.to.startsWith("e0|"))!;
    const items = nodes.filter((node) => node.attrs["data-key"] === loop.key);
    expect(items.map((node) => node.attrs["data-value"])).toEqual([loop.value, loop.value]);
    expect(walk(items[1]!).flatMap((node) => node.children)).toContain("next step");
  });

  it("offers closed bodies to be opened", () => {
    const closed = walk(sceneToSvg(drawProgram(program, { open: new Set() }), { theme: "light", interactive: true }));
    const toggles = closed.filter((node) => node.attrs["data-toggle"]);
    expect(toggles.map((node) => [node.attrs["data-toggle"], node.attrs["aria-expanded"]])).toEqual([
      ["e0", "false"],
      ["e6", "false"],
    ]);
  });
});

describe("text of strangers", () => {
  it("stays text", () => {
    const hostile = structuredClone(program);
    const entry = hostile.jaxprs[hostile.entry!]!;
    entry.vars[entry.invars[0]!]!.label = "</text><script>&\"'\u0000\ud800";
    const text = svgToString(sceneToSvg(drawProgram(hostile, { open: new Set() }), { theme: "light", title: "<b>" }));
    expect(text).not.toContain("<script");
    expect(text).toContain("&lt;/text&gt;&lt;script&gt;&amp;&quot;&#39;\ufffd\ufffd");
    expect(text).toContain("<title>&lt;b&gt;</title>");
  });
});
