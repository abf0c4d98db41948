// Says in words how to read a scan: which operands its params claim, what is sliced, what is stacked, which way it walks.
import type { Program } from "../../model/types.ts";
import { type Place, paramOf } from "../program/instances.ts";
import { boundSentences } from "./bound.ts";
import { type Group, groupsOf, type OperandRow, operandRows, type ResultRow, resultRows } from "./operands.ts";
import { listed, namesOf, number, type Piece, plural, type Sentence, which } from "./words.ts";

export function explainScan(program: Program, place: Place): Sentence[] {
  const { eqn } = place;
  const operands = operandRows(program, place);
  const results = resultRows(program, place);
  const groups = groupsOf(operands);
  const sentences: Sentence[] = [walk(eqn.trips, paramOf(eqn, "reverse") === "True")];
  const of = (role: string): Group<OperandRow> | undefined => groups.find((group) => group.role === role);

  const consts = of("const");
  sentences.push(consts === undefined ? noConsts() : constSentence(consts, operands.length));
  if (consts !== undefined) sentences.push(...boundSentences(consts.rows, "a const", "consts"));
  const carry = of("carry");
  const carried = results.filter((row) => row.role === "carry");
  sentences.push(carry === undefined ? noCarry() : carrySentence(carry, carried, operands.length));
  const xs = of("xs");
  sentences.push(xs === undefined ? noSlices(eqn.trips) : sliceSentence(xs, operands.length));
  const stacked = results.filter((row) => row.role === "ys");
  if (stacked.length > 0) sentences.push(stackSentence(stacked));
  const unroll = paramOf(eqn, "unroll");
  if (unroll !== null && unroll !== "1") sentences.push(unrollSentence(unroll, eqn.trips));
  const linear = operands.filter((row) => row.linear?.value === true);
  if (linear.length > 0) sentences.push(linearSentence(linear));
  return sentences;
}

function walk(trips: number | null, reverse: boolean): Sentence {
  const times = trips === null ? "once per row" : trips === 1 ? "once" : `${trips} times`;
  const way = reverse
    ? ["last row first (", { code: "reverse=True" }, "): this loop walks backwards."]
    : ["first row to last (", { code: "reverse=False" }, ")."];
  return ["One equation for the whole loop: its body runs ", { code: times }, ", ", ...way];
}

function noConsts(): Sentence {
  return [{ code: "num_consts=0" }, " claims nothing: the body closes over no traced value. A Python number it uses is a literal inside."];
}

function constSentence(group: Group<OperandRow>, total: number): Sentence {
  const names = namesOf(group.rows);
  return [
    { code: `num_consts=${names.length}`, role: "const" },
    ` claims ${which(group.start, names.length, total)}, `,
    ...listed(names, "const"),
    ": the same whole value at every step.",
  ];
}

function noCarry(): Sentence {
  return [{ code: "num_carry=0" }, ": no state goes from one step to the next, so the steps do not depend on one another."];
}

function carrySentence(group: Group<OperandRow>, results: readonly ResultRow[], total: number): Sentence {
  const names = namesOf(group.rows);
  const one = names.length === 1;
  const finals = results.filter((row) => row.used);
  const end: Piece[] =
    results.length === 0
      ? ["."]
      : finals.length === 0
        ? [`; nothing reads ${results.length === 1 ? "the value" : "the values"} after the last step.`]
        : [
            finals.length < results.length
              ? "; of the values after the last step only "
              : `; after the last step ${one ? "it comes" : "they come"} out as `,
            ...listed(namesOf(finals), "carry"),
            finals.length === results.length ? "." : finals.length === 1 ? " is read." : " are read.",
          ];
  const start: Piece[] = group.rows.every((row) => row.literal) ? [" (a literal start)"] : [];
  return [
    { code: `num_carry=${names.length}`, role: "carry" },
    ` claims ${which(group.start, names.length, total)}, `,
    ...listed(names, "carry"),
    ...start,
    `: ${one ? "it starts" : "they start"} the state, which every step reads and replaces for the next one`,
    ...end,
  ];
}

function noSlices(trips: number | null): Sentence {
  return ["No operand is left to slice: the number of steps comes from ", { code: `length=${trips ?? "?"}` }, " alone."];
}

function sliceSentence(group: Group<OperandRow>, total: number): Sentence {
  const names = namesOf(group.rows);
  const pieces: Piece[] = [
    `What is left, ${which(group.start, names.length, total)}, `,
    ...listed(names, "xs"),
    `, ${names.length === 1 ? "is" : "are"} sliced along the leading axis, one row for each step`,
  ];
  return [
    ...pieces,
    ...shapes(
      group.rows.map((row) => [row.aval, row.inner?.aval ?? ""] as const),
      "xs",
    ),
    ".",
  ];
}

function stackSentence(rows: readonly ResultRow[]): Sentence {
  const unused = rows.filter((row) => !row.used).length;
  const tail: Piece[] =
    unused === 0 ? [] : unused === rows.length ? [" Nothing reads them."] : [` Nothing reads ${number(unused)} of them.`];
  return [
    "Stacked, one row a step: ",
    ...listed(namesOf(rows), "ys"),
    ...shapes(
      rows.map((row) => [row.inner?.aval ?? "", row.aval] as const),
      "ys",
    ),
    ".",
    ...tail,
  ];
}

/** ` (f32[6,2,3] → f32[2,3])`: how the type changes at the border of the body, for at most three kinds of it. */
function shapes(pairs: readonly (readonly [string, string])[], role: string): Piece[] {
  const known = [...new Set(pairs.filter(([from, to]) => from !== "" && to !== "").map(([from, to]) => `${from} → ${to}`))];
  if (known.length === 0 || known.length > 3) return [];
  const pieces: Piece[] = [" ("];
  known.forEach((code, index) => {
    if (index > 0) pieces.push("; ");
    pieces.push({ code, role });
  });
  return [...pieces, ")"];
}

function unrollSentence(unroll: string, trips: number | null): Sentence {
  const copies = Number(unroll);
  const turns = trips === null || !Number.isInteger(copies) || copies < 1 ? null : Math.ceil(trips / copies);
  const lowered = turns === null ? "" : ` (${plural(turns, "turn")} instead of ${trips})`;
  return [
    { code: `unroll=${unroll}` },
    ` changes nothing here. It is for the lowering, which puts that many steps into one turn of its loop${lowered}.`,
  ];
}

function linearSentence(rows: readonly OperandRow[]): Sentence {
  const derived = rows.some((row) => row.linear?.derived === true);
  return [
    ...listed(namesOf(rows), "cotangent"),
    ` ${rows.length === 1 ? "enters" : "enter"} linearly: the results are proportional to ${rows.length === 1 ? "it" : "them"}`,
    derived ? " (worked out here; this JAX prints no linear param)." : ".",
  ];
}
