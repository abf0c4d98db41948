// Says in words how to read while and cond.
import type { Program } from "../../model/types.ts";
import { isLiteral, type Place } from "../program/instances.ts";
import { boundSentences } from "./bound.ts";
import { groupsOf, operandRows, resultRows } from "./operands.ts";
import { listed, number, type Piece, plural, type Sentence, which } from "./words.ts";

export function explainWhile(program: Program, place: Place): Sentence[] {
  const rows = operandRows(program, place);
  const groups = groupsOf(rows);
  const results = resultRows(program, place).filter((row) => row.used);
  const sentences: Sentence[] = [
    [
      "Two bodies: ",
      { code: "cond_jaxpr" },
      " asks whether to go on, ",
      { code: "body_jaxpr" },
      " takes a step. How often is known only when it runs.",
    ],
  ];
  for (const group of groups) {
    const names = group.rows.map((row) => row.name);
    if (group.role === "cond_const") sentences.push(constsOf("cond_nconsts", "the condition", group.start, names, rows.length));
    if (group.role === "body_const") sentences.push(constsOf("body_nconsts", "the step", group.start, names, rows.length));
    if (group.role.endsWith("_const")) sentences.push(...boundSentences(group.rows, "a const", "consts"));
    if (group.role === "carry") {
      const end: Piece[] =
        results.length === 0
          ? [" Nothing reads where it ends."]
          : [
              " It ends as ",
              ...listed(
                results.map((row) => row.name),
                "carry",
              ),
              ".",
            ];
      sentences.push([
        `The rest, ${which(group.start, names.length, rows.length)}, `,
        ...listed(names, "carry"),
        names.length === 1
          ? ", is the state: the condition reads it, the step replaces it, with the same type every time."
          : ", are the state: the condition reads it, the step replaces it, with the same types every time.",
        ...end,
      ]);
    }
  }
  if (!groups.some((group) => group.role.endsWith("_const"))) sentences.push(["Neither body closes over a traced value."]);
  sentences.push(["Without a known number of steps there is nothing to walk back along, so reverse-mode derivatives are refused."]);
  return sentences;
}

function constsOf(param: string, who: string, start: number, names: readonly string[], total: number): Sentence {
  return [
    { code: `${param}=${names.length}`, role: "const" },
    ` claims ${which(start, names.length, total)}, `,
    ...listed(names, "const"),
    `: read by ${who} alone, the same at every step.`,
  ];
}

export function explainCond(program: Program, place: Place): Sentence[] {
  const { eqn } = place;
  const rows = operandRows(program, place);
  const index = rows.find((row) => row.role === "index") ?? rows[0];
  const rest = rows.filter((row) => row !== index);
  const branches = eqn.nested.map((call) => call.label);
  const sentences: Sentence[] = [];
  if (index !== undefined) {
    const cases: Piece[] =
      branches.length === 2 && !branches.every((label) => label.startsWith("branch "))
        ? [": 0 takes ", { code: branches[0] ?? "" }, ", 1 takes ", { code: branches[1] ?? "" }, "."]
        : [`, a number from 0 to ${branches.length - 1}.`];
    sentences.push([
      `Picks one of ${plural(branches.length, "branch").replace("branchs", "branches")} by the first operand, `,
      { code: index.name, role: "index" },
      ...cases,
    ]);
  }
  if (rest.length > 0) {
    sentences.push([
      rest.length === 1 ? "The other operand, " : `The other ${number(rest.length)} operands, `,
      ...listed(rest.map((row) => row.name)),
      rest.length === 1 ? ", goes whole to the branch that is taken." : ", go whole to the branch that is taken.",
    ]);
  }
  sentences.push(...boundSentences(rest, "an operand though nobody passes it", "operands though nobody passes them"));
  sentences.push([
    `All ${number(branches.length)} were traced and give results of the same types. Under vmap with a batched index every one of them runs.`,
  ]);
  if (eqn.operands[0] !== undefined && isLiteral(eqn.operands[0].atom))
    sentences.push(["The index is a literal: the choice was made while tracing."]);
  return sentences;
}
