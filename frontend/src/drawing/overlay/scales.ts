/** How amounts become colours and words: the same for equations and for ops. */
import { bytesText, flopsText } from "../cost/format.ts";
import type { Work } from "../cost/work.ts";
import type { Fill, Mark, OverlayLegend, Swatch } from "./types.ts";

/** Shares of the whole from which on a box has the next colour; `words` is what the legend says of the step. */
export interface Scale {
  readonly from: readonly number[];
  readonly words: readonly string[];
}

export const FLOPS: Scale = { from: [0, 0.01, 0.05, 0.2, 0.5], words: ["less", "1 %", "5 %", "20 %", "half or more"] };
export const MEMORY: Scale = { from: [0, 0.25, 0.5, 0.75, 0.95], words: ["less", "25 %", "50 %", "75 %", "95 % or more"] };
export const BYTES: Scale = { from: [0, 0.004, 0.016, 0.06, 0.25], words: ["less", "0.4 %", "1.6 %", "6 %", "a quarter or more"] };

export function fillOf({ from }: Scale, amount: number, whole: number): Fill | null {
  if (amount <= 0 || whole <= 0) return null;
  const share = Math.min(1, amount / whole);
  return `heat${from.findLastIndex((least) => share >= least) as 0 | 1 | 2 | 3 | 4}`;
}

export function swatches({ words }: Scale): Swatch[] {
  return words.map((text, i): Swatch => ({ fill: `heat${i as 0 | 1 | 2 | 3 | 4}`, text })).reverse();
}

export function bytesMark(bytes: number | null, most: number): Mark | null {
  return bytes === null ? null : { text: bytesText(bytes), fill: fillOf(BYTES, bytes, most), peak: false };
}

export function bytesLegend(most: number, unknown: boolean): OverlayLegend {
  return {
    kind: "bytes",
    title: `Bytes made, against the largest value (${bytesText(most)}):`,
    swatches: swatches(BYTES),
    notes: unknown ? ["Values without a known size have no number."] : [],
  };
}

export function flopsMark({ flops, uncounted, perTurn }: Work, whole: number): Mark {
  const counted = `${uncounted.size > 0 ? "\u2265 " : ""}${flopsText(flops)}${perTurn ? " a turn" : ""}`;
  const text = flops > 0 ? counted : uncounted.size > 0 ? "not counted" : "";
  return { text, fill: fillOf(FLOPS, flops, whole), peak: false };
}

/** `all` is the work of the whole. */
export function flopsLegend(all: Work | null): OverlayLegend {
  const notes = [
    "Estimated from shapes, as XLA counts: one for each element, two for each multiply-add; loops times their steps, of branches the costliest.",
  ];
  if (all?.perTurn === true) notes.push("Loops of unknown length, and kernels, are counted for one turn.");
  if (all !== null && all.uncounted.size > 0) notes.push(`Not counted: ${some([...all.uncounted])}.`);
  const least = all !== null && (all.perTurn || all.uncounted.size > 0) ? "at least " : "";
  return {
    kind: "flops",
    title: `Operations, against all of them (${least}${flopsText(all?.flops ?? 0)}):`,
    swatches: swatches(FLOPS),
    notes,
  };
}

export function memoryMark(bytes: number | null, isPeak: boolean, peak: number): Mark | null {
  if (bytes === null) return null;
  const most = Math.min(bytes, peak);
  return { text: isPeak ? `peak ${bytesText(peak)}` : `${bytesText(most)} live`, fill: fillOf(MEMORY, most, peak), peak: isPeak };
}

/** `order` is whose order the estimate follows: that of the jaxpr, or of the module. */
export function memoryLegend(peak: number, order: "jaxpr" | "module"): OverlayLegend {
  return {
    kind: "memory",
    title: `Bytes live, against the peak (${bytesText(peak)}):`,
    swatches: swatches(MEMORY),
    notes: [
      `Estimated: inputs stay, a value is freed after its last reader, in the order of the ${order}; XLA fuses, reuses and reorders.`,
    ],
  };
}

/** Works of what stands together. */
export function together(works: readonly Work[]): Work {
  return {
    flops: works.reduce((sum, { flops }) => sum + flops, 0),
    uncounted: new Set(works.flatMap(({ uncounted }) => [...uncounted])),
    perTurn: works.some(({ perTurn }) => perTurn),
  };
}

export function total(sizes: readonly (number | null)[]): number | null {
  const found = sizes.filter((size) => size !== null);
  return found.length === 0 ? null : found.reduce((sum, size) => sum + size, 0);
}

const NAMED = 4;

function some(names: readonly string[]): string {
  const shown = [...names].sort().slice(0, NAMED).join(", ");
  return names.length > NAMED ? `${shown} and ${names.length - NAMED} more` : shown;
}
