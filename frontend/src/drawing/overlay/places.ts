/** Where the instance paths of a program lead: the equation, the jaxpr it stands in, and how often it runs. */
import type { Site, Sites } from "../../model/sites.ts";
import type { Program } from "../../model/types.ts";

/** `e3:1/e7` -> `["e3", "e7"]`. */
export function idsOf(path: string): string[] {
  return path.split("/").map((segment) => segment.split(":")[0]!);
}

export function siteOf(sites: Sites, path: string): Site | null {
  return sites.get(idsOf(path).at(-1)!) ?? null;
}

/** How often the loops around an equation run it; loops of unknown length count once and are told. */
export function runsOf(sites: Sites, path: string): { times: number; perTurn: boolean } {
  let times = 1;
  let perTurn = false;
  for (const id of idsOf(path).slice(0, -1)) {
    const eqn = sites.get(id)?.eqn;
    if (eqn?.trips != null) times *= eqn.trips;
    else if (eqn?.primitive === "while" || eqn?.primitive === "pallas_call") perTurn = true;
  }
  return { times, perTurn };
}

/** Every instance path of a program in program order, at most `most` of them. */
export function* paths(program: Program, most: number): Generator<string> {
  let left = most;
  function* walk(jaxpr: string, before: string, above: readonly string[]): Generator<string> {
    for (const eqn of program.jaxprs[jaxpr]?.eqns ?? []) {
      if (left-- <= 0) return;
      const path = `${before}${eqn.id}`;
      yield path;
      if (above.includes(jaxpr)) continue;
      for (const [i, call] of eqn.nested.entries())
        yield* walk(call.jaxpr, `${path}${eqn.nested.length > 1 ? `:${i}` : ""}/`, [...above, jaxpr]);
    }
  }
  if (program.entry !== null) yield* walk(program.entry, "", []);
}
