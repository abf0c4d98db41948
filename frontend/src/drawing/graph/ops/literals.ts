/** Ops that are shown in their consumers: constants, and what only gives a constant another shape. */
import type { Op } from "../../../model/types.ts";
import { childPath } from "../folds.ts";
import type { Feed } from "../level.ts";
import { literalText } from "../ports.ts";
import type { Context } from "./context.ts";
import { keyOf } from "./names.ts";

const SHAPING = new Set(["broadcast_in_dim", "broadcast", "reshape", "convert"]);

/** Null for an op that is a box of its own. */
export function literalOf(ctx: Context, op: Op, path: string, feedOf: (id: string) => Feed): Feed | null {
  const [result] = op.results;
  if (result === undefined || op.results.length > 1) return null;
  const about = { eqn: childPath(path, op.id), value: `${path}|${result}` };
  const type = ctx.module.values[result]?.type ?? "";
  const text = constantText(op);
  if (text !== null) return { kind: "literal", text: `${text}${shapeText(type)}`, hint: `${op.attributes.value ?? ""}\n${type}`, ...about };
  const key = keyOf(op.name);
  if (key === "iota" && op.operands.length === 0) return { kind: "literal", text: iotaText(op, type), hint: `iota\n${type}`, ...about };
  if (!SHAPING.has(key) || op.operands.length !== 1) return null;
  const value = op.operands[0]!.value;
  const of = feedOf(value);
  if (of.kind !== "literal" || of.text.includes(" ")) return null;
  if (elementOf(ctx.module.values[value]?.type ?? "") !== elementOf(type)) return null;
  return { kind: "literal", text: `${of.text}${shapeText(type)}`, hint: `${of.hint}\n${key} to ${type}`, ...about };
}

const MOST_CHARS = 26;

/** The text of a constant for its chip: a splat as a number, anything else cut. `null` when the op is none. */
export function constantText(op: Op): string | null {
  if (keyOf(op.name) !== "constant" || op.operands.length > 0) return null;
  const text = (op.attributes.value ?? "").replace(/\s*:\s*(tensor|vector)<.*>$/s, "").replace(/ : \w+$/, "");
  const splat = text.match(/^dense<([^[\]]*)>$/)?.[1];
  if (splat === undefined || splat.startsWith("\u2026")) return text === "" ? "constant" : listed(text);
  const number = Number(splat);
  if (splat === "" || Number.isNaN(number)) return splat;
  if (/^0x/i.test(splat)) return special(splat) ?? splat;
  if (!/[.e]/i.test(splat)) return splat;
  const plain = String(number);
  return literalText(/[.e]/.test(plain) ? plain : `${plain}.0`);
}

/** `dense<[1, 2, 3]>` as a list; a long one by its beginning. */
function listed(text: string): string {
  const elided = text.match(/^dense<\u2026 ([\d,]+) x/)?.[1];
  if (elided !== undefined) return `${elided} numbers`;
  if (/^dense(_resource)?</.test(text) && !/^dense<\[/.test(text))
    return text.startsWith("dense_resource") ? "numbers of a resource" : "numbers";
  const inner = text.replace(/^dense<(.*)>$/s, "$1").replace(/\s+/g, "");
  return inner.length > MOST_CHARS ? `${inner.slice(0, MOST_CHARS - 1)}\u2026` : inner;
}

/** What MLIR writes in bits: infinities and NaN. */
function special(bits: string): string | null {
  if (/^0x(7F800000|7C00|7F80|7FF0{13})$/i.test(bits)) return "inf";
  if (/^0x(FF800000|FC00|FF80|FFF0{13})$/i.test(bits)) return "-inf";
  return /^0x[7F](F[CF]|FF8|E|F[89A-F])0*/i.test(bits) && /^0x(7FC0+|7FF80+|7E00|FFC0+)$/i.test(bits) ? "nan" : null;
}

function iotaText(op: Op, type: string): string {
  const shape = dimsOf(type);
  const dim = op.attributes.iota_dimension?.split(" ")[0] ?? "0";
  return shape.includes(",") ? `iota dim ${dim} [${shape}]` : `iota [${shape}]`;
}

/** `tensor<2x3xf32>` -> ` [2,3]`; a scalar has none. */
function shapeText(type: string): string {
  const dims = dimsOf(type);
  return dims === "" ? "" : ` [${dims}]`;
}

function dimsOf(type: string): string {
  const dims = type
    .match(/^(?:tensor|vector)<((?:[\d?]+x)+)/)?.[1]
    ?.slice(0, -1)
    .replace(/x/g, ",");
  return dims ?? type.match(/^[a-z]\w*\[([\d,?<=]+)\]/)?.[1] ?? "";
}

function elementOf(type: string): string {
  return type.replace(/^(?:tensor|vector)<(?:[\d?]+x)*(.*)>$/, "$1").replace(/\[.*$/, "");
}
