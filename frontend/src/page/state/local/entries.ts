// What the history of this browser holds for each program that was traced here: the same words as a link (docs/links.md), with a name and a time.

import { type Linked, type LinkV1, toV1 } from "../links/format.ts";
import { fromV1 } from "../links/read.ts";
import { isRecord } from "../saved.ts";
import { isTime } from "./shelf.ts";

export interface Entry {
  /** When it was last traced, in milliseconds since 1970. */
  readonly at: number;
  /** Of the program in front; "" where nothing was traced. */
  readonly name: string;
  readonly pinned: boolean;
  readonly link: LinkV1;
}

export const ENTRY_VERSION = 1;
/** All under this are of version 1; the version stands in each, too. */
export const ENTRY_PREFIX = "jaxpr-visualizer/history/";
export const OFF_KEY = "jaxpr-visualizer/history-off";

/** So many are kept beside those that are pinned, and so many letters of code. */
export const MOST_ENTRIES = 100;
export const MOST_LETTERS = 1_500_000;
const MOST_NAME = 200;

export function readEntry(value: Record<string, unknown>): Entry | null {
  const { at, name, pinned, link } = value;
  if (!isTime(at) || !isRecord(link)) return null;
  const linked = fromV1(link);
  if (linked === null || linked.source.trim() === "") return null;
  return { at, name: typeof name === "string" ? name.slice(0, MOST_NAME) : "", pinned: pinned === true, link: toV1(linked) };
}

export function entryOf(linked: Linked, name: string, at: number): Entry {
  return { at, name: name.slice(0, MOST_NAME), pinned: false, link: toV1(linked) };
}

/** The first line that says something: not empty, no comment, no import. */
export function firstLine(source: string): string {
  const lines = source.split("\n", 400).map((line) => line.trim());
  const said = lines.filter((line) => line !== "");
  return (said.find((line) => !/^(?:#|\/\/|import |from |"""|''')/.test(line)) ?? said[0] ?? "").slice(0, 160);
}

/** Whether a text is the one before, further edited: they have more than half of their lines in common. */
export function continues(before: string, after: string): boolean {
  if (before === after) return true;
  const lines = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");
  const [a, b] = [lines(before), lines(after)];
  const counts = new Map<string, number>();
  for (const line of a) counts.set(line, (counts.get(line) ?? 0) + 1);
  let common = 0;
  for (const line of b) {
    const left = counts.get(line) ?? 0;
    if (left > 0) common += 1;
    counts.set(line, left - 1);
  }
  // Of the longer: a file that was pasted over its first three lines is another program.
  return 2 * common > Math.max(a.length, b.length);
}

export interface Kept {
  readonly id: string;
  readonly value: Entry;
}

/** Newest first, what is pinned before all. */
export function ordered(entries: readonly Kept[]): Kept[] {
  return [...entries].sort((a, b) => Number(b.value.pinned) - Number(a.value.pinned) || b.value.at - a.value.at);
}

/** Those that fit all words of a query, in name or code, whatever their case. */
export function matching(entries: readonly Kept[], query: string): Kept[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(({ value }) => {
    const text = `${value.name}\n${value.link.source}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Those that have to go, so that one more of `letters` finds room: the oldest, and never one that is pinned. */
export function tooMany(entries: readonly Kept[], letters: number): string[] {
  const oldestLast = ordered(entries).filter(({ value }) => !value.pinned);
  let left = MOST_LETTERS - letters - entries.reduce((sum, { value }) => sum + (value.pinned ? value.link.source.length : 0), 0);
  const gone: string[] = [];
  oldestLast.forEach(({ id, value }, index) => {
    left -= value.link.source.length;
    if (index + 1 >= MOST_ENTRIES || left < 0) gone.push(id);
  });
  return gone;
}

/** One that says the very same program: its code and what was asked about it, wherever in it anyone looked. */
export function sameProgram(a: LinkV1, b: LinkV1): boolean {
  const about = ({ source, static: held, compile, jax, asked, wishes }: LinkV1): string =>
    JSON.stringify([source, held ?? false, compile ?? false, jax ?? null, asked ?? null, wishes ?? []]);
  return a.source === b.source && about(a) === about(b);
}
