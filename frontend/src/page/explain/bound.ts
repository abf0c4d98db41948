// Says why an operand that nobody wrote is there: the body closes over a name that is bound outside of it, on this line.
import type { Span } from "../../model/types.ts";
import type { OperandRow } from "./operands.ts";
import { listed, type Piece, type Sentence } from "./words.ts";

/** More than these are left to the table. */
const MOST = 4;

/** `lr is bound outside of step, on line 7: that is why it is a const.` `what` they are: "a const"; empty where no row is known. */
export function boundSentences(rows: readonly OperandRow[], what: string, whats: string): Sentence[] {
  const found = rows.flatMap((row) =>
    row.inner === null || row.inner.bound === null ? [] : [{ ...row.inner, span: row.inner.bound, called: called(row) }],
  );
  const first = found[0];
  if (first === undefined || found.length > MOST) return [];
  const bodies = [...new Set(found.map((row) => row.body))];
  const outside: Piece[] = bodies.every((body) => /^[A-Za-z_]\w*$/.test(body))
    ? [" outside of ", ...listed(bodies)]
    : [" outside of the body"];
  if (found.length === 1) {
    return [
      [
        ...first.called,
        first.called.length > 1 ? ", is bound" : " is bound",
        ...outside,
        ", on ",
        line(first.span),
        `: that is why it is ${what}.`,
      ],
    ];
  }
  const names = found.flatMap((row, index): Piece[] => {
    const joint = index === 0 ? "" : index === found.length - 1 ? " and " : ", ";
    return [joint, ...row.called, " (", line(row.span), ")"];
  });
  return [[...names, " are bound", ...outside, `: that is why they are ${whats}.`]];
}

/** `lr`, or `lr, read as rate` where the body has another name for it. */
function called({ name, letter, inner }: OperandRow): Piece[] {
  const inside: Piece = { code: inner?.name ?? name, role: "const" };
  return inner === null || letter === null || inner.name === name ? [inside] : [{ code: name, role: "const" }, ", read as ", inside];
}

function line(span: Span): Piece {
  return { text: `line ${span.line}`, span };
}
