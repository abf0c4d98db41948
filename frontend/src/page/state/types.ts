// The whole state of the page as one immutable value. Nothing here knows of the DOM, of Preact or of the network.
import type { Direction, Levels, OverlayKind } from "../../drawing/scene.ts";
import type { Diagnostic, Step, Trace } from "../../model/types.ts";
import type { Edits } from "../program/edits.ts";
import type { ColumnId } from "./columns.ts";
import type { Finding, Following } from "./finding.ts";
import type { Input } from "./kind.ts";
import type { Pins } from "./pins.ts";
import type { Shared } from "./shared.ts";
import type { Sharing } from "./sharing.ts";
import type { Spot } from "./spot.ts";

/** What the graph and the texts show: a level of the program, drawn or printed. */
export type View = "jaxpr" | "jaxpr-text" | "stablehlo" | "stablehlo-text" | "hlo" | "hlo-text" | "beside-text";
export type Level = "jaxpr" | "stablehlo" | "hlo";
/** A level that is a module. */
export type ModuleLevel = Exclude<Level, "jaxpr">;
export type Contrast = "auto" | "more";
export type Theme = "auto" | "light" | "dark";
/** The panes of the narrow page, of which one is seen at a time. */
export type Pane = "code" | "graph" | "details";

/** What the person points at: an instance of an equation (by path), an op of a module, or a place in the paste. */
export type Target =
  | { readonly kind: "eqn"; readonly path: string }
  /** `path` is its instance, where that is known: an op of a function stands in every call of it. */
  | { readonly kind: "op"; readonly id: string; readonly path?: string }
  | { readonly kind: "value"; readonly key: string }
  | { readonly kind: "place"; readonly line: number; readonly col: number };

/** The server could not answer, or said no: its error shape, as people read it. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly advice: string;
}

/** A function that is traced with types the person gave, in place of what the paste calls. */
export interface Asked {
  /** A name of the paste, or an expression in its names. */
  readonly fun: string;
  /** A type by parameter; null when `args` says them all. */
  readonly signature: Readonly<Record<string, string>> | null;
  readonly args: string;
}

/** What was typed for the parameters of each function, whether it was traced or not. */
export type Typed = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Transforms that are wished for, on a program of the paste. Its name tells it again when an edit gave it another id. */
export interface Wish {
  readonly base: { readonly id: string; readonly name: string };
  readonly steps: readonly Step[];
}

/** A file, or several, that is open in place of the code. */
export interface OpenFile {
  readonly name: string;
  readonly size: number;
  /** In base64; of what is opened as a trace, the body of the request. */
  readonly data: string;
  /** What makes a trace of it: a saved one is one already, `files` become one, `told` is what the command that serves the page was told. */
  readonly as?: "saved" | "files" | "told";
}

/** The list of the programs of a trace that has many: whether it is open, what is looked for in it, and its order. */
export interface Listing {
  readonly open: boolean;
  readonly query: string;
  readonly by: "order" | "time" | "calls" | "name";
}

/** What the page keeps of itself for the next visit of this browser tab. */
export interface Saved {
  readonly source: string;
  readonly auto: boolean;
  readonly staticNumbers: boolean;
  readonly theme: Theme;
  /** `auto`: more where the system asks for it. */
  readonly contrast: Contrast;
  /** Types stand beside the code. */
  readonly hints: boolean;
  readonly asked: Asked | null;
  readonly typed: Typed;
  readonly wishes: readonly Wish[];
  /** XLA compiles the programs too, for the HLO level: it costs, so it is asked for. */
  readonly compile: boolean;
  /** What is traced in place of `source`, which comes back when it is closed. */
  readonly file: OpenFile | null;
  /** The version of JAX that traces; null for the server's own. */
  readonly jax: string | null;
}

/** A link brought other code, which may have put an earlier paste aside; or it could not be opened. */
export type Arrival =
  | { readonly kind: "link"; readonly kept: boolean; readonly back: boolean }
  | { readonly kind: "refused"; readonly why: string }
  /** A file that was opened has something to be said about; another one could not be opened. */
  | { readonly kind: "file"; readonly note: string }
  | { readonly kind: "unread"; readonly why: string };

export type Phase = "idle" | "running" | "lowering" | "settled";

export interface Run {
  readonly id: number;
  readonly phase: Phase;
  /** Milliseconds from the request to the last level, measured by the page; null while it runs, and where the person ended it. */
  readonly milliseconds: number | null;
}

/** An answer together with what it answers: spans are used only where they still fit the text, errors where they fit what was sent. */
export interface Answer {
  readonly trace: Trace;
  /** Under which the server keeps what it left out of the answer; nothing was where there is none. */
  readonly run?: string;
  readonly source: string;
  readonly file?: OpenFile | null;
  readonly asked: Asked | null;
  readonly wishes: readonly Wish[];
}

export interface State extends Saved {
  /** What the name of the opened file says of the text, until that is edited: the text itself may not say it. */
  readonly input: Input | null;
  readonly run: Run;
  readonly failure: Failure | null;
  /** The newest answer: its diagnostics, output, notes and offers are the ones shown. */
  readonly latest: Answer | null;
  /** The newest answer that has programs: the graph stays while a later paste fails. */
  readonly shown: Answer | null;
  readonly program: string | null;
  readonly view: View;
  /** The open bodies by `level:program id`; a missing entry means the drawing's own default. */
  readonly open: Readonly<Record<string, ReadonlySet<string>>>;
  /** What is open in the outline, likewise; a missing entry means the program itself. */
  readonly outlined: Readonly<Record<string, ReadonlySet<string>>>;
  /** What large levels are grouped by, and down to where everything is open that nobody has opened or closed by hand. */
  readonly levels: Levels;
  /** Which way the values flow in the graph. */
  readonly direction: Direction;
  /** What is laid over the graph of jaxprs. */
  readonly overlay: OverlayKind | null;
  /** The body that the graph shows alone, by `level:program id`. */
  readonly alone: Readonly<Record<string, string>>;
  /** What the last answer changed of the program in front; the same object until another does. */
  readonly edits: Edits | null;
  readonly selection: Target | null;
  readonly hover: Target | null;
  readonly finding: Finding;
  readonly listing: Listing;
  readonly following: Following | null;
  readonly pins: Pins;
  readonly pane: Pane;
  /** What stands side by side. */
  readonly columns: readonly ColumnId[];
  /** The signature bar: opened by hand, and the function chosen in it, null before one was chosen. */
  readonly bar: { readonly open: boolean; readonly fun: string | null };
  /** The key of a wish whose program comes forward when it arrives. */
  readonly awaited: string | null;
  /** What was given up on the way, until the person has read it. */
  readonly notices: readonly string[];
  /** Where a link or a reload wants to be as soon as there is a program. */
  readonly restoring: Spot | null;
  /** How the code came here, where that is to be said. */
  readonly arrival: Arrival | null;
  /** The short link that the code came with. */
  readonly shared: Shared | null;
  readonly sharing: Sharing;
  /** The history of this browser: whether it is open, and what is looked for in it. */
  readonly recalling: { readonly open: boolean; readonly query: string };
}

export interface Problem extends Diagnostic {
  readonly key: string;
}
