// What a hover card says of an equation, a value or an op: the words of the inspector, cut to what fits in a glance. Pure.
import { bytesOf } from "../../drawing/cost/bytes.ts";
import { bytesText } from "../../drawing/cost/format.ts";
import { attributeText } from "../../drawing/graph/ops/notes.ts";
import type { Scene } from "../../drawing/scene.ts";
import type { Module, Program, Span, Var } from "../../model/types.ts";
import { explain, operandRows, resultRows, type Sentence } from "../explain/index.ts";
import { bodyOf, splitKey } from "./follow/places.ts";
import { endName } from "./follow/words.ts";
import { nameOf, type Place, placeOf } from "./instances.ts";
import { moduleIndex } from "./links.ts";
import { titleOf } from "./titles.ts";
import { factsOf } from "./value.ts";

export interface CardRow {
  readonly role: string;
  readonly kind: string | null;
  readonly name: string;
  readonly type: string;
}

export interface CardFacts {
  readonly title: string;
  readonly note: string;
  readonly sentences: readonly Sentence[];
  readonly takes: readonly CardRow[];
  readonly gives: readonly CardRow[];
  /** Rows that were left out of `takes` and `gives`. */
  readonly more: readonly [takes: number, gives: number];
  readonly facts: readonly (readonly [name: string, text: string])[];
  readonly source: { readonly line: number; readonly text: string } | null;
}

const MOST_ROWS = 5;
const MOST_FACTS = 4;
const MOST_READERS = 4;
const LONGEST = 60;

/** What the item of a drawing is about: a box an equation or an op, a pill, port, wire or chip its value; else the hint of the drawing. */
export function cardOf(
  program: Program,
  module: Module | null,
  scene: Scene | null,
  pointed: { readonly key: string; readonly eqn: string | null; readonly value: string | null },
  source: string,
): CardFacts | null {
  const node = scene?.nodes.find(({ key }) => key === pointed.key);
  const whole = node === undefined ? (scene?.frames.some(({ key }) => key === pointed.key) ?? false) : /^(op|closed)$/.test(node.kind);
  const found =
    module !== null
      ? whole && pointed.eqn !== null
        ? opCard(module, pointed.eqn, source)
        : null
      : whole && pointed.eqn !== null
        ? eqnCard(program, pointed.eqn, source)
        : pointed.value !== null
          ? valueCard(program, pointed.value, source)
          : null;
  return found ?? hintCard(scene, pointed.key);
}

function eqnCard(program: Program, path: string, source: string): CardFacts | null {
  const place = placeOf(program, path);
  if (place === null) return null;
  const { eqn } = place;
  const takes = operandRows(program, place).map((row): CardRow => ({ role: row.role, kind: row.kind, name: row.name, type: row.aval }));
  const gives = resultRows(program, place).map((row): CardRow => ({ role: row.role, kind: row.kind, name: row.name, type: row.aval }));
  const params = eqn.params
    .filter(({ name }) => !eqn.nested.some((call) => call.param === name || call.param.startsWith(`${name}[`)))
    .map(({ name, text }) => [name, cut(text)] as const)
    .filter(([, text]) => text !== "None");
  const bytes = bytesOfResults(place);
  return {
    title: titleOf(eqn),
    note: eqn.results.length === 1 ? (eqn.results[0]?.aval ?? "") : `${eqn.results.length} results`,
    sentences: explain(program, path).slice(0, 2),
    takes: takes.slice(0, MOST_ROWS),
    gives: gives.slice(0, MOST_ROWS),
    more: [Math.max(0, takes.length - MOST_ROWS), Math.max(0, gives.length - MOST_ROWS)],
    facts: [...params.slice(0, MOST_FACTS), ...(bytes === null ? [] : [["makes", bytesText(bytes)] as const])],
    source: excerpt(eqn.span, source),
  };
}

function bytesOfResults({ jaxpr, eqn }: Place): number | null {
  const sizes = eqn.results.map((result) => sizeOf(jaxpr.vars[result.var]));
  return sizes.length === 0 || sizes.includes(null) ? null : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}

function sizeOf(variable: Var | undefined): number | null {
  return variable === undefined ? null : bytesOf(variable);
}

function valueCard(program: Program, key: string, source: string): CardFacts | null {
  const facts = factsOf(program, key);
  if (facts === null) return null;
  const { variable, maker, readers, returned, bound } = facts;
  const name = nameOf(variable);
  const bytes = bytesOf(variable);
  const read = readers.slice(0, MOST_READERS).map((path) => endName(program, path));
  const more = readers.length - read.length;
  const uses = [...read, ...(more > 0 ? [`${more} more`] : []), ...(returned ? ["returned"] : [])];
  const span = bound ?? (maker === null ? null : (placeOf(program, maker)?.eqn.span ?? null));
  return {
    title: name,
    note: variable.aval,
    sentences: [bindingOf(program, key, maker)],
    takes: [],
    gives: [],
    more: [0, 0],
    facts: [
      ...(name === variable.name ? [] : [["in the jaxpr", variable.name] as const]),
      ["read by", uses.length === 0 ? "nothing" : uses.join(", ")],
      ...(bytes === null ? [] : [["size", bytesText(bytes)] as const]),
    ],
    source: excerpt(span, source),
  };
}

