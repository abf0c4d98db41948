// What kind of text stands in the editor, from how it begins: for its colours and its limit. The server decides for itself. Pure.
import type { TraceRequest } from "../../model/types.ts";

export type Input = NonNullable<TraceRequest["input"]>;

const COMMENTS = /^(?:\s+|\/\/[^\n]*\n?|#[\w-]+\s*=[^\n]*\n?)+/;
const BEGINNINGS: readonly (readonly [Input, RegExp])[] = [
  [
    "mlir",
    /^(?:(?:builtin\.)?module\b(?=\s*[@{]|\s+attributes\b)|"[a-z]\w*\.[\w.]+"\s*(?:<\{|\()|(?:func\.)?func\s+(?:(?:public|private)\s+)?@|!\w+\s*=\s*[!\w<(]|[a-z]\w*\.\w+\s+@\w|%[\w$.-]+(?::\d+)?(?:\s*,\s*%[\w$.-]+)*\s*=\s*(?:"|[a-z]\w*\.))/,
  ],
  ["hlo", /^(?:HloModule\s+[\w.-]+|ENTRY\s+%?[\w.-]+\s*[({])/],
  // Said by comments or not.
  ["jaxpr", /^(?:#[^\n]*\n|\s+)*(?:let\s+)?(?:\w+\s*=\s*)?\{\s*lambda\b[^;:]{0,2000}[;:]/],
];
/** Long enough for the comments that tests begin with. */
const SEEN = 20_000;

export function kindOf(source: string): Input {
  const text = source.slice(0, SEEN).replace(/^\ufeff/, "");
  const start = text.slice(COMMENTS.exec(text)?.[0].length ?? 0);
  return BEGINNINGS.find(([, pattern]) => pattern.test(start))?.[0] ?? "python";
}

/** What one text may have: the server's own limits, said before anything is sent. */
export const MOST_CODE = 1_000_000;
export const MOST_OTHER = 16_000_000;
