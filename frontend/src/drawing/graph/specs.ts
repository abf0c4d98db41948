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
    return Array.from({ length: count }, (_, i) => (parts?.length === count ? specLines(parts[i]!) : []));
  };
  return { ins: said("in_specs", eqn.operands.length), outs: said("out_specs", eqn.results.length) };
}

/** `P('data', None, unreduced={'seq'})` -> [`P('data', None)`, `unreduced={'seq'}`]: one line would be wider than a pill. */
function specLines(spec: string): string[] {
  const parts = spec.startsWith("P(") ? tupleParts(spec.slice(1)) : null;
  const sums = parts?.filter((part) => /^(un)?reduced=/.test(part)) ?? [];
  if (parts === null || sums.length === 0) return [spec];
  return [`P(${parts.filter((part) => !sums.includes(part)).join(", ")})`, ...sums];
}

/** The axes over which a shard_map is mapped, with their sizes; null where that is all of the mesh, or the params do not say it. */
export function mappedAxes(eqn: Eqn): [string, string][] | null {
  const names = param(eqn, "newly_manual_axes").match(/^frozenset\(\{(.*)\}\)$/)?.[1];
  if (names === undefined) return null;
  const manual = new Set([...names.matchAll(/'([^']+)'/g)].map((match) => match[1]!));
  const axes = meshAxes(param(eqn, "mesh"));
  const mapped = axes.filter(([name]) => manual.has(name));
  return mapped.length === manual.size && mapped.length < axes.length ? mapped : null;
}

/** `GridMapping(grid=(2, 2), ...)` -> `grid 2 × 2`; "" without a grid. A size that an operand gives is `?`. */
export function gridOf(text: string): string {
  const sizes = text.match(/^GridMapping\(grid=\(([^)]*)\)/)?.[1] ?? "";
  const grid = sizes.split(",").flatMap((size) => (/^\s*DynamicGridDim/.test(size) ? "?" : size.trim() || []));
  return grid.length > 0 ? `grid ${grid.join(" \u00d7 ")}` : "";
}

const INDEX_MAP = /^grid_mapping\.block_mappings\[(\d+)\]\.index_map_jaxpr$/;

/** The number of the block mapping whose index map this body is, or null. */
function mappingOf(path: string): number | null {
  const found = path.match(INDEX_MAP)?.[1];
  return found === undefined ? null : Number(found);
}

/** `(i, j) → (j, 0)`; null where the map computes something or gives slices, so that one has to look inside. */
function indexMap(body: Jaxpr | undefined, dimensions: number): string | null {
  if (!body || body.eqns.length > 0 || body.outvars.length !== dimensions || isLeftOut(body)) return null;
  const name = (id: string): string => body.vars[id]?.label ?? body.vars[id]?.name ?? "?";
  const outs = body.outvars.map((atom) => ("var" in atom ? name(atom.var) : atom.literal));
  return `(${body.invars.map(name).join(", ")}) \u2192 (${outs.join(", ")})`;
}

/** What the index maps of a kernel say in a line, by the params that hold them. */
export function saidMaps(eqn: Eqn, program: Program): Map<string, string> {
  const said = new Map<string, string>();
  const blocks = blockShapes(param(eqn, "grid_mapping"));
  if (unmapped(eqn, blocks) === null) return said;
  for (const call of eqn.nested) {
    const shape = blocks[mappingOf(call.param) ?? -1];
    const map = shape && !shape.some((size) => size.startsWith("BoundedSlice")) ? indexMap(program.jaxprs[call.jaxpr], shape.length) : null;
    if (map !== null) said.set(call.param, map);
  }
  return said;
}

/**
 * How many operands have no block: the mappings are those of the last operands, then those of the results, and sizes of the grid, what index
 * maps read and what the kernel closes over stand ahead. Null where the counts do not fit.
 */
function unmapped(eqn: Eqn, blocks: readonly unknown[]): number | null {
  const ahead = eqn.operands.length + eqn.results.length - blocks.length;
  return ahead >= 0 && ahead <= eqn.operands.length ? ahead : null;
}

/** The place of the operand, or after all operands of the result, whose index map this body is; null where it is none. */
export function mappedPlace(eqn: Eqn, path: string): number | null {
  const mapping = mappingOf(path);
  const ahead = mapping === null ? null : unmapped(eqn, blockShapes(param(eqn, "grid_mapping")));
  return mapping === null || ahead === null ? null : ahead + mapping;
}

function blockSpecs(eqn: Eqn, program: Program): Seats {
  const text = param(eqn, "grid_mapping");
  const seats = nothing(eqn);
  const blocks = blockShapes(text);
  const ahead = unmapped(eqn, blocks);
  if (ahead !== null) {
    const places = [...seats.ins, ...seats.outs].slice(ahead);
    for (const [i, shape] of blocks.entries()) places[i]!.push(...blockLines(shape));
    // Without a grid there is one block, and nothing to say of where it lies.
    for (const [path, map] of gridOf(text) === "" ? [] : saidMaps(eqn, program)) places[mappingOf(path)!]?.push(map);
  }
  for (const [operand, result] of aliases(param(eqn, "input_output_aliases"))) {
    seats.ins[operand]?.push(`becomes result ${result}`);
    seats.outs[result]?.push(`in place of operand ${operand}`);
  }
  return seats;
}

/** `block (2, 4)`; what an index map of elements counts is said once where it is all of the block. */
function blockLines(shape: readonly string[]): string[] {
  const elements = shape.map((size) => size.match(/^Element\((\d+)\)$/)?.[1]);
  const all = shape.length > 0 && elements.every((size) => size !== undefined);
  return all ? [`block (${elements.join(", ")})`, "placed by element"] : [`block (${shape.join(", ")})`];
}

const MAPPING = "BlockMapping(block_shape=";

/** The block of each mapping, size by size: `Blocked(block_size=4)` -> `4`, `Squeezed()` -> `-`, `Element(block_size=16, ...)` -> `Element(16)`. */
function blockShapes(text: string): string[][] {
  const shapes: string[][] = [];
  for (let at = text.indexOf(MAPPING); at >= 0; at = text.indexOf(MAPPING, at + 1)) {
    const sizes = tupleParts(bracketed(text, at + MAPPING.length));
    if (sizes === null) return [];
    shapes.push(sizes.map(blockSize));
  }
  return shapes;
}

function blockSize(part: string): string {
  const [, kind = "", size = ""] = part.match(/^(?:(\w+)\()?(?:block_size=)?(\d+)/) ?? [];
  return size === "" ? "-" : kind === "" || kind === "Blocked" ? size : `${kind}(${size})`;
}

/** The text from a bracket to the one that closes it; "" where none does. */
function bracketed(text: string, at: number): string {
  let depth = 0;
  for (let end = at; end < text.length; end++) {
    if (text[end] === "(") depth++;
    else if (text[end] === ")" && --depth === 0) return text.slice(at, end + 1);
  }
  return "";
}

function aliases(text: string): [number, number][] {
  return [...text.matchAll(/\((\d+), (\d+)\)/g)].map((match) => [Number(match[1]), Number(match[2])]);
}