/** Where a value comes from: made by an equation, an input, or bound in a body, with the role it has there. */
function bindingOf(program: Program, key: string, maker: string | null): Sentence {
  const { path, id } = splitKey(key);
  const body = bodyOf(program, path);
  if (maker !== null) {
    const place = placeOf(program, maker);
    const result = place?.eqn.results.find((each) => each.var === id);
    const kind = result?.kind ?? null;
    return [
      "Made by ",
      { code: place === null ? "?" : titleOf(place.eqn) },
      ...(kind === null ? [] : [", a ", { code: kind, role: kind }]),
      ".",
    ];
  }
  if (body === null) return [];
  const constant = body.jaxpr.constvars.includes(id);
  if (body.held === null) return [constant ? "A const of the program." : "An input of the program."];
  const { eqn, call } = body.held;
  const from = constant ? call.consts[body.jaxpr.constvars.indexOf(id)] : call.inputs[body.jaxpr.invars.indexOf(id)];
  const operand = from?.from === "operand" ? eqn.operands[from.index] : undefined;
  if (from === undefined || operand === undefined) return [`Bound in the body of ${titleOf(eqn)}.`];
  const outer = "var" in operand.atom ? endName(program, `${body.held.outer}|${operand.atom.var}`) : operand.atom.literal;
  const kind = operand.kind === null ? [] : [", a ", { code: operand.kind, role: operand.kind }];
  return [
    "Bound in the body of ",
    { code: titleOf(eqn) },
    " as ",
    { code: operand.role, role: operand.role },
    ...kind,
    ": outside it is ",
    { code: outer },
    ".",
  ];
}

function opCard(module: Module, path: string, source: string): CardFacts | null {
  const op = moduleIndex(module).ops.get(path.slice(path.lastIndexOf("/") + 1));
  if (op === undefined) return null;
  const row = (id: string, role: string | null): CardRow => {
    const value = module.values[id];
    const said = role !== null && value?.derived === true ? `${role} (derived)` : (role ?? "");
    return { role: said, kind: null, name: value?.label ?? value?.name ?? "?", type: value?.type ?? "" };
  };
  const takes = op.operands.map(({ value, role }) => row(value, role));
  const gives = op.results.map((id) => row(id, module.values[id]?.role ?? null));
  return {
    title: op.name,
    note: op.callee === null ? "" : `@${op.callee}`,
    sentences: [],
    takes: takes.slice(0, MOST_ROWS),
    gives: gives.slice(0, MOST_ROWS),
    more: [Math.max(0, takes.length - MOST_ROWS), Math.max(0, gives.length - MOST_ROWS)],
    facts: Object.entries(op.attributes)
      .slice(0, MOST_FACTS)
      .map(([name, text]) => [name, cut(attributeText(name, text))] as const)
      .concat(op.location == null ? [] : [["location", cut(op.location)]]),
    source: excerpt(op.span, source),
  };
}

/** What stands for several things, or for a literal: the drawing's own words. */
function hintCard(scene: Scene | null, key: string): CardFacts | null {
  if (scene === null) return null;
  const item = [scene.nodes, scene.frames, scene.chips, scene.ports, scene.wires].flatMap((items) =>
    items.filter((each) => each.key === key),
  )[0];
  const lines = (item?.hint ?? "").split("\n").filter((line) => line.trim() !== "");
  const [title, ...rest] = lines;
  if (title === undefined) return null;
  return {
    title: cut(title),
    note: "",
    sentences: rest.map((line) => [line]),
    takes: [],
    gives: [],
    more: [0, 0],
    facts: [],
    source: null,
  };
}

function excerpt(span: Span | null, source: string): CardFacts["source"] {
  const text = span === null ? undefined : source.split("\n")[span.line - 1]?.trim();
  return span === null || text === undefined || text === "" ? null : { line: span.line, text };
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}

/** All of a card as one line, for a screen reader. */
export function cardText(card: CardFacts): string {
  const words = card.sentences.map((sentence) =>
    sentence.map((piece) => (typeof piece === "string" ? piece : "code" in piece ? piece.code : piece.text)).join(""),
  );
  const rows = (title: string, list: readonly CardRow[]): string[] =>
    list.length === 0
      ? []
      : [`${title} ${list.map(({ role, name, type }) => [role, name, type].filter((part) => part !== "").join(" ")).join(", ")}.`];
  const facts = card.facts.map(([name, text]) => `${name}: ${text}.`);
  const line = card.source === null ? [] : [`Line ${card.source.line}: ${card.source.text}`];
  return [`${card.title} ${card.note}.`, ...words, ...rows("Takes", card.takes), ...rows("Gives", card.gives), ...facts, ...line].join(" ");
}
