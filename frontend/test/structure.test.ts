// The shape of the front end, as ARCHITECTURE.md promises it: dependencies point one way, text stays text, the drawing knows no page.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const SRC = join(import.meta.dirname, "..", "src");
const LAYERS = ["model", "drawing", "viewer", "embed", "page"];

function sources(): { name: string; text: string }[] {
  return readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({ name, text: readFileSync(join(SRC, name), "utf8") }));
}

function layerOf(name: string): number {
  const layer = LAYERS.indexOf(name.split("/")[0] ?? "");
  expect(layer, name).toBeGreaterThanOrEqual(0);
  return layer;
}

test("every source file has a layer, and imports from its own or a lower one", () => {
  const upward: string[] = [];
  for (const { name, text } of sources()) {
    for (const [, target] of text.matchAll(/(?:from|import|new URL\()\s*["'](\.[^"'?]+)/g)) {
      const path = relative(SRC, join(SRC, dirname(name), target ?? ""));
      if (path.startsWith("..")) continue; // the examples, which are text
      if (layerOf(path) > layerOf(name)) upward.push(`${name} -> ${path}`);
    }
  }
  expect(sources().length).toBeGreaterThan(50);
  expect(upward).toEqual([]);
});

test("the drawing knows neither a document nor a library", () => {
  const found = sources()
    .filter(({ name }) => name.startsWith("drawing/"))
    .filter(({ text }) => /\b(document|window|self|navigator)\.|from "(?!\.)/.test(text));
  expect(found.map(({ name }) => name)).toEqual([]);
});

test("a stranger's text never becomes markup or code", () => {
  const forbidden =
    /\b(innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|srcdoc)\b|document\.write|\beval\(|new Function\(|DOMParser|createContextualFragment/;
  expect(
    sources()
      .filter(({ text }) => forbidden.test(text))
      .map(({ name }) => name),
  ).toEqual([]);
});
