/**
 * What the printed params of shard_map and pallas_call say of single operands and results: partition specs, block shapes, index maps.
 * JAX prints them as text; what does not read as expected is left out.
 */
import type { Eqn, Jaxpr, Program } from "../../model/types.ts";
import { isLeftOut } from "./left.ts";

/** `Mesh('data': 2, 'model': 4, axis_types=...)` -> [["data", "2"], ["model", "4"]] */
export function meshAxes(text: string): [string, string][] {
  return [...text.matchAll(/'([^']+)': (\d+)/g)].map((match) => [match[1]!, match[2]!]);
}

/** The parts of a printed tuple: `(P('a', 'b'), P())` -> [`P('a', 'b')`, `P()`]. Null where the text is none. */
export function tupleParts(text: string): string[] | null {
  if (!text.startsWith("(") || !text.endsWith(")")) return null;
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const char of text.slice(1, -1)) {
    if ("([{".includes(char)) depth++;
    if (")]}".includes(char)) depth--;
    if (depth < 0) return null;
    if (char === "," && depth === 0) {
      parts.push(part.trim());
      part = "";
    } else part += char;
  }
  if (part.trim() !== "") parts.push(part.trim());
  return parts;
}

function param(eqn: Eqn, name: string): string {
  return eqn.params.find((each) => each.name === name)?.text ?? "";
}

/** Lines for the pill of each operand and each result. */
export interface Seats {
  ins: string[][];
  outs: string[][];
}

export function seatNotes(eqn: Eqn, program: Program): Seats {
  if (eqn.primitive === "shard_map") return shardSpecs(eqn);
  if (eqn.primitive === "pallas_call") return blockSpecs(eqn, program);
  return nothing(eqn);
}

function nothing(eqn: Eqn): Seats {
  return { ins: eqn.operands.map(() => []), outs: eqn.results.map(() => []) };
}

function shardSpecs(eqn: Eqn): Seats {
  const said = (name: string, count: number): string[][] => {
    const parts = tupleParts(param(eqn, name));
    return Array.from({ length: count }, (_, i) => (parts?.length === count ? [parts[i]!] : []));
  };
  return { ins: said("in_specs", eqn.operands.length), outs: said("out_specs", eqn.results.length) };
}

/** `GridMapping(grid=(2, 2), ...)` -> `grid 2 × 2`; "" without a grid. */
export function gridOf(text: string): string {
  const sizes = text.match(/^GridMapping\(grid=\(([^)]*)\)/)?.[1] ?? "";
  const grid = sizes.split(",").flatMap((size) => size.trim() || []);
  return grid.length > 0 ? `grid ${grid.join(" \u00d7 ")}` : "";
}

const INDEX_MAP = /^grid_mapping\.block_mappings\[(\d+)\]\.index_map_jaxpr$/;

/** The number of the block mapping whose index map this body is, or null. */
export function mappingOf(path: string): number | null {
  const found = path.match(INDEX_MAP)?.[1];
  return found === undefined ? null : Number(found);
}

/** `(i, j) → (j, 0)`; null where the map computes something, so that one has to look inside. */
export function indexMap(body: Jaxpr | undefined): string | null {
  if (!body || body.eqns.length > 0 || isLeftOut(body)) return null;
  const name = (id: string): string => body.vars[id]?.label ?? body.vars[id]?.name ?? "?";
  const outs = body.outvars.map((atom) => ("var" in atom ? name(atom.var) : atom.literal));
  return `(${body.invars.map(name).join(", ")}) \u2192 (${outs.join(", ")})`;
}

function blockSpecs(eqn: Eqn, program: Program): Seats {
  const text = param(eqn, "grid_mapping");
  const seats = nothing(eqn);
  const prefetched = Number(text.match(/num_index_operands=(\d+)/)?.[1] ?? 0);
  const blocks = [...text.matchAll(/BlockMapping\(block_shape=\(((?:[^()]|\([^()]*\))*)\)/g)].map((match) => blockShape(match[1]!));
  // The mappings are those of the operands after the prefetched ones, then those of the results.
  const places = [...seats.ins.slice(prefetched), ...seats.outs];
  const fits = blocks.length === places.length;
  if (fits) for (const [i, shape] of blocks.entries()) places[i]!.push(`block ${shape}`);
  const mapped = fits && gridOf(text) !== "";
  for (const call of eqn.nested) {
    const mapping = mappingOf(call.param);
    const map = mapping === null || !mapped ? null : indexMap(program.jaxprs[call.jaxpr]);
    if (mapping !== null && map !== null) places[mapping]?.push(map);
  }
  for (const [operand, result] of aliases(param(eqn, "input_output_aliases"))) {
    seats.ins[operand]?.push(`becomes result ${result}`);
    seats.outs[result]?.push(`in place of operand ${operand}`);
  }
  return seats;
}

/** `Blocked(block_size=4), Squeezed()` -> `(4, -)` */
function blockShape(text: string): string {
  const sizes = (tupleParts(`(${text})`) ?? []).map((part) => part.match(/block_size=(\d+)/)?.[1] ?? (/^\d+$/.test(part) ? part : "-"));
  return `(${sizes.join(", ")})`;
}

function aliases(text: string): [number, number][] {
  return [...text.matchAll(/\((\d+), (\d+)\)/g)].map((match) => [Number(match[1]), Number(match[2])]);
}
