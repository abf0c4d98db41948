// What a key means on the graph. One table, also read by the help sheet.
import type { Direction } from "./walk.ts";

/** Keys that mean something to the page. */
export type CommandName =
  | "help"
  | "expand-all"
  | "collapse-all"
  | "levels"
  | "deeper"
  | "shallower"
  | "twin-back"
  | "twin-on"
  | "minimap"
  | "outline"
  | "find"
  | "find-next"
  | "find-before"
  | "upstream"
  | "downstream"
  | "around"
  | "path"
  | "card"
  | "pin"
  | "let-go";

export type KeyAction =
  | { readonly do: "walk"; readonly direction: Direction }
  | { readonly do: "toggle" }
  | { readonly do: "edge"; readonly edge: "first" | "last" }
  | { readonly do: "enter" }
  | { readonly do: "outward" }
  | { readonly do: "hand" }
  | { readonly do: "fit" }
  | { readonly do: "fit-selection" }
  | { readonly do: "page"; readonly views: number }
  | { readonly do: "zoom"; readonly by?: number; readonly to?: number }
  | { readonly do: "pan"; readonly dx: number; readonly dy: number }
  | { readonly do: "command"; readonly name: CommandName };

const STEP = 80;

const KEYS: Readonly<Record<string, KeyAction>> = {
  ArrowUp: { do: "walk", direction: "up" },
  ArrowDown: { do: "walk", direction: "down" },
  ArrowLeft: { do: "walk", direction: "left" },
  ArrowRight: { do: "walk", direction: "right" },
  Home: { do: "edge", edge: "first" },
  End: { do: "edge", edge: "last" },
  PageUp: { do: "page", views: -0.8 },
  PageDown: { do: "page", views: 0.8 },
  Enter: { do: "toggle" },
  // Held, it makes any drag a pan; let go without one, it opens and closes as Enter does.
  " ": { do: "hand" },
  Backspace: { do: "outward" },
  Escape: { do: "command", name: "let-go" },
  f: { do: "fit" },
  "+": { do: "zoom", by: 1.25 },
  "=": { do: "zoom", by: 1.25 },
  "-": { do: "zoom", by: 0.8 },
  "0": { do: "zoom", to: 1 },
  e: { do: "command", name: "expand-all" },
  c: { do: "command", name: "collapse-all" },
  l: { do: "command", name: "levels" },
  ".": { do: "command", name: "deeper" },
  ",": { do: "command", name: "shallower" },
  "[": { do: "command", name: "twin-back" },
  "]": { do: "command", name: "twin-on" },
  m: { do: "command", name: "minimap" },
  o: { do: "command", name: "outline" },
  "/": { do: "command", name: "find" },
  F3: { do: "command", name: "find-next" },
  u: { do: "command", name: "upstream" },
  d: { do: "command", name: "downstream" },
  b: { do: "command", name: "around" },
  p: { do: "command", name: "path" },
  i: { do: "command", name: "card" },
  k: { do: "command", name: "pin" },
  "?": { do: "command", name: "help" },
};

const SHIFTED: Readonly<Record<string, KeyAction>> = {
  ArrowUp: { do: "pan", dx: 0, dy: -STEP },
  ArrowDown: { do: "pan", dx: 0, dy: STEP },
  ArrowLeft: { do: "pan", dx: -STEP, dy: 0 },
  ArrowRight: { do: "pan", dx: STEP, dy: 0 },
  Enter: { do: "enter" },
  F3: { do: "command", name: "find-before" },
};

/** By place on the keyboard: what Shift makes of a digit differs from country to country. */
const SHIFTED_CODES: Readonly<Record<string, KeyAction>> = {
  Digit1: { do: "fit" },
  Digit2: { do: "fit-selection" },
};

export interface KeyPress {
  readonly key: string;
  readonly code?: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

export function keyAction(press: KeyPress): KeyAction | null {
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  const shifted = press.shiftKey ? (SHIFTED[press.key] ?? SHIFTED_CODES[press.code ?? ""]) : undefined;
  return shifted ?? KEYS[press.key] ?? null;
}

/** For the help sheet: keys and what they do. */
export const KEY_HELP: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [["↑", "↓"], "Walk along wires, against or with the values; the opposite key goes back"],
  [["←", "→"], "Neighbour beside; where values flow to the right, these two walk along wires"],
  [["Home", "End"], "First and last of the same body"],
  [["Enter"], "Open or close a body"],
  [["Shift", "Enter"], "Show a body alone; once more, back"],
  [["Backspace"], "Out to the enclosing equation"],
  [["[", "]"], "To the forward or the backward twin"],
  [["e", "c"], "Open everything, close everything"],
  [[".", ","], "Open one level more, one less"],
  [["l"], "Levels: how deep, grouped by what, which way values flow"],
  [["o"], "The outline: the program as a tree, for the keyboard and for screen readers"],
  [["Alt", "←"], "Back to the view before"],
  [["Alt", "→"], "Forward again"],
  [["f"], "Fit the whole drawing, also Shift 1"],
  [["Shift", "2"], "Fit what is selected"],
  [["+", "-", "0"], "Zoom in, out, to 100 %"],
  [["Shift", "arrows"], "Pan"],
  [["Page ↑", "Page ↓"], "Pan by a screen; turn the pages of a card that is cut off"],
  [["Space", "drag"], "Pan, wherever the drag begins"],
  [["/"], "Find; also Ctrl/⌘ K, from anywhere"],
  [["F3", "Shift F3"], "Next hit, hit before"],
  [["Ctrl/⌘", "C"], "Copy what is selected as text, or the whole program"],
  [["i"], "The card of what the keyboard is at, also by resting the pointer or a finger on it"],
  [["u", "d", "b"], "Only what the selection depends on, what it feeds, both"],
  [["k"], "Pin what is selected, or the program, to compare others with it"],
  [["p"], "A path: at its beginning, then at its end; Shift-click does both"],
  [["m"], "Show or hide the minimap"],
  [["Esc"], "Let go of the selection; without one, leave a body shown alone"],
  [["?"], "This sheet"],
];
