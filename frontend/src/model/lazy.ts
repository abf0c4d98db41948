// A packed jaxpr of which nothing is made before it is asked for. It is like any other jaxpr to whoever reads it; who walks over all of its
// equations can ask for the rows instead, and look at what those of one template have in common once.
import type { Rows, Templates } from "./rows.ts";
import type { Eqn, Evaluation, Jaxpr, Var, Written } from "./types.ts";

/** The call of a packed equation is an id. */
export type CalledEqn = Omit<Eqn, "call"> & { call: string };

/** In place: what a row makes is nobody else's, but where nothing of it differs, and then its call is the same, too. */
export function eqnOf(eqn: Eqn | CalledEqn): Eqn {
  if (typeof eqn.call === "string") (eqn as { call: unknown }).call = Number(eqn.call.slice(1));
  return eqn as Eqn;
}

const known = new WeakMap<Jaxpr, Rows<Eqn>>();

/** Null of a jaxpr that is whole already. */
export function rowsOf(jaxpr: Jaxpr): Rows<Eqn> | null {
  return known.get(jaxpr) ?? null;
}

export function laidOut(jaxpr: Jaxpr, templates: Templates): Jaxpr {
  const { packed } = jaxpr;
  if (packed == null) return jaxpr;
  const rows = templates.rows(packed.eqns, (thing) => eqnOf(thing as CalledEqn));
  let eqns: Eqn[] | null = null;
  const lazy: Jaxpr = {
    ...jaxpr,
    get eqns() {
      eqns ??= Array.from({ length: rows.count }, (_, row) => rows.at(row));
      return eqns;
    },
    vars: varsOf(
      templates.rows(packed.vars, (thing) => thing as Omit<Var, "name">),
      packed.names,
    ),
    packed: null,
  };
  known.set(lazy, rows);
  return lazy;
}

/** What was written at a place; its values are made when they are asked for. */
export function laidOutWritten(written: Written, templates: Templates): Written {
  let values: Evaluation[] | null = null;
  return {
    ...written,
    get values() {
      values ??= [...templates.read(written.packed)] as Evaluation[];
      return values;
    },
    packed: "",
  };
}

/** The variables by their ids; each is made when it is asked for. */
function varsOf(rows: Rows<Omit<Var, "name">>, packed: string): Jaxpr["vars"] {
  let names: readonly string[] | null = null;
  let places: Map<string, number> | null = null;
  const made = new Map<string, Var>();
  const placed = (): Map<string, number> => {
    if (places !== null) return places;
    places = new Map();
    for (let row = 0; row < rows.count; row++) {
      const pattern = rows.pattern(rows.templateOf(row));
      // Its first number, where its id is its first.
      if (pattern?.holes[0] !== "id") places.set(rows.at(row).id, row);
      else places.set((pattern.sample as Var).id.slice(0, 1) + rows.numbers[(rows.starts[row] ?? 0) + 1], row);
    }
    return places;
  };
  const read = (id: string | symbol): Var | undefined => {
    if (typeof id !== "string") return undefined;
    const before = made.get(id);
    if (before !== undefined) return before;
    const row = placed().get(id);
    if (row === undefined) return undefined;
    names ??= packed.split(" ");
    const variable: Var = { ...rows.at(row), name: names[row] ?? "" };
    made.set(id, variable);
    return variable;
  };
  return new Proxy<Jaxpr["vars"]>(
    {},
    {
      get: (_, id) => read(id),
      has: (_, id) => typeof id === "string" && placed().has(id),
      ownKeys: () => [...placed().keys()],
      getOwnPropertyDescriptor: (_, id) => {
        const value = read(id);
        return value === undefined ? undefined : { value, enumerable: true, configurable: true, writable: false };
      },
    },
  );
}

/** How many equations are here, without making them. */
export function eqnCount(jaxpr: Jaxpr): number {
  return rowsOf(jaxpr)?.count ?? jaxpr.eqns.length;
}

/** Those for which something holds that does not go by ids: of rows it is asked once for each template. */
export function* eqnsThat(jaxpr: Jaxpr, holds: (eqn: Omit<Eqn, "id" | "call">) => boolean): Generator<Eqn> {
  const rows = rowsOf(jaxpr);
  if (rows === null) {
    for (const eqn of jaxpr.eqns) if (holds(eqn)) yield eqn;
    return;
  }
  const decided: boolean[] = [];
  for (let row = 0; row < rows.count; row++) {
    const template = rows.templateOf(row);
    decided[template] ??= holds((rows.pattern(template)?.sample ?? rows.at(row)) as Eqn);
    if (decided[template]) yield rows.at(row);
  }
}
