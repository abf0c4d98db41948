import { expect, test } from "vitest";
import { unpacked } from "../../../src/embed/data.ts";
import { shownOf, standalone } from "../../../src/page/files/standalone.ts";
import { trainingScan } from "../programs.ts";

const AS_FITS = { by: "auto", depth: null } as const;

test("every mark of the page is filled once, whatever stands in what fills it", async () => {
  const page = "<html data-theme={{theme}}><title>{{title}}</title><style>/*{{style}}*/</style>{{outline}}|{{data}}|{{csp}}";
  const parts = { style: "a{}/*{{title}}*/", csp: "default-src {{theme}}" };
  const data = {
    program: shownOf(trainingScan()),
    title: "</title><b>$& {{data}}",
    level: "jaxpr",
    open: ["e0"],
    levels: AS_FITS,
    overlay: null,
    framed: null,
  } as const;
  const made = await standalone({ page, parts }, data, { theme: "dark", outline: "a < b $1 {{csp}}" });
  const packed = /\|(.*)\|/.exec(made)?.[1] ?? "";
  expect(made.replace(packed, "DATA")).toBe(
    "<html data-theme=dark><title>&lt;/title&gt;&lt;b&gt;$&amp; {{data}}</title><style>a{}/*{{title}}*/</style>a &lt; b $1 {{csp}}|DATA|default-src {{theme}}",
  );
  expect(await unpacked(packed)).toEqual(JSON.parse(JSON.stringify(data)));
});

test("it holds nothing that it does not show", () => {
  const program = shownOf({ ...trainingScan(), texts: { jaxpr: { text: "secret", spans: {}, packed: null } } });
  expect(program).toMatchObject({ span: null, links: {}, written: [], texts: {}, made_from: null });
  expect(JSON.stringify(program)).not.toContain("secret");
});
