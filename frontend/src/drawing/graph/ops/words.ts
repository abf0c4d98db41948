/**
 * Regions that a word says: the reducer of a reduce is `add`, that of a scatter `replace`, the comparator of a sort `ascending`.
 * Must never: say a word of a region that computes anything else, however little.
 */
import type { Function as Func, Op, Region } from "../../../model/types.ts";
import { isReturn, keyOf } from "./names.ts";

/** A value of a region, by what it is made from: arguments are `a0`, `a1`, ... */
type Expr = string;

const EITHER_WAY = new Set(["add", "multiply", "minimum", "maximum", "and", "or", "xor"]);
const IN_ORDER = new Set(["subtract", "divide", "power", "remainder", "atan2"]);
const COMPARED: Record<string, string> = { LT: "lt", LE: "le", GT: "gt", GE: "ge", EQ: "eq", NE: "ne" };
const MOST_OPS = 80;
const NAN = /^const:(0x7FC0*|0x7FF8*0*|0x7E0*|nan)$/i;
const ZERO = /^const:-?0(\.0*(e[+-]?0+)?)?$/i;

/** Regions of which nothing but a word is drawn; null where one has to look inside. */
export function wordsOf(op: Op, functions: ReadonlyMap<string, Func>): string[] | null {
  const key = keyOf(op.name);
  if (!WORDED.has(key)) return null;
  const called = op.callee === null ? undefined : functions.get(op.callee);
  const regions = called === undefined ? op.regions : [called.region];
  if (regions.length === 0) return null;
  const words = regions.map((region) => wordOf(region, key));
  return words.every((word) => word !== null) ? words : null;
}

const WORDED = new Set("reduce reduce_window reduce_scatter all_reduce scatter select_and_scatter sort map reduce_precision".split(" "));

function wordOf(region: Region, key: string): string | null {
  const results = resultsOf(region);
  const args = region.blocks[0]?.args.length ?? 0;
  if (results === null) return null;
  if (key === "sort") return results.length === 1 ? orderOf(results[0]!) : null;
  if (key === "map") return results.length === 1 && args <= 2 ? (pairWord(results[0]!, 0, 1) ?? oneWord(results[0]!)) : null;
  if (args !== 2 * results.length) return null;
  const extreme = extremeOf(results);
  if (extreme !== null) return extreme;
  const words = results.map((result, i) => pairWord(result, i, results.length + i));
  return words.some((word) => word === null) ? null : [...new Set(words)].join(", ");
}

/** `add` of two arguments; that the second replaces the first is said, too. */
function pairWord(result: Expr, first: number, second: number): string | null {
  if (result === `a${second}`) return "replace";
  const found = /^(\w+)\(a(\d+),a(\d+)\)$/.exec(result);
  if (found === null) return null;
  const [, name, left, right] = found;
  const straight = Number(left) === first && Number(right) === second;
  const turned = Number(left) === second && Number(right) === first;
  const known = EITHER_WAY.has(name!) || IN_ORDER.has(name!) || Object.values(COMPARED).includes(name!);
  return known && (straight || (turned && EITHER_WAY.has(name!))) ? name! : null;
}

function oneWord(result: Expr): string | null {
  return /^(\w+)\(a0\)$/.exec(result)?.[1] ?? null;
}

/** What JAX makes of argmax and argmin: the value and its index, of equal values the first, NaN above all. */
function extremeOf(results: readonly Expr[]): string | null {
  if (results.length !== 2) return null;
  for (const [word, way] of [
    ["argmax", "gt"],
    ["argmin", "lt"],
  ] as const) {
    const wins = sorted("or", [`${way}(a0,a2)`, "ne(a0,a0)"]);
    const first = sorted("or", [wins, sorted("and", ["eq(a0,a2)", "lt(a1,a3)"])]);
    if (results[0] === `select(${wins},a0,a2)` && results[1] === `select(${first},a1,a3)`) return word;
  }
  return null;
}

