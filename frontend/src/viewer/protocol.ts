// What the page and the layout worker say to each other. Everything is plain data that structured clone can carry.
import type { OpPlaces } from "../drawing/graph/written.ts";
import type { Direction, Levels, OverlayKind, Scene, SceneItem } from "../drawing/scene.ts";
import type { Picture } from "../drawing/svg/picture.ts";
import type { PackedProgram } from "../model/packed.ts";
import type { Module, Program } from "../model/types.ts";
import type { StopIndex } from "./stops.ts";

export type Subject =
  | { readonly kind: "program"; readonly program: Program }
  | { readonly kind: "module"; readonly module: Module; readonly places?: OpPlaces };

export type Level = "jaxpr" | "stablehlo" | "hlo";

/** A subject as it travels: packed where it came packed, by its place where the worker has read it. */
export type Sent =
  | Subject
  | { readonly kind: "filed"; readonly file: number; readonly program: number; readonly level: Level; readonly places?: OpPlaces }
  | { readonly kind: "packed-program"; readonly packed: PackedProgram }
  | { readonly kind: "packed-module"; readonly packed: Module; readonly places?: OpPlaces };

export interface Wanted {
  /** Open bodies and groups, or null for what the levels say. */
  readonly open: readonly string[] | null;
  readonly levels?: Levels;
  readonly overlay?: OverlayKind | null;
  /** Which way the values flow; down where it is not said. */
  readonly direction?: Direction;
  /** The one body to draw, or null for all. */
  readonly alone?: string | null;
}

export interface LoadMessage {
  readonly type: "load";
  readonly token: number;
  readonly subject: Sent;
}

export interface DrawMessage {
  readonly type: "draw";
  readonly token: number;
  readonly id: number;
  readonly wanted: Wanted;
  readonly title: string;
}

/** The words of a drawing in the place of its boxes. */
export interface OutlineMessage {
  readonly type: "outline";
  readonly token: number;
  readonly id: number;
  readonly open: readonly string[];
  readonly by: Levels["by"];
  readonly title: string;
}

/** This drawing will probably be asked for: it is made, and kept until it is. */
export interface ExpectMessage {
  readonly type: "expect";
  readonly token: number;
  readonly wanted: Wanted;
  readonly title: string;
}

export interface ForgetMessage {
  readonly type: "forget";
  readonly token: number;
}

/** A file will be opened, most likely: what reads it may be loaded. */
export interface PrepareMessage {
  readonly type: "prepare";
}

/** A file that programs come from; with an id it is asked whether it is a trace that can be shown, else it was checked before. */
export interface FileMessage {
  readonly type: "file";
  readonly file: number;
  /** Or its bytes, where nobody knows yet what is in them. */
  readonly text: string | Uint8Array;
  readonly id?: number;
}

/** Asks for a level of a file: what a streamed answer would have as a message. */
export interface GiveMessage {
  readonly type: "give";
  readonly id: number;
  readonly file: number;
  readonly level: Level;
}

/** No program of it will be asked for again. */
export interface CloseMessage {
  readonly type: "close";
  readonly file: number;
}

export type ToWorker =
  | PrepareMessage
  | FileMessage
  | GiveMessage
  | CloseMessage
  | LoadMessage
  | ForgetMessage
  | ExpectMessage
  | DrawMessage
  | OutlineMessage;

export interface Drawing {
  readonly scene: Scene;
  /** What a screen reader calls it. */
  readonly title: string;
  /** The body that is drawn alone; null where all is drawn, also because there is no such body. */
  readonly alone: string | null;
  /** What is open in it. */
  readonly open: readonly string[];
  /** Everything that could be open. */
  readonly foldable: readonly string[];
  /** How many stay closed that the levels ask for, because there would be more boxes than can be drawn in good time. */
  readonly left: number;
}

/** A drawing that can be painted: its picture is made on this side of the worker, for it holds functions. */
export interface Paintable extends Drawing {
  readonly picture: Picture;
  readonly stops: StopIndex;
}

/** The lists of a scene, which travel in pieces: a scene of fifty thousand boxes in one message would hold the page up for a second. */
export const LISTS = ["frames", "nodes", "ports", "wires", "chips", "labels", "rules"] as const;
export type List = (typeof LISTS)[number];

export type FromWorker =
  | { readonly type: "stage"; readonly id: number; readonly stage: string }
  | { readonly type: "piece"; readonly id: number; readonly list: List; readonly items: readonly SceneItem[] }
  | { readonly type: "drawn"; readonly id: number; readonly drawing: Drawing }
  /** The levels of a file; null where it cannot be shown. */
  | { readonly type: "read"; readonly id: number; readonly levels: readonly Level[] | null }
  /** A `Piece` as JSON; null after the last. */
  | { readonly type: "given"; readonly id: number; readonly piece: string | null }
  | { readonly type: "outlined"; readonly id: number; readonly text: string }
  | { readonly type: "failed"; readonly id: number; readonly message: string };
