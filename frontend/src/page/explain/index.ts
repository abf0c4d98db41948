// The sentences of the inspector: computed from the model alone, in plain words, the same for the same equation every time.
import type { Program } from "../../model/types.ts";
import { placeOf } from "../program/instances.ts";
import { twinsOf } from "../program/twins.ts";
import { explainCall } from "./calls.ts";
import { explainCond, explainWhile } from "./control.ts";
import { operandRows, resultRows } from "./operands.ts";
import { explainScan } from "./scan.ts";
import { listed, namesOf, type Sentence } from "./words.ts";

export { type Group, groupsOf, type Inner, type OperandRow, operandRows, type ResultRow, resultRows } from "./operands.ts";
export { type Piece, type Sentence, toText } from "./words.ts";

export function explain(program: Program, path: string): Sentence[] {
  const place = placeOf(program, path);
  if (place === null) return [];
  const { eqn } = place;
  const sentences =
    eqn.primitive === "scan"
      ? explainScan(program, place)
      : eqn.primitive === "while"
        ? explainWhile(program, place)
        : eqn.primitive === "cond"
          ? explainCond(program, place)
          : explainCall(program, place);
  return [...sentences, ...twinSentences(program, path)];
}

function twinSentences(program: Program, path: string): Sentence[] {
  return twinsOf(program, path).map((twin) => {
    const backward = placeOf(program, twin.backward);
    // With checkpoint it is the second run of the forward pass that saves anything.
    const saver = placeOf(program, twin.recomputed ?? twin.forward);
    const saved = saver === null ? [] : namesOf(known(twin.residuals.map(({ result }) => resultRows(program, saver)[result])));
    const read = backward === null ? [] : namesOf(known(twin.residuals.map(({ operand }) => operandRows(program, backward)[operand])));
    const loop = backward?.eqn.trips != null;
    const saves: Sentence = saved.length === 0 ? [] : [" Saved for the backward pass: ", ...listed(saved, "residual"), "."];
    if (path === twin.recomputed) return ["The forward pass once more, run again so that its values did not have to be kept.", ...saves];
    if (path === twin.forward) {
      const start = loop ? "Its backward twin takes the same steps the other way." : "Its backward twin is the transpose of this call.";
      return twin.recomputed === null ? [start, ...saves] : [start, " What that needs is not kept: this is run again first."];
    }
    const reads: Sentence = read.length === 0 ? [] : [", and reads ", ...listed(read, "residual"), ", which the forward pass saved"];
    return loop
      ? ["The backward twin: it takes the steps of the forward loop in the other order and carries cotangents", ...reads, "."]
      : [
          "The backward twin: the transpose of the forward call. It turns cotangents of its results into cotangents of its operands",
          ...reads,
          ".",
        ];
  });
}

function known<Row>(rows: readonly (Row | undefined)[]): Row[] {
  return rows.filter((row) => row !== undefined);
}
