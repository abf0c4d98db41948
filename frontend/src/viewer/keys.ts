// What a key means on the graph. One table, also read by the help sheet.
import type { Direction } from "./walk.ts";

export type CommandName = "help" | "expand-all" | "collapse-all" | "twin-back" | "twin-on";

export type KeyAction =
  | { readonly do: "walk"; readonly direction: Direction }
  | { readonly do: "toggle" }
  | { readonly do: "outward" }
  | { readonly do: "deselect" }
  | { readonly do: "fit" }
  | { readonly do: "zoom"; readonly by?: number; readonly to?: number }
  | { readonly do: "pan"; readonly dx: number; readonly dy: number }
  | { readonly do: "command"; readonly name: CommandName };

const STEP = 80;

const KEYS: Readonly<Record<string, KeyAction>> = {
  ArrowUp: { do: "walk", direction: "up" },
  ArrowDown: { do: "walk", direction: "down" },
  ArrowLeft: { do: "walk", direction: "left" },
  ArrowRight: { do: "walk", direction: "right" },
  Enter: { do: "toggle" },
  " ": { do: "toggle" },
  Backspace: { do: "outward" },
  Escape: { do: "deselect" },
  f: { do: "fit" },
  "+": { do: "zoom", by: 1.25 },
  "=": { do: "zoom", by: 1.25 },
  "-": { do: "zoom", by: 0.8 },
  "0": { do: "zoom", to: 1 },
  e: { do: "command", name: "expand-all" },
  c: { do: "command", name: "collapse-all" },
  "[": { do: "command", name: "twin-back" },
  "]": { do: "command", name: "twin-on" },
  "?": { do: "command", name: "help" },
};

const SHIFTED: Readonly<Record<string, KeyAction>> = {
  ArrowUp: { do: "pan", dx: 0, dy: -STEP },
  ArrowDown: { do: "pan", dx: 0, dy: STEP },
  ArrowLeft: { do: "pan", dx: -STEP, dy: 0 },
  ArrowRight: { do: "pan", dx: STEP, dy: 0 },
};

export interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

export function keyAction(press: KeyPress): KeyAction | null {
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  return (press.shiftKey ? SHIFTED[press.key] : undefined) ?? KEYS[press.key] ?? null;
}

/** For the help sheet: keys and what they do. */
export const KEY_HELP: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [["↑", "↓"], "Walk along wires, against or with the values"],
  [["←", "→"], "Neighbour beside"],
  [["Enter"], "Open or close a body"],
  [["Backspace"], "Out to the enclosing equation"],
  [["[", "]"], "To the forward or the backward twin"],
  [["e", "c"], "Open everything, close everything"],
  [["f"], "Fit the whole drawing"],
  [["+", "-", "0"], "Zoom in, out, to 100 %"],
  [["Shift", "arrows"], "Pan"],
  [["Esc"], "Let go of the selection"],
  [["?"], "This sheet"],
];
