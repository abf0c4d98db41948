// What the share dialog is set to. Pure.
import type { Format } from "../program/share/formats.ts";
import { levelOf, openKey } from "./current.ts";
import type { Spot } from "./spot.ts";
import type { State, Theme } from "./types.ts";

export interface Sharing {
  readonly open: boolean;
  readonly format: Format;
  readonly theme: Theme;
  /** In pixels; null is the drawing's own. */
  readonly width: number | null;
  /** As it is on screen, or as it is drawn for somebody who has opened nothing. */
  readonly shown: "screen" | "fresh";
  /** Null is the name of the program. */
  readonly title: string | null;
}

export const NOT_SHARING: Sharing = { open: false, format: "link", theme: "auto", width: null, shown: "screen", title: null };

export const MOST_WIDTH = 10_000;
export const LEAST_WIDTH = 100;

/** A width that was typed, or null where there is none in it. */
export function widthOf(typed: string): number | null {
  const width = Number(typed.trim());
  return typed.trim() === "" || !Number.isFinite(width) ? null : Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, Math.round(width)));
}

/** The spot that a link carries: as seen now, or nothing but which program and which view. */
export function spotShared(spot: Spot, { shown }: Pick<Sharing, "shown">): Spot {
  return shown === "screen" ? spot : { program: spot.program, view: spot.view, open: null, alone: null, selection: null };
}

/** What is drawn of the program in front: its bodies, groups and colours on screen, or the drawing's own choice. */
export function wantedShared(state: State): {
  open: readonly string[] | null;
  levels?: State["levels"];
  direction?: State["direction"];
  overlay?: State["overlay"];
  alone?: string | null;
} {
  if (state.sharing.shown === "fresh" || state.program === null) return { open: null };
  const key = openKey(levelOf(state.view), state.program);
  const open = state.open[key];
  const { levels, direction, overlay } = state;
  return { open: open === undefined ? null : [...open], levels, overlay, direction, alone: state.alone[key] ?? null };
}
