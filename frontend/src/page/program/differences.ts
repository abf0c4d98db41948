// What tells programs of one paste apart when their names do not. Pure.
import type { Program } from "../../model/types.ts";
import { eqnIndex } from "./instances.ts";

/** More than this says nothing at a glance. */
const MOST = 2;

/**
 * A short label for each program that shares its name with another: the params in which they differ (`unroll=4`) when they are equal
 * otherwise, else their number. Empty where the name is enough.
 */
export function distinctions(programs: readonly Program[]): string[] {
  const groups = new Map<string, Program[]>();
  for (const program of programs) {
    const group = groups.get(program.name);
    if (group === undefined) groups.set(program.name, [program]);
    else group.push(program);
  }
  return programs.map((program) => {
    const group = groups.get(program.name) ?? [];
    if (group.length < 2) return "";
    return differingParams(group).get(program) ?? `${group.indexOf(program) + 1}`;
  });
}

function differingParams(group: readonly Program[]): Map<Program, string> {
  const flat = group.map((program) => [...eqnIndex(program).values()].map(({ eqn }) => eqn));
  const first = flat[0] ?? [];
  const found = new Map<Program, string[]>(group.map((program) => [program, []]));
  if (flat.some((eqns) => eqns.length !== first.length || eqns.some((eqn, at) => eqn.primitive !== first[at]?.primitive))) return new Map();
  for (const [at, eqn] of first.entries()) {
    for (const [slot, param] of eqn.params.entries()) {
      const texts = flat.map((eqns) => eqns[at]?.params[slot]?.text ?? "");
      if (eqn.nested.some((call) => call.param === param.name) || texts.every((text) => text === param.text)) continue;
      group.forEach((program, index) => void found.get(program)?.push(`${param.name}=${texts[index]}`));
    }
  }
  const labels = [...found.values()].map((parts) => parts.join(" "));
  if (
    new Set(labels).size < group.length ||
    labels.some((label) => label === "") ||
    [...found.values()].some((parts) => parts.length > MOST)
  )
    return new Map();
  return new Map([...found].map(([program, parts]) => [program, parts.join(" ")]));
}
