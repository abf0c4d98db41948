// The drawing's colours as one style sheet for the page, light and dark at once: every `jv-` class takes its pair from the drawing's own table.
import { overlayPaints, paints } from "../drawing/svg/paint.ts";
import { DARK, LIGHT } from "../drawing/theme.ts";

/** Rules by `light-dark()`, so that they follow the `color-scheme` of whatever they stand in. */
export function themeSheet(): string {
  const light = { ...paints(LIGHT), ...overlayPaints(LIGHT) };
  const dark = { ...paints(DARK), ...overlayPaints(DARK) };
  return Object.entries(light)
    .map(([name, paint]) => {
      const parts = (["fill", "stroke"] as const).flatMap((property) => {
        const value = paint[property];
        return value === undefined ? [] : [`${property}:light-dark(${value},${dark[name]?.[property] ?? value})`];
      });
      return `:is(.viewer,.legend) .jv-${name}{${parts.join(";")}}`;
    })
    .join("\n");
}

let installed = false;

/** Adds the sheet to the document, once. */
export function installTheme(document: Document = globalThis.document): void {
  if (installed) return;
  installed = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(themeSheet());
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
