import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { htmlText, markdownAddress, markdownText, oneLine, restAddress, restOption } from "../../../src/page/program/share/escape.ts";
import { fileName, iframe, markdown, pictureOf, rest } from "../../../src/page/program/share/markup.ts";

/** Text of any kind, and text that is made of what means something somewhere. */
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        "](",
        "[x",
        "`",
        "``",
        "*",
        "_",
        "__",
        "<b>",
        "</iframe>",
        "&lt;",
        "\\",
        "|",
        "::",
        "..",
        "\n\n",
        "\r",
        "$$",
        '"',
        "'",
        "![",
        ")",
        " ",
        "a",
      ),
      { maxLength: 24 },
    )
    .map((parts) => parts.join("")),
);

describe("a stranger's text in Markdown", () => {
  it("has every letter that means something escaped, and says the same", () => {
    fc.assert(
      fc.property(text, (any) => {
        const made = markdownText(any);
        expect(made).toMatch(/^(?:[^\\`*_{}[\]<>&!|~$^=:@#"\n\r]|\\[\\`*_{}[\]<>&!|~$^=:@#"])*$/u);
        expect(made.replace(/\\([\\`*_{}[\]<>&!|~$^=:@#"])/g, "$1")).toBe(oneLine(any));
      }),
    );
  });

  it("never leaves its line or its image", () => {
    fc.assert(
      fc.property(text, text, (title, alt) => {
        const made = markdown({ title, alt, image: "a.svg", link: "https://h/#v1:x_", width: null });
        expect(made).toBe(`[![${markdownText(alt)}](a.svg)](https://h/#v1:x_)\n`);
        expect(made.trimEnd()).not.toMatch(/[\n\r]/);
      }),
    );
  });

  it("has addresses without what would end them", () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(markdownAddress(`https://h/${any}`)).not.toMatch(/[\s()<>\\[\]]/u);
      }),
    );
    expect(markdownAddress("https://h/a(b) c")).toBe("https://h/a%28b%29%20c");
  });
});

describe("a stranger's text in reST", () => {
  it("is one line of one option", () => {
    fc.assert(
      fc.property(text, text, (title, alt) => {
        const made = rest({ title, alt, image: "a.svg", link: "https://h/s/x", width: 640 });
        const lines = made.split("\n");
        expect(lines[0]).toBe(".. image:: a.svg");
        expect(lines.slice(1, -1).every((line) => /^ {3}:(?:alt|target|width): \S/.test(line))).toBe(true);
        expect(restOption(alt)).toBe(oneLine(alt));
      }),
    );
  });

  it("has no address that is taken for a reference", () => {
    expect(restAddress("https://h/#v1:abc_")).toBe("https://h/#v1:abc%5F");
    fc.assert(
      fc.property(text, (any) => {
        expect(restAddress(any)).not.toMatch(/\s|_$/u);
      }),
    );
  });
});

describe("a stranger's text in HTML", () => {
  it("stays in its attribute", () => {
    fc.assert(
      fc.property(text, (title) => {
        const made = iframe("https://h/embed/x", { title, theme: "dark", width: null });
        expect(made.match(/</g)).toHaveLength(2);
        expect(made.match(/"/g)).toHaveLength(12);
        expect(/ title="([^"]*)"/.exec(made)?.[1]).toBe(htmlText(oneLine(title)));
      }),
    );
  });

  it("is escaped as Python's html.escape does", () => {
    expect(htmlText(`<a href="x">'&'</a>`)).toBe("&lt;a href=&quot;x&quot;&gt;&#x27;&amp;&#x27;&lt;/a&gt;");
  });
});

describe("what is pasted", () => {
  it("leads from the picture to the program", () => {
    const shown = { title: "loss", alt: "loss: a graph", image: "loss.svg", link: "https://h/s/x", width: null };
    expect(markdown(shown)).toBe("[![loss\\: a graph](loss.svg)](https://h/s/x)\n");
    expect(markdown({ ...shown, link: null })).toBe("![loss\\: a graph](loss.svg)\n");
    expect(rest({ ...shown, width: 300.4 })).toBe(
      ".. image:: loss.svg\n   :alt: loss: a graph\n   :target: https://h/s/x\n   :width: 300px\n",
    );
    expect(iframe("https://h/embed/x", { title: "loss", theme: "auto", width: 700 })).toBe(
      '<iframe src="https://h/embed/x?theme=auto" title="loss" width="700" height="500" loading="lazy" sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"></iframe>\n',
    );
    expect(pictureOf("https://h/s/x", "light")).toBe("https://h/s/x.svg?theme=light");
  });

  it("has a file name that every system takes", () => {
    expect(fileName("jax.grad(loss)", "svg")).toBe("jax.grad_loss.svg");
    fc.assert(
      fc.property(text, (any) => {
        expect(fileName(any, "svg")).toMatch(/^[A-Za-z0-9][\w.-]{0,63}\.svg$|^\w[\w.-]*\.svg$/);
      }),
    );
    expect(fileName("../../etc", "svg")).toBe("etc.svg");
    expect(fileName("λ", "html")).toBe("program.html");
  });
});
