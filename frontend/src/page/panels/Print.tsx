// What goes on paper: the whole drawing, whatever part of it is in sight, or the whole text; then the code. Made when printing begins, for on
// a screen nobody sees it, and taken away afterwards. For a PDF the picture alone, on a page of its size.
import { useEffect, useRef } from "preact/hooks";
import type { Scene } from "../../drawing/scene.ts";
import { type Paper, useApp } from "../app.ts";
import { isText, levelOf } from "../state/update.ts";

/** Larger pictures would take minutes to print and could not be read. */
const MOST_ITEMS = 6_000;

export function Print() {
  const { store, commands } = useApp();
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Printing does not wait for a script to load.
    const { title } = document;
    const ready = import("../printing.ts");
    let draw: Awaited<typeof ready>["picture"] | null = null;
    void ready.then((module) => {
      draw = module.picture;
    });
    const abort = new AbortController();
    const options = { signal: abort.signal };
    let alone: (Paper & { readonly rules: CSSStyleSheet }) | null = null;
    addEventListener("beforeprint", () => host.current?.replaceChildren(...(alone === null ? content() : [alone.picture])), options);
    addEventListener(
      "afterprint",
      () => {
        host.current?.replaceChildren();
        leave();
      },
      options,
    );
    commands.register({ paper });

    function paper(sheet: Paper): void {
      leave();
      const { width, height } = sheet;
      const rules = new CSSStyleSheet();
      alone = { ...sheet, rules };
      // A point more than the picture: what is rounded must not begin a second page.
      rules.replaceSync(`@page { size: ${Math.ceil(width) + 1}px ${Math.ceil(height) + 1}px; margin: 0 }
        .print svg { width: ${width}px !important; max-width: none !important; max-height: none !important; margin: 0 !important }`);
      // Beside the sheet of the drawing's colours, which stands there, too.
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, rules];
      // What browsers propose as the name of the file.
      document.title = sheet.title;
      window.print();
    }

    function leave(): void {
      if (alone === null) return;
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== alone?.rules);
      alone = null;
      document.title = title;
    }

    function content(): Element[] {
      const program = store.program.peek();
      const { view, source } = store.state.peek();
      const found: Element[] = [];
      if (program !== null) {
        found.push(element("h1", program.name));
        const level = levelOf(view);
        const scene = isText(view) ? null : commands.scene();
        const text = program.texts[level]?.text ?? program.modules[level]?.text ?? "";
        if (isText(view)) found.push(element("pre", text));
        else if (scene !== null && draw !== null && itemsOf(scene) <= MOST_ITEMS) found.push(draw(scene, program.name));
        else found.push(element("p", "The drawing is too large for paper. Close some bodies, and print again."));
      }
      return [...found, element("h2", "Code"), element("pre", source)];
    }
    return () => abort.abort();
  }, []);
  return <div class="print" ref={host} />;
}

function element(tag: string, text: string): Element {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

function itemsOf(scene: Scene): number {
  return scene.nodes.length + scene.frames.length + scene.wires.length + scene.chips.length;
}
