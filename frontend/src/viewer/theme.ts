// The drawing's colours as one style sheet for the page, light and dark at once: every `jv-` class takes its pair from the drawing's own table.
import { strong } from "../drawing/contrast.ts";
import { overlayPaints, type Paint, paints } from "../drawing/svg/paint.ts";
import { DARK, LIGHT, type Palette } from "../drawing/theme.ts";

/** Where a person or the system asks for more contrast: `data-contrast="more"` on the root. */
const MORE = ':root[data-contrast="more"]';

/** Rules by `light-dark()`, so that they follow the `color-scheme` of whatever they stand in. */
export function themeSheet(): string {
  const [light, dark] = [strong(LIGHT), strong(DARK)];
  return [...rules("", LIGHT, DARK), ...rules(`${MORE} `, light, dark), `${MORE}{${roles(light, dark)}}`, forced()].join("\n");
}

function rules(under: string, light: Palette, dark: Palette): string[] {
  const table = paintsOf(dark);
  return Object.entries(paintsOf(light)).map(([name, paint]) => {
    const parts = (["fill", "stroke"] as const).flatMap((property) => {
      const value = paint[property];
      return value === undefined ? [] : [`${property}:light-dark(${value},${table[name]?.[property] ?? value})`];
    });
    return `${under}:is(.viewer,.legend) .jv-${name}{${parts.join(";")}}`;
  });
}

function paintsOf(palette: Palette): Record<string, Paint> {
  return { ...paints(palette), ...overlayPaints(palette) };
}

/** The page's own names of the role colours follow. */
function roles(light: Palette, dark: Palette): string {
  const pairs = Object.entries(light.role).map(([name, color]) => [name, color, dark.role[name as keyof Palette["role"]]] as const);
  return [...pairs, ["literal", light.literal, dark.literal] as const]
    .map(([name, a, b]) => `--role-${name}:light-dark(${a},${b})`)
    .join(";");
}

/** Under a palette of the system's own two colours remain: dashes, ends and words have to do. SVG shapes are not recoloured by themselves. */
function forced(): string {
  const written = /^(ink|muted|faint|fold|peak|text-|end-|dot-)/;
  const cut = /^(halo|inner)/;
  const all = Object.entries(paintsOf(LIGHT)).map(([name, { fill, stroke }]) => {
    const parts = [
      fill === undefined ? "" : `fill:${written.test(name) ? "CanvasText" : "Canvas"}`,
      stroke === undefined ? "" : `stroke:${cut.test(name) ? "Canvas" : "CanvasText"}`,
    ];
    return `:root[data-contrast] :is(.viewer,.legend) .jv-${name}{${parts.filter(Boolean).join(";")}}`;
  });
  return `@media (forced-colors:active){${all.join("")}}`;
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
