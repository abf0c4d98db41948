// Says in words what an equation with one body, or without any, does: jit, checkpoint, rules of one's own, everything else.
import type { Program } from "../../model/types.ts";
import { type Place, paramOf } from "../program/instances.ts";
import { boundSentences } from "./bound.ts";
import { type OperandRow, operandRows, resultRows } from "./operands.ts";
import { listed, number, type Piece, plural, type Sentence } from "./words.ts";

/** More than this many bindings are left to the table. */
const MOST_RENAMED = 4;

const MEANINGS: Readonly<Record<string, Sentence>> = {
  jit: ["A function of its own: compiled once for these types and called here."],
  pjit: ["A function of its own: compiled once for these types and called here."],
  closed_call: ["A call: the body runs here once, as if it were written out."],
  core_call: ["A call: the body runs here once, as if it were written out."],
  checkpoint: ["Recompute instead of keep: a backward pass runs this body again, so that its inner values need not be saved."],
  remat2: ["Recompute instead of keep: a backward pass runs this body again, so that its inner values need not be saved."],
  custom_jvp_call: [
    "A function with a forward derivative rule of its own. The rule stays folded away until someone differentiates; then it stands in place of this body.",
  ],
  custom_vjp_call: [
    "A function with a backward rule of its own. The rule stays folded away until someone differentiates; then its two halves stand in place of this body.",
  ],
  custom_vjp_call_jaxpr: ["A function with a backward rule of its own. Differentiating puts the rule's two halves in place of this body."],
  custom_lin: ["The linear half of a rule of one's own, waiting for the transpose."],
  shard_map: ["The body runs once on every device, each on its own shard of the operands."],
  pallas_call: ["A kernel: the body runs once for every point of a grid, on blocks of the operands, through references."],
  custom_linear_solve: ["A linear solve by functions of one's own: the matrix product, the solve and, for derivatives, their transposes."],
  get: ["Reads a ref, as the last write before it left it."],
  swap: ["Writes a ref, and gives what was there before."],
  addupdate: ["Adds to a ref in place."],
  run_state: ["State that lives in this call only: the body works on refs, and what they hold at the end are the results."],
  run_scoped: ["Refs that live in this call only."],
  core_map: ["The body runs once on every core of a mesh, on the refs that it closes over."],
  linear_call: ["A function that is linear in its last operands, with a transpose of its own in place of the one JAX would derive."],
  custom_vmap_call: ["A function with a batching rule of its own. The rule stands in place of this body when someone maps over it."],
  composite: ["One op with a name that a compiler may know; the body says what it does where none does."],
  add_any: ["Sums cotangents: a value that was read in two places gets a gradient from each."],
  convert_element_type: ["Changes the type of the elements, nothing else."],
};

export function explainCall(program: Program, place: Place): Sentence[] {
  const { eqn } = place;
  const sentences: Sentence[] = [];
  const name = paramOf(eqn, "name");
  const meaning = MEANINGS[eqn.primitive];
  if (meaning !== undefined) sentences.push(name === null ? meaning : [{ code: name }, ". ", ...meaning]);
  if (isCheckpoint(eqn.primitive)) sentences.push(...recomputed(program, place));
  const operands = operandRows(program, place);
  const results = resultRows(program, place);
  if (meaning === undefined) {
    sentences.push(
      flat(
        eqn.primitive,
        operands.map((row) => row.name),
        results.map((row) => row.aval),
      ),
    );
  }
  const renamed = operands.filter((row) => row.inner?.own === true && row.inner.name !== row.name);
  if (renamed.length > 0 && renamed.length <= MOST_RENAMED) {
    sentences.push(["Inside, ", ...renamed.flatMap((row, index) => binding(row, index, renamed.length)), "."]);
  }
  sentences.push(...boundSentences(operands, "an operand though nobody passes it", "operands though nobody passes them"));
  if (eqn.nested.length > 1 || (eqn.nested.length === 1 && meaning === undefined)) {
    sentences.push([`${capital(plural(eqn.nested.length, "nested jaxpr"))}: `, ...listed(eqn.nested.map((call) => call.label)), "."]);
  }
  const dropped = results.filter((row) => !row.used);
  if (dropped.length > 0) {
    sentences.push(
      dropped.length === results.length
        ? ["Nothing reads what it gives."]
        : ["Nothing reads ", ...listed(dropped.map((row) => row.name)), "."],
    );
  }
  return sentences;
}

function isCheckpoint(primitive: string): boolean {
  return primitive === "checkpoint" || primitive === "remat" || primitive === "remat2";
}

/** Of a checkpoint that was differentiated: how much of it is the forward pass once more. */
function recomputed(program: Program, { eqn }: Place): Sentence[] {
  const body = program.jaxprs[eqn.nested[0]?.jaxpr ?? ""];
  if (paramOf(eqn, "differentiated") !== "True" || body === undefined || body.eqns.length === 0) return [];
  const again = body.eqns.filter(({ stack }) => stack.some(({ name }) => name === "rematted_computation")).length;
  if (again === 0) return [["It was differentiated, and nothing has to be computed again."]];
  const total = plural(body.eqns.length, "equation");
  return [
    [
      `It was differentiated: of its ${total} ${number(again)} ${again === 1 ? "is" : "are"} the forward pass once more, the rest goes back.`,
    ],
  ];
}

function binding(row: OperandRow, index: number, count: number): Piece[] {
  const joint = index === 0 ? "" : index === count - 1 ? " and " : ", ";
  return [joint, { code: row.name }, " is called ", { code: row.inner?.name ?? "" }];
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function flat(primitive: string, operands: readonly string[], avals: readonly string[]): Sentence {
  const from: Piece[] = operands.length === 0 ? [" makes "] : [" makes ", ...listed(avals), " from ", ...listed(operands)];
  return operands.length === 0 ? [{ code: primitive }, ...from, ...listed(avals), "."] : [{ code: primitive }, ...from, "."];
}
