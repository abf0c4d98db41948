// A program as an answer in parts brings it: what visualizer/model/parts/_rows.py does, for tests.
import type { Jaxpr, Program } from "../src/model/types.ts";

const ID = /"([a-z%])(0|[1-9]\d{0,8})"/g;

export function packedRows(things: readonly unknown[], templates: string[]): string {
  const numbers: number[] = [];
  for (const thing of things) {
    const found: number[] = [];
    const text = JSON.stringify(thing).replace(ID, (_, letter: string, number: string) => {
      found.push(Number(number));
      return `"${letter}#"`;
    });
    let at = templates.indexOf(text);
    if (at < 0) at = templates.push(text) - 1;
    numbers.push(at, ...found);
  }
  return Buffer.from(Int32Array.from(numbers).buffer).toString("base64");
}

/** Every body of it packed, whatever its size. */
export function packedProgram(program: Program): Program {
  const templates: string[] = [];
  const jaxprs = Object.entries(program.jaxprs).map(([id, jaxpr]) => {
    const eqns = packedRows(
      jaxpr.eqns.map((eqn) => ({ ...eqn, call: eqn.call == null ? null : `c${eqn.call}` })),
      templates,
    );
    const all = Object.values(jaxpr.vars);
    const vars = packedRows(
      all.map(({ name: _, ...rest }) => rest),
      templates,
    );
    const packed = { eqns, vars, names: all.map(({ name }) => name).join(" "), count: jaxpr.eqns.length };
    return [id, { ...jaxpr, eqns: [], vars: {}, packed }] satisfies [string, Jaxpr];
  });
  return { ...program, jaxprs: Object.fromEntries(jaxprs), templates };
}
