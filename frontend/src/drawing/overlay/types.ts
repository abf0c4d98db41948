/** What a reader lays over the picture: an amount or a kind for each equation, said in words and shown as the colour of its box. */

export const OVERLAYS = ["bytes", "flops", "memory", "lines", "scopes"] as const;
export type OverlayKind = (typeof OVERLAYS)[number];

/** Steps of an amount, 0 the least; kinds, in the order of their first appearance. */
export type Fill = `heat${0 | 1 | 2 | 3 | 4}` | `tint${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7}`;

export interface Mark {
  /** A line in the box, or "". */
  readonly text: string;
  readonly fill: Fill | null;
  /** The most of all: where the memory peaks. */
  readonly peak: boolean;
}

export interface Swatch {
  readonly fill: Fill;
  readonly text: string;
}

/** The part of the legend that explains an overlay. */
export interface OverlayLegend {
  readonly kind: OverlayKind;
  readonly title: string;
  readonly swatches: readonly Swatch[];
  /** What the numbers are not: how they are estimated, and what they leave out. */
  readonly notes: readonly string[];
}

/** Marks are asked for by instance path; `of` a group is what stands in it together. */
export interface Overlay {
  readonly legend: OverlayLegend;
  eqn(path: string): Mark | null;
  group(paths: readonly string[]): Mark | null;
  /** Of an input or a result: its bytes, where those are what is shown. */
  value(key: string): Mark | null;
}
