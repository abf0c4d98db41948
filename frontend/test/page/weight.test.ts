// What the built page weighs, gzipped. Skipped where the page has not been built; `make test` builds it first.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../visualizer/web/static/", import.meta.url));
const text = (name: string): string => readFileSync(`${root}assets/${name}`, "utf8");
const kilobytes = (name: string): number => gzipSync(readFileSync(root + name)).length / 1000;

/** These scripts and all that comes with them. */
function withImports(names: readonly string[]): Set<string> {
  const found = new Set(names);
  for (const name of found) for (const [, other] of text(name).matchAll(/\bfrom\s*["'`]\.\/([^"'`]+)["'`]/g)) found.add(other!);
  return found;
}

function weighed(names: readonly string[], there: ReadonlySet<string> = new Set()): number {
  return [...withImports(names)].filter((name) => !there.has(name)).reduce((sum, name) => sum + kilobytes(`assets/${name}`), 0);
}

describe.skipIf(!existsSync(`${root}index.html`))("the built page", () => {
  const html = existsSync(`${root}index.html`) ? readFileSync(`${root}index.html`, "utf8") : "";
  const named = (pattern: RegExp): string[] => [...html.matchAll(pattern)].map((match) => match[1]?.replace("./", "") ?? "");
  const scripts = [...named(/<script[^>]* src="([^"]+)"/g), ...named(/<link rel="modulepreload"[^>]* href="([^"]+)"/g)];

  it("has a first script under 60 kB and styles under 15 kB", () => {
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.reduce((sum, name) => sum + kilobytes(name), 0)).toBeLessThan(60);
    expect(named(/<link rel="stylesheet"[^>]* href="([^"]+)"/g).reduce((sum, name) => sum + kilobytes(name), 0)).toBeLessThan(15);
  });

  it("loads the editor later and lays out in a worker", () => {
    const assets = readdirSync(`${root}assets`);
    const editor = assets.filter((name) => /^code-.*\.js$/.test(name));
    const worker = assets.filter((name) => /^layout\.worker-.*\.js$/.test(name));
    expect([editor.length, worker.length]).toEqual([1, 1]);
    expect(html).not.toContain(editor[0]);
    expect(kilobytes(`assets/${editor[0]}`)).toBeLessThan(170);
    // It holds the drawing of jaxprs, downwards and to the right, with what they cost.
    expect(weighed(worker)).toBeLessThan(60);
  });

  it("draws modules with a script that the worker loads for the first of them", () => {
    const assets = readdirSync(`${root}assets`);
    const [worker, later] = [/^layout\.worker-.*\.js$/, /^draw-.*\.js$/].map((pattern) => assets.filter((name) => pattern.test(name)));
    expect(later).toHaveLength(1);
    expect(text(worker![0]!)).toContain(`import(\`./${later![0]}\`)`);
    expect(withImports(worker!)).not.toContain(later![0]);
    expect(weighed(later!, withImports(worker!))).toBeLessThan(18);
  });

  it("has no inline script or style, and nothing from another host", () => {
    expect(html).not.toMatch(/<script(?![^>]* src=)/);
    expect(html).not.toMatch(/<style|\son\w+=|style="/);
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(html).toContain('content="__CSP_NONCE__"');
  });
});
