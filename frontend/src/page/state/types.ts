// The whole state of the page as one immutable value. Nothing here knows of the DOM, of Preact or of the network.
import type { Diagnostic, Trace } from "../../model/types.ts";

/** What the graph and the texts show: a level of the program, drawn or printed. */
export type View = "jaxpr" | "jaxpr-text" | "stablehlo" | "stablehlo-text";
export type Level = "jaxpr" | "stablehlo";
export type Theme = "auto" | "light" | "dark";
/** The panes of the narrow page, of which one is seen at a time. */
export type Pane = "code" | "graph" | "details";

/** What the person points at: an instance of an equation (by path), an op of a module, or a place in the paste. */
export type Target =
  | { readonly kind: "eqn"; readonly path: string }
  | { readonly kind: "op"; readonly id: string }
  | { readonly kind: "value"; readonly key: string }
  | { readonly kind: "place"; readonly line: number; readonly col: number };

/** The server could not answer, or said no: its error shape, as people read it. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly advice: string;
}

export interface Entry {
  readonly fun: string;
  readonly args: string;
  readonly kwargs: string;
}

export type Phase = "idle" | "running" | "lowering" | "settled";

export interface Run {
  readonly id: number;
  readonly phase: Phase;
  /** Milliseconds from the request to the last level, measured by the page; null while it runs. */
  readonly milliseconds: number | null;
}

/** An answer together with the text it answers, so that spans are used only where they still fit. */
export interface Answer {
  readonly trace: Trace;
  readonly source: string;
}

export interface State {
  readonly source: string;
  readonly auto: boolean;
  readonly staticNumbers: boolean;
  readonly theme: Theme;
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
  readonly selection: Target | null;
  readonly hover: Target | null;
  readonly pane: Pane;
}

export interface Problem extends Diagnostic {
  readonly key: string;
}
