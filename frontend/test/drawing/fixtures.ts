/** Traces of the example programs (scripts/fixtures.py writes them). */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Program, Trace } from "../../src/model/types.ts";

export const TRACES = resolve(import.meta.dirname, "../traces");

export interface Example {
  name: string;
  program: Program;
}

export function examples(): Example[] {
  return readdirSync(TRACES)
    .filter((file) => file.endsWith(".json"))
    .sort()
    .flatMap((file) => {
      const trace = JSON.parse(readFileSync(resolve(TRACES, file), "utf8")) as Trace;
      const many = trace.programs.length > 1;
      return trace.programs.map((program, i) => ({ name: file.replace(".json", "") + (many ? `-${i}` : ""), program }));
    });
}

export function example(name: string): Program {
  const found = examples().find((each) => each.name === name);
  if (!found) throw new Error(`no example ${name}`);
  return found.program;
}
