// What was read from a file by a worker: the page may have the worker draw it without sending it back, for the file alone says what it is.
import type { Module, Program } from "./types.ts";

export interface SavedFile {
  /** Counts the files of this page. */
  readonly id: number;
  readonly text: string;
}

/** A program of a file, by its place in the trace, or the module of one of its levels. */
export interface Filed {
  readonly file: SavedFile;
  readonly program: number;
  readonly level: "jaxpr" | "stablehlo" | "hlo";
}

const filed = new WeakMap<object, Filed>();

export function rememberFiled(thing: Program["jaxprs"] | Module, from: Filed): void {
  filed.set(thing, from);
}

export function filedOf(thing: Program["jaxprs"] | Module): Filed | null {
  return filed.get(thing) ?? null;
}
