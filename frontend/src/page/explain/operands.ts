// The rows of the inspector's tables: every operand and result of an equation with the role it plays and what it is inside.
import type { Jaxpr, Program } from "../../model/types.ts";
import { avalOfAtom, binderOf, isLiteral, makerOf, nameOf, nameOfAtom, type Place } from "../program/instances.ts";

export interface OperandRow {
  readonly index: number;
  readonly role: string;
  readonly kind: string | null;
  readonly name: string;
  /** JAX's own letter when `name` is the person's. */
  readonly letter: string | null;
  readonly aval: string;
  readonly literal: boolean;
  /** `own` when the name inside is the person's. */
  readonly inner: { readonly name: string; readonly aval: string; readonly own: boolean } | null;
  readonly linear: { readonly value: boolean; readonly derived: boolean } | null;
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

function innerOf(program: Program, { eqn }: Place, index: number): OperandRow["inner"] {
  for (const call of eqn.nested) {
    const binder = binderOf(program, call, index);
    if (binder !== null) return { name: nameOf(binder), aval: binder.aval, own: binder.label !== null };
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
