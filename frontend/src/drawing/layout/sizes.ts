/** Every measure of the picture in pixels, in one place. */
export const SIZE = {
  /** Equation boxes: with and without the type line. */
  boxTall: 38,
  boxShort: 26,
  /** What the line of an overlay adds. */
  boxMark: 12,
  boxPad: 12,
  radius: 7,
  /** Pills of inputs, outputs, binders and results: with the name alone, and for each line of the type. */
  pillShort: 22,
  pillLine: 12,
  pillPad: 10,
  portGap: 8,
  /** Between ports that stand below each other. */
  portGapDown: 3,
  portSlot: 12,
  dot: 2.5,
  chip: 15,
  chipPad: 5,
  chipMax: 120,
  /** Between a chip and the box it sits on. */
  chipGap: 2,
  /** Frames. */
  framePad: 16,
  frameEdge: 7,
  /** From the border to the pills: room for an arrow. */
  frameLeast: 17,
  caption: 13,
  /** A caption above its pill, with the line over it. */
  captionAbove: 14,
  titleGap: 18,
  noteMost: 220,
  fold: 14,
  track: 8,
  railLabel: 17,
  /** Closed equations with bodies. */
  closedTitle: 26,
  groupGap: 12,
  /** Between ranks. */
  rankGap: 30,
  rankGapMost: 72,
  /** Between forward and backward lane. */
  gutter: 36,
  bodyGap: 24,
  /** Around the whole picture. */
  margin: 24,
} as const;

/** A program with more arguments than this has them near their use instead of in one strip. */
export const STRIP_MOST = 24;

/** Values used over more ranks than this, or by more consumers, become named chips. */
export const STUB_RANKS = 12;
export const STUB_USES = 12;
/** More wires than this between the lanes, scans aside, are no longer followed by eye. */
export const STUB_CROSSINGS = 16;
/** More residuals than this between two twins share one thick track. */
export const RESIDUAL_TRACKS = 5;
