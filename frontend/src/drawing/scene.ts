/**
 * The scene: what a picture consists of, in absolute pixels, before any markup.
 *
 * Promises: plain data, no DOM; the same program and options give the same scene to the pixel; every text is a Label with a place.
 * Must never: hold colours (theme.ts has those) or markup (svg/ has that).
 */

import type { Fill, OverlayKind, OverlayLegend } from "./overlay/types.ts";

export type { OverlayKind, OverlayLegend } from "./overlay/types.ts";

import type { OpPlaces } from "./graph/written.ts";

/** What a wire means; colour, dash and end mark follow from it (theme.ts). */
export type WireRole = "const" | "carry" | "xs" | "ys" | "residual" | "cotangent" | "tangent" | "plain";

/** Which way the values flow: to the bottom, or to the right. Those of a backward pass flow against it. */
export type Direction = "TB" | "LR";

/** Pixels; x to the right, y down; x, y is the top left corner. */
export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface SceneItem {
  /** Unique in the scene, and stable when something else is expanded or collapsed. */
  key: string;
  box: Box;
  /** Instance path of the equation (`e3/e7`) or op that this item belongs to, or null. */
  eqn: string | null;
  /** `<instance path of the jaxpr>|v5`: the value this item is or carries, or null. */
  value: string | null;
  /** One or more lines for a tooltip and for assistive technology; "" when there is nothing to add. */
  hint: string;
}

/** Something with an inside: the program, a lane, an open equation, one body of an equation with several. */
export interface Frame extends SceneItem {
  kind: "lane" | "scan" | "while" | "cond" | "call" | "body";
  title: string;
  /** The instance path to add to or remove from `open`; null when it cannot be folded. */
  toggle: string | null;
  /** 0 for the outermost. */
  depth: number;
  /** True when the values flow upwards inside (to the left, in a picture that flows to the right). */
  up: boolean;
  /** The eqn path of the twin (forward of a backward and the other way round), or null. */
  twin: string | null;
  /** Where the triangle stands that says it can be closed, or null. */
  fold: Box | null;
}

/** A box: an equation, a closed equation with bodies, or a pill for an input, an output, a binder, a result of a body. */
export interface Node extends SceneItem {
  kind: "op" | "closed" | "input" | "output" | "binder" | "result";
  title: string;
  /** Of pills: their role. */
  role: WireRole;
  /** Of closed equations: as in Frame. */
  toggle: string | null;
  /** Of closed equations: what they are ("scan" has the stacked edge). */
  call: "scan" | "while" | "cond" | "call" | null;
  /** A backward pass computes it again instead of keeping it. */
  recomputed: boolean;
  /** Nothing reads the value (or the branch does not use the binder). */
  dim: boolean;
  /** True when its operands are on the bottom edge (or on the right one). */
  up: boolean;
  twin: string | null;
  /** Where the triangle stands that says it can be opened, or null. */
  fold: Box | null;
  /** The colour that an overlay gives it, and whether it is the peak; absent without one. */
  fill?: Fill | null;
  peak?: boolean;
}

/** A place on the edge of a node or frame where one wire, chip or stub attaches; box is the dot. */
export interface Port extends SceneItem {
  /** Key of the node or frame. */
  owner: string;
  direction: "in" | "out";
  index: number;
  role: WireRole;
  /** The person's own name, or JAX's letter. */
  name: string;
  letter: boolean;
  type: string;
  /** An operand that something feeds or a result that something reads. */
  used: boolean;
}

export interface Wire extends SceneItem {
  role: WireRole;
  /** `flow` inside a lane, `cross` from the forward to the backward lane, `loop` back to the next step, `select` from an index or a predicate, `effect` of a ref. */
  kind: "flow" | "cross" | "loop" | "select" | "effect";
  /** SVG path data. */
  d: string;
  /** Path data of the first part when wires of other roles share it (the trunk of a value), else null. It is drawn as plain. */
  trunk: string | null;
  /** Path data of the thick line that it shares with others; else null. */
  cable: string | null;
  /** It is the one of those with which the line is drawn. */
  carries: boolean;
  /** Points along the wire, x, y alternating, for hit testing and tests. */
  points: number[];
  /** Port keys. */
  from: string;
  to: string;
}

/** A literal in its consumer, or a named stub of a value that comes from far away (`source` marks the place it is made). */
export interface Chip extends SceneItem {
  kind: "literal" | "stub" | "source";
  role: WireRole;
  text: string;
  /** Key of the port it sits on. */
  port: string;
  /** Keys of the other ports at the same place, for which it stands, too. */
  also: readonly string[];
}

/**
 * The person's names are `name` in pills, `own` in boxes and `stub` in chips; JAX's letters are `letter` and `stubletter`, so that the
 * two can never be taken for each other.
 */
export type TextStyle = "op" | "type" | "name" | "letter" | "own" | "title" | "note" | "caption" | "chip" | "stub" | "stubletter" | "lane";

export interface Label extends SceneItem {
  text: string;
  /** The whole text when `text` is shortened, else the same. */
  full: string;
  style: TextStyle;
  /** Anchor point; y is the baseline. box is where the ink may be. */
  x: number;
  y: number;
  anchor: "start" | "middle" | "end";
  /** Clockwise degrees about (x, y). */
  rotate: 0 | 90 | -90;
  /** Key of the wire that the label stands on and belongs to, or null. */
  wire: string | null;
  /** It stands on wires: a plate under it keeps it legible. */
  plate: boolean;
  /** Key of the node, frame or chip that must contain it, or null. */
  owner: string | null;
  role: WireRole | null;
  dim: boolean;
}

/** Thin lines of furniture: dividers between port groups. */
export interface Rule extends SceneItem {
  role: WireRole | null;
}

/** A closed group of a level that is too large to read: what stands in it, and in its own groups. */
export interface Fold {
  /** Key of the node; in `DrawOptions.open` it opens the group. */
  key: string;
  /** Instance paths of the equations that stand in it themselves. */
  eqns: string[];
  inner: Fold[];
}

export interface Scene {
  direction: Direction;
  width: number;
  height: number;
  frames: Frame[];
  nodes: Node[];
  ports: Port[];
  wires: Wire[];
  chips: Chip[];
  labels: Label[];
  rules: Rule[];
  folds: Fold[];
  /** What the colours of the boxes mean; absent without an overlay. */
  overlay?: OverlayLegend;
}

/**
 * What the boxes of a large level are grouped by: as fits best, names of the name stack, calls of functions, modules, only what is repeated,
 * or nothing at all.
 */
export type Grouping = "auto" | "scopes" | "calls" | "modules" | "repeats" | "none";

/** What is being done, in words a person reads while it takes long. */
export type Tell = (stage: string) => void;

/** What large levels are grouped by, and down to which depth everything is open; null is what fits on a screen. */
export interface Levels {
  readonly by: Grouping;
  readonly depth: number | "all" | null;
}

export const AS_FITS: Levels = { by: "auto", depth: null };

export interface DrawOptions {
  /** Instance paths of the equations whose bodies are drawn open, and keys of groups. */
  open: ReadonlySet<string>;
  /** What is laid over it. */
  overlay?: OverlayKind | null;
  /** `auto` where it is not said: only of levels that are too large to read. */
  by?: Grouping;
  /** From top to bottom where it is not said. */
  direction?: Direction;
  tell?: Tell;
  /** Of a module: where its ops come from, without which they are grouped by what they look like. */
  places?: OpPlaces | undefined;
  /** Instance path of the one equation that is drawn, open, with what it takes and gives; where there is none such, all is drawn. */
  alone?: string | null;
}
