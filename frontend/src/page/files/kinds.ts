// What files the page opens: a table with a row for each kind. The first row that fits the name or the first bytes opens it; what fits
// none goes to the server as it is, which says in words what it cannot read.
import type { Input } from "../state/kind.ts";
import { joined } from "./notebook.ts";

/** A file that was read: a text for the editor, bytes in place of it, or why neither. `note` says what was done to it. */
export type Opened =
  | { readonly kind: "text"; readonly source: string; readonly input: Input | null; readonly note: string }
  | { readonly kind: "bytes"; readonly data: string }
  | { readonly kind: "saved"; readonly data: string }
  | { readonly kind: "refused"; readonly why: string };

export interface FileKind {
  readonly title: string;
  /** Ends of file names, in lower case. */
  readonly ends: readonly string[];
  /** How the file begins, whatever it is called. */
  readonly begins?: readonly number[];
  open(name: string, bytes: Uint8Array): Opened | Promise<Opened>;
}

export const KINDS: readonly FileKind[] = [
  {
    title: "MLIR bytecode",
    ends: [".mlirbc", ".mlir.bc", ".bc"],
    begins: [0x4d, 0x4c, 0xef, 0x52],
    open: (_, bytes) => asTextOrBytes(bytes, "mlir"),
  },
  { title: "notebook", ends: [".ipynb"], open: (name, bytes) => joined(name, bytes) },
  { title: "MLIR", ends: [".mlir", ".stablehlo"], open: (_, bytes) => asTextOrBytes(bytes, "mlir") },
  { title: "HLO", ends: [".hlo", ".hlo.txt"], open: (_, bytes) => asTextOrBytes(bytes, "hlo") },
  { title: "printed jaxpr", ends: [".jaxpr", ".jaxpr.txt"], open: (_, bytes) => asTextOrBytes(bytes, "jaxpr") },
  { title: "saved trace", ends: [".json"], open: (_, bytes) => asTrace(bytes) },
  { title: "Python", ends: [".py"], open: (_, bytes) => asTextOrBytes(bytes, "python") },
  { title: "text", ends: [".txt"], open: (_, bytes) => asTextOrBytes(bytes, null) },
];

/** The row of a file, or null where none fits. The longest end counts: `.jaxpr.txt` is no `.txt`. */
export function kindOfFile(name: string, bytes: Uint8Array): FileKind | null {
  const begun = KINDS.find(({ begins }) => begins?.every((byte, at) => bytes[at] === byte));
  if (begun !== undefined) return begun;
  const lower = name.toLowerCase();
  const fitting = (kind: FileKind): number => Math.max(0, ...kind.ends.filter((end) => lower.endsWith(end)).map((end) => end.length));
  return KINDS.reduce<FileKind | null>((best, kind) => (fitting(kind) > (best === null ? 0 : fitting(best)) ? kind : best), null);
}

/** A text where the bytes are one, else the bytes themselves. */
export function asTextOrBytes(bytes: Uint8Array, input: Input | null): Opened {
  const source = textOf(bytes);
  return source === null ? { kind: "bytes", data: base64(bytes) } : { kind: "text", source, input, note: "" };
}

/** A saved trace, or a text of something else. The server looks at what is in it. */
function asTrace(bytes: Uint8Array): Opened {
  const text = textOf(bytes);
  if (text !== null && /^\s*\{/.test(text) && text.includes('"schema"') && text.includes('"programs"'))
    return { kind: "saved", data: text };
  return asTextOrBytes(bytes, null);
}

export function textOf(bytes: Uint8Array): string | null {
  if (bytes.subarray(0, 8_000).includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** A few thousand bytes at a time: arguments are on the stack. */
export function base64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x6000) pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 0x6000))));
  return pieces.join("");
}
