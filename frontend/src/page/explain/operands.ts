// The rows of the inspector's tables: every operand and result of an equation with the role it plays and what it is inside.
import type { Jaxpr, Program, Span } from "../../model/types.ts";
import { avalOfAtom, binderOf, isLiteral, makerOf, nameOf, nameOfAtom, type Place } from "../program/instances.ts";
import { boundAt } from "../program/value.ts";

export interface OperandRow {
  readonly index: number;
  readonly role: string;
  readonly kind: string | null;
  readonly name: string;
  /** JAX's own letter when `name` is the person's. */
  readonly letter: string | null;
  readonly aval: string;
  readonly literal: boolean;
  readonly inner: Inner | null;
  readonly linear: { readonly value: boolean; readonly derived: boolean } | null;
}

/** What an operand is in a body. */
export interface Inner {
  readonly name: string;
  readonly aval: string;
  /** Whether the name is the person's. */
  readonly own: boolean;
  /** The name of the body's function. */
  readonly body: string;
  /** Where a closed-over variable got its value. */
  readonly bound: Span | null;
}

export interface ResultRow {
  readonly index: number;
  readonly role: string;
  readonly kind: string | null;
  readonly name: string;
  readonly letter: string | null;
  readonly aval: string;
  readonly used: boolean;
  readonly inner: { readonly name: string; readonly aval: string } | null;
}

export function operandRows(program: Program, { jaxpr, eqn }: Place): OperandRow[] {
  return eqn.operands.map((operand, index) => ({
    index,
    role: operand.role,
    kind: operand.kind,
    name: nameOfAtom(jaxpr, operand.atom),
    letter: isLiteral(operand.atom) ? null : letterOf(jaxpr, operand.atom.var),
    aval: avalOfAtom(jaxpr, operand.atom),
    literal: isLiteral(operand.atom),
    inner: innerOf(program, { jaxpr, eqn }, index),
    linear: operand.linear,
  }));
}

export function resultRows(program: Program, { jaxpr, eqn }: Place): ResultRow[] {
  return eqn.results.map((result, index) => {
    let inner: ResultRow["inner"] = null;
    for (const call of eqn.nested) inner ??= makerOf(program, call, index);
    return {
      index,
      role: result.role,
      kind: result.kind,
      name: nameOf(jaxpr.vars[result.var]),
      letter: letterOf(jaxpr, result.var),
      aval: result.aval,
      used: result.used,
      inner,
    };
  });
}

function letterOf(jaxpr: Jaxpr, id: string): string | null {
  const variable = jaxpr.vars[id];
  return variable === undefined || variable.label === null || variable.label === variable.name ? null : variable.name;
}

function innerOf(program: Program, { eqn }: Place, index: number): Inner | null {
  for (const call of eqn.nested) {
    const binder = binderOf(program, call, index);
    const body = program.jaxprs[call.jaxpr];
    if (binder !== null && body !== undefined)
      return { name: nameOf(binder), aval: binder.aval, own: binder.label !== null, body: body.name, bound: boundAt(body, binder.id) };
  }
  return null;
}

/** A stretch of neighbouring operands of one role. */
export interface Group<Row> {
  readonly role: string;
  readonly start: number;
  readonly rows: readonly Row[];
}

export function groupsOf<Row extends { readonly role: string; readonly index: number }>(rows: readonly Row[]): Group<Row>[] {
  const groups: { role: string; start: number; rows: Row[] }[] = [];
  for (const row of rows) {
    const last = groups[groups.length - 1];
    if (last !== undefined && last.role === row.role) last.rows.push(row);
    else groups.push({ role: row.role, start: row.index, rows: [row] });
  }
  return groups;
}
