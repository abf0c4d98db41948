/**
 * Widths of text from fixed tables, so that every machine lays out the same picture whatever fonts it has.
 *
 * The sans table is the larger of Inter 600 and Arial bold for each character (measured at 1000 px), in hundredths of the
 * font size; monospaced faces (JetBrains Mono, Menlo, Liberation Mono) advance 0.60 em. Wide scripts count as 1 em.
 */
import type { TextStyle } from "./scene.ts";

const SANS_FIRST = 32;
// biome-ignore format: a table
const SANS = [
  28, 34, 53, 65, 66, 101, 73, 33, 38, 38, 54, 68, 32, 47, 32, 38, 66, 56, 63, 64, 67, 62, 64, 58, 65, 64, 34, 34, 68, 68, 68, 62,
  100, 73, 73, 74, 73, 67, 62, 78, 75, 28, 58, 73, 62, 93, 76, 78, 67, 78, 73, 67, 67, 74, 73, 103, 72, 72, 66, 38, 38, 38, 59, 56,
  36, 58, 63, 59, 63, 60, 39, 63, 62, 28, 28, 57, 28, 91, 62, 62, 63, 63, 40, 56, 36, 62, 59, 84, 57, 59, 57, 46, 36, 46, 68,
];
const SANS_OTHER = 72;
const MONO = 61;

export interface FontSpec {
  size: number;
  mono: boolean;
  weight: number;
  italic?: true;
}

/** Sizes in pixels. */
export const FONTS: Record<TextStyle, FontSpec> = {
  op: { size: 12, mono: false, weight: 600 },
  title: { size: 12.5, mono: false, weight: 600 },
  lane: { size: 11, mono: false, weight: 600 },
  name: { size: 11.5, mono: false, weight: 600 },
  letter: { size: 11.5, mono: true, weight: 400, italic: true },
  own: { size: 9.5, mono: false, weight: 600 },
  stub: { size: 9.5, mono: false, weight: 600 },
  stubletter: { size: 9.5, mono: true, weight: 400, italic: true },
  caption: { size: 9, mono: false, weight: 600 },
  type: { size: 9.5, mono: true, weight: 400 },
  note: { size: 9.5, mono: true, weight: 400 },
  chip: { size: 9.5, mono: true, weight: 500 },
};

/** The width of a text in a face whose letters are not equally wide, where the table knows all of them; else null. */
export function knownWidth(text: string, style: TextStyle): number | null {
  return !FONTS[style].mono && /^[ -~\u00b7\u00d7\u2026]+$/.test(text) ? textWidth(text, style) : null;
}

function advance(code: number, mono: boolean): number {
  if (code > 0x2e7f) return 100;
  if (mono) return MONO;
  return SANS[code - SANS_FIRST] ?? SANS_OTHER;
}

/** Programs say the same few words over and over. */
const KNOWN_LIMIT = 4096;
/** Of these there are as many as there are values, and they are measured sooner than found. */
const SHORT = 8;
const known = new Map<string, Map<string, number>>();

/** Width in pixels, never less than what a browser draws with the fonts named in theme.ts. */
export function textWidth(text: string, style: TextStyle): number {
  if (text === "") return 0;
  if (text.length <= SHORT) return measured(text, style);
  const widths = known.get(style) ?? new Map<string, number>();
  known.set(style, widths);
  const found = widths.get(text);
  if (found !== undefined) return found;
  const width = measured(text, style);
  if (widths.size >= KNOWN_LIMIT) widths.clear();
  widths.set(text, width);
  return width;
}

function measured(text: string, style: TextStyle): number {
  const { mono, size } = FONTS[style];
  let sum = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) ?? 0;
    sum += advance(code, mono);
    // A pair of surrogates is one character.
    if (code > 0xffff) at++;
  }
  return (sum * size) / 100;
}

/** A name that leads into a tree by two steps or more: what tells two of them apart is at the end. */
const LEADS = /^\w+(?:\[[^[\]]*\]|\.\w+){2,}$/;
const STEPS = /^\w+|\[[^[\]]*\]|\.\w+/g;
/** So many keys and indices of the end come before the beginning. */
const LAST = 2;

/**
 * What fits in `width` pixels, with an ellipsis where something was cut: the beginning of a text, and of a way into a tree its root and its
 * last steps (`p\u2026['Dense_0']['kernel']`).
 */
export function shorten(text: string, style: TextStyle, width: number): string {
  if (textWidth(text, style) <= width) return text;
  return (LEADS.test(text) ? withoutMiddle(text, style, width) : null) ?? beginning(text, style, width);
}

function withoutMiddle(text: string, style: TextStyle, width: number): string | null {
  const steps = text.match(STEPS)!;
  let [first, last] = [0, 0];
  const said = (head: number, tail: number): string => `${steps.slice(0, head).join("")}\u2026${steps.slice(steps.length - tail).join("")}`;
  const fits = (head: number, tail: number): boolean => head + tail < steps.length && textWidth(said(head, tail), style) <= width;
  for (let named = 0; named < LAST && fits(0, last + 1); ) if (steps[steps.length - ++last]!.startsWith("[")) named++;
  if (last === 0) return null;
  while (fits(first + 1, last)) first++;
  while (fits(first, last + 1)) last++;
  return said(first, last);
}

function beginning(text: string, style: TextStyle, width: number): string {
  const room = width - textWidth("\u2026", style);
  let kept = "";
  for (const char of text) {
    if (textWidth(kept + char, style) > room) break;
    kept += char;
  }
  return `${kept}\u2026`;
}
