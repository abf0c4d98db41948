// The sentences of the inspector: computed from the model alone, in plain words, the same for the same equation every time.
import type { Program, Twin } from "../../model/types.ts";
import { placeOf } from "../program/instances.ts";
import { explainCall } from "./calls.ts";
import { explainCond, explainWhile } from "./control.ts";
import { operandRows, resultRows } from "./operands.ts";
import { explainScan } from "./scan.ts";
import { listed, type Sentence } from "./words.ts";

export { type Group, groupsOf, type OperandRow, operandRows, type ResultRow, resultRows } from "./operands.ts";
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

/** The twins that an instance takes part in. */
export function twinsOf(program: Program, path: string): Twin[] {
  return program.twins.filter((twin) => twin.forward === path || twin.backward === path || twin.recomputed === path);
}

function twinSentences(program: Program, path: string): Sentence[] {
  return twinsOf(program, path).map((twin) => {
    const forward = placeOf(program, twin.forward);
    const backward = placeOf(program, twin.backward);
    const saved = forward === null ? [] : twin.residuals.map(({ result }) => resultRows(program, forward)[result]?.name ?? "?");
    const read = backward === null ? [] : twin.residuals.map(({ operand }) => operandRows(program, backward)[operand]?.name ?? "?");
    if (path === twin.recomputed) return ["The forward pass once more: it is run again here so that its values did not have to be kept."];
    if (path === twin.forward) {
      const tail: Sentence = saved.length === 0 ? ["It saves nothing for it."] : ["It saves ", ...listed(saved, "residual"), " for it."];
      return ["Its backward twin takes the same steps the other way. ", ...tail];
    }
    const tail: Sentence = read.length === 0 ? [] : [" and reads ", ...listed(read, "residual"), ", which the forward pass saved"];
    return ["The backward twin: it takes the steps of the forward loop in the other order, carries cotangents", ...tail, "."];
  });
}