/** The order of a sort: of its first operand, then of the second, and so on. */
function orderOf(result: Expr): string | null {
  let rest = result;
  let keys = 0;
  let order = "";
  for (;;) {
    keys++;
    const last = /^(lt|gt)\((.*)\)$/.exec(rest);
    const way = last === null ? null : comparedKey(last[2]!);
    if (last !== null && way !== null) {
      const word = last[1] === "lt" ? "ascending" : "descending";
      if (order !== "" && order !== word) return null;
      return keys === 1 ? word : `${word} by ${keys} keys`;
    }
    const parts = partsOf(rest, "or");
    const leads = parts?.find((part) => /^(lt|gt)\(/.test(part));
    const ties = parts?.find((part) => part !== leads);
    const both = ties === undefined ? null : partsOf(ties, "and");
    if (parts?.length !== 2 || leads === undefined || both?.length !== 2) return null;
    const inner = leads.slice(3, -1);
    const equal = both.find((part) => part === `eq(${inner})`);
    const word = leads.startsWith("lt") ? "ascending" : "descending";
    if (comparedKey(inner) === null || equal === undefined || (order !== "" && order !== word)) return null;
    order = word;
    rest = both.find((part) => part !== equal)!;
  }
}

/** Of `f(a2),f(a3)` the f: the same of both sides of one operand. */
function comparedKey(text: string): string | null {
  const parts = split(text);
  if (parts.length !== 2) return null;
  const seat = /a(\d+)/.exec(parts[0]!)?.[1];
  if (seat === undefined || Number(seat) % 2 !== 0) return null;
  const other = parts[0]!.replaceAll(new RegExp(`\\ba${seat}\\b`, "g"), `a${Number(seat) + 1}`);
  return other === parts[1] && /^\w*\(?a\d+\)?$/.test(parts[0]!) ? parts[0]! : null;
}

function partsOf(text: Expr, name: string): string[] | null {
  return text.startsWith(`${name}(`) ? split(text.slice(name.length + 1, -1)) : null;
}

function split(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "(") depth++;
    else if (text[i] === ")") depth--;
    else if (text[i] === "," && depth === 0) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  return [...parts, text.slice(from)];
}

function sorted(name: string, parts: readonly Expr[]): Expr {
  return `${name}(${[...parts].sort().join(",")})`;
}

/** What a region of one block gives, as expressions of its arguments; null where it holds more than that. */
function resultsOf(region: Region): Expr[] | null {
  const [block, ...more] = region.blocks;
  if (block === undefined || more.length > 0 || block.ops.length > MOST_OPS) return null;
  const made = new Map<string, Expr>(block.args.map((id, i) => [id, `a${i}`]));
  for (const op of block.ops) {
    const operands = op.operands.map(({ value }) => made.get(value));
    if (operands.some((operand) => operand === undefined)) return null;
    if (isReturn(op.name)) return operands as Expr[];
    if (op.regions.length > 0 || op.callee !== null || op.results.length !== 1) return null;
    const text = expression(op, operands as Expr[]);
    if (text === null || text.length > 4000) return null;
    made.set(op.results[0]!, text);
  }
  return null;
}

function expression(op: Op, operands: readonly Expr[]): Expr | null {
  const key = keyOf(op.name);
  if (key === "constant") {
    const value = (op.attributes.value ?? "").replace(/\s*:.*$/s, "").match(/^(?:dense<)?([^<>[\]]*)>?$/)?.[1];
    return value === undefined ? null : `const:${value}`;
  }
  if (key === "compare") {
    const word = COMPARED[/(\w+)>?$/.exec(op.attributes.comparison_direction ?? op.attributes.direction ?? "")?.[1] ?? ""];
    return word === undefined ? null : word === "eq" || word === "ne" ? sorted(word, operands) : `${word}(${operands.join(",")})`;
  }
  if (key === "select" && operands.length === 3) return selected(operands as [Expr, Expr, Expr]);
  if (Object.keys(op.attributes).length > 0) return null;
  return EITHER_WAY.has(key) ? sorted(key, operands) : `${key}(${operands.join(",")})`;
}

/** JAX sorts -0 and 0 as equal and every NaN as one: to a reader that is the value itself. */
function selected([when, then, other]: [Expr, Expr, Expr]): Expr {
  if (NAN.test(then) && when === `ne(${other},${other})`) return other;
  const zeros = partsOf(when, "eq");
  if (ZERO.test(then) && zeros?.includes(other) && zeros.some((part) => ZERO.test(part))) return other;
  return `select(${when},${then},${other})`;
}
