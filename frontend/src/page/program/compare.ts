// Two equations or two programs side by side, and in what they differ. Pure.
import type { Eqn, Program } from "../../model/types.ts";
import { operandRows, resultRows } from "../explain/operands.ts";
import { avalOfAtom, eqnIndex, nameOf, nameOfAtom, placeOf } from "./instances.ts";
import { namedOps } from "./opnames.ts";

export interface Cell {
  readonly text: string;
  /** Beside it, and no difference by itself: a letter of JAX's is another in every program. */
  readonly aside: string;
  readonly role: string;
}

export interface Difference {
  readonly name: string;
  readonly left: Cell | null;
  readonly right: Cell | null;
  readonly same: boolean;
}

export interface Section {
  readonly title: string;
  readonly rows: readonly Difference[];
}

export interface Side {
  readonly program: Program;
  /** Null: the program itself. */
  readonly path: string | null;
}

export function compare(left: Side, right: Side): Section[] {
  const sections = left.path === null || right.path === null ? programs(left.program, right.program) : equations(left, right);
  return sections.filter((section) => section.rows.length > 0);
}

/** `3 differences`, over all sections. */
export function differencesOf(sections: readonly Section[]): number {
  return sections.reduce((sum, { rows }) => sum + rows.filter((row) => !row.same).length, 0);
}

function equations(left: Side, right: Side): Section[] {
  const [a, b] = [left, right].map(({ program, path }) => (path === null ? null : placeOf(program, path)));
  if (a == null || b == null) return [];
  const nested = (side: typeof a): Set<string> => new Set(side.eqn.nested.map((call) => call.param.replace(/\[.*/, "")));
  const params = (side: typeof a): [string, string][] =>
    side.eqn.params.filter(({ name }) => !nested(side).has(name)).map(({ name, text }) => [name, text]);
  const scope = (side: typeof a): string => side.eqn.stack.map(({ kind, name }) => (kind === "transform" ? `${name}()` : name)).join(" / ");
  const ops = (side: Side, id: string): string =>
    namedOps(side.program, "stablehlo", id)
      .map(({ name, ids }) => (ids.length > 1 ? `${name} ×${ids.length}` : name))
      .join(", ");
  const operands = (side: Side, place: typeof a): Cell[] =>
    operandRows(side.program, place).map((row) => ({
      text: [row.role, row.kind ?? "", row.aval].join(" "),
      aside: row.name,
      role: row.kind ?? row.role,
    }));
  const results = (side: Side, place: typeof a): Cell[] =>
    resultRows(side.program, place).map((row) => ({
      text: [row.role, row.kind ?? "", row.aval].join(" "),
      aside: row.name,
      role: row.kind ?? row.role,
    }));
  return [
    {
      title: "Equation",
      rows: [
        row("primitive", plain(a.eqn.primitive), plain(b.eqn.primitive)),
        ...optional("runs", a.eqn.trips === null ? "" : `×${a.eqn.trips}`, b.eqn.trips === null ? "" : `×${b.eqn.trips}`),
        ...optional("name stack", scope(a), scope(b)),
        ...optional("effects", a.eqn.effects.join(", "), b.eqn.effects.join(", ")),
        ...optional("StableHLO", ops(left, a.eqn.id), ops(right, b.eqn.id)),
      ],
    },
    { title: "Params", rows: byName(params(a), params(b)) },
    { title: "Operands", rows: byPlace(operands(left, a), operands(right, b)) },
    { title: "Results", rows: byPlace(results(left, a), results(right, b)) },
  ];
}

function programs(left: Program, right: Program): Section[] {
  const counts = (program: Program): [string, string][] => {
    const found = new Map<string, number>();
    for (const { eqn } of eqnIndex(program).values()) found.set(eqn.primitive, (found.get(eqn.primitive) ?? 0) + 1);
    return [...found].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name, count]) => [name, String(count)]);
  };
  const entry = (program: Program) => (program.entry === null ? undefined : program.jaxprs[program.entry]);
  const [a, b] = [entry(left), entry(right)];
  const ins = (of: typeof a): Cell[] =>
    of?.invars.map((id) => ({ text: of.vars[id]?.aval ?? "", aside: nameOf(of.vars[id]), role: "" })) ?? [];
  const outs = (of: typeof a): Cell[] =>
    of?.outvars.map((atom) => ({ text: avalOfAtom(of, atom), aside: nameOfAtom(of, atom), role: "" })) ?? [];
  const total = (program: Program): string => eqnIndex(program).size.toLocaleString("en");
  return [
    { title: "Program", rows: [row("equations", plain(total(left)), plain(total(right)))] },
    { title: "Params that differ", rows: differingParams(left, right) },
    { title: "Primitives", rows: byName(counts(left), counts(right)) },
    { title: "Inputs", rows: byPlace(ins(a), ins(b)) },
    { title: "Outputs", rows: byPlace(outs(a), outs(b)) },
  ];
}

/** Of programs of the same equations, one after the other, the params in which these differ; of others nothing can be said so. */
function differingParams(left: Program, right: Program): Difference[] {
  const [a, b] = [left, right].map((program) => [...eqnIndex(program).values()].map(({ eqn }) => eqn)) as [Eqn[], Eqn[]];
  if (a.length !== b.length || a.some((eqn, at) => eqn.primitive !== b[at]?.primitive)) return [];
  return a.flatMap((eqn, at) =>
    eqn.params
      .filter(({ name }) => !eqn.nested.some((call) => call.param === name || call.param.startsWith(`${name}[`)))
      .map(({ name, text }) =>
        row(`${eqn.primitive} ${name}`, plain(text), plain(b[at]?.params.find((param) => param.name === name)?.text ?? "")),
      )
      .filter(({ same }) => !same),
  );
}

function plain(text: string): Cell {
  return { text, aside: "", role: "" };
}

function optional(name: string, left: string, right: string): Difference[] {
  return left === "" && right === "" ? [] : [row(name, plain(left), plain(right))];
}

function row(name: string, left: Cell | null, right: Cell | null): Difference {
  return { name, left, right, same: left?.text === right?.text };
}

/** In the order of the left; what only the right has stands behind. */
function byName(left: readonly (readonly [string, string])[], right: readonly (readonly [string, string])[]): Difference[] {
  const [a, b] = [new Map(left), new Map(right)];
  const names = [...new Set([...a.keys(), ...b.keys()])];
  const cell = (of: ReadonlyMap<string, string>, name: string): Cell | null => {
    const text = of.get(name);
    return text === undefined ? null : plain(text);
  };
  return names.map((name) => row(name, cell(a, name), cell(b, name)));
}

function byPlace(left: readonly Cell[], right: readonly Cell[]): Difference[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => row(String(at), left[at] ?? null, right[at] ?? null));
}
