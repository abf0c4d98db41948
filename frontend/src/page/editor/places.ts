// Places of the wire in a text of CodeMirror: lines from 1, columns in UTF-16 units, as both count.
import type { Text } from "@codemirror/state";
import type { Span } from "../../model/types.ts";

export function placeAt(doc: Text, at: number): { line: number; col: number } {
  const line = doc.lineAt(at);
  return { line: line.number, col: at - line.from };
}

export function offsetOf(doc: Text, line: number, col: number): number {
  const at = doc.line(Math.max(1, Math.min(doc.lines, line)));
  return Math.min(at.to, at.from + Math.max(0, col));
}

/** The offsets of a span, clamped to the text: it may be older than what is in the editor now. */
export function rangeOf(doc: Text, span: Span): readonly [number, number] {
  const from = offsetOf(doc, span.line, span.col);
  return [from, Math.max(from, offsetOf(doc, span.end_line, span.end_col))];
}

/** The same of a plain text, in order. */
export function offsetsOf(text: string, spans: readonly Span[]): (readonly [number, number])[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const offset = (line: number, col: number): number => Math.min(text.length, (starts[line - 1] ?? text.length) + col);
  return spans
    .map((span) => [offset(span.line, span.col), offset(span.end_line, span.end_col)] as const)
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}
