/** The page's colours: text and what marks things can be told from every ground that they stand on (WCAG 1.4.3, 1.4.11, and 1.4.6 where asked). */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { contrast } from "../../src/drawing/contrast.ts";

const css = readFileSync(new URL("../../src/page/tokens.css", import.meta.url), "utf8");
const blocks = css.split(':root[data-contrast="more"]');

/** Name to its light and dark colour, of the plain page or of high contrast. */
function tokens(more: boolean): Map<string, readonly [string, string]> {
  const found = new Map<string, readonly [string, string]>();
  for (const block of more ? blocks : blocks.slice(0, 1))
    for (const [, name, light, dark] of block.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g))
      found.set(name ?? "", [light ?? "", dark ?? ""]);
  return found;
}

const GROUNDS = ["surface", "surface-2", "surface-3"];
const TEXT = ["ink", "muted"];
const SOFT = [
  ["danger", "danger-soft"],
  ["ink", "danger-soft"],
  ["warning", "warning-soft"],
  ["ink", "warning-soft"],
  ["info", "info-soft"],
  ["ink", "info-soft"],
  ["accent", "accent-soft"],
  ["on-accent", "accent"],
  ["ink", "lit"],
  ["faint", "surface"],
  ["faint", "surface-2"],
  ["accent", "surface"],
  ["info", "surface"],
  ["danger", "surface"],
  ["good", "surface"],
] as const;

describe.each([
  ["the plain page", false, 4.5],
  ["high contrast", true, 7],
])("%s", (_, more, least) => {
  const all = tokens(more);
  const of = (name: string, mode: number): string => all.get(name)?.[mode] ?? "";

  it.each([0, 1])("has readable text (light 0, dark 1: %d)", (mode) => {
    const pairs = [...TEXT.flatMap((text) => GROUNDS.map((ground) => [text, ground] as const)), ...(more ? [] : SOFT)];
    const weak = pairs.filter(([text, ground]) => contrast(of(text, mode), of(ground, mode)) < least);
    expect(weak).toEqual([]);
  });

  it.each([0, 1])("has fields and a focus that can be seen (light 0, dark 1: %d)", (mode) => {
    const marks = [more ? "line-strong" : "field", "focus"];
    const weak = marks.flatMap((mark) => GROUNDS.slice(0, 2).filter((ground) => contrast(of(mark, mode), of(ground, mode)) < 3));
    expect(weak).toEqual([]);
  });
});
