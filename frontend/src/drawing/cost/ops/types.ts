/** Shapes and sizes of the values of a module, from their types as MLIR or HLO prints them. Null wherever the type does not say. */
import type { Module } from "../../../model/types.ts";
import { bytesOf } from "../bytes.ts";
import type { Shape } from "../contract.ts";

export interface Typed {
  readonly shape: Shape;
  readonly dtype: string;
}

const NAMES: Record<string, string> = { i1: "bool", pred: "bool", bf16: "bfloat16", c64: "complex64", c128: "complex128" };

/** `tensor<6x3xf32>` and `f32[6,3]{1,0}`; null for tokens, tuples, types that are no array. A dimension that is not known is its text. */
export function typed(type: string): Typed | null {
  const mlir = /^(?:tensor|vector)<((?:[\d?]+x)*)([a-zA-Z].*?)(?:, [#{].*)?>$/s.exec(type);
  if (mlir !== null) return { shape: dims(mlir[1]!.split("x")), dtype: dtypeOf(mlir[2]!) };
  const hlo = /^([a-z]\w*)\[([^\]]*)\]/.exec(type);
  return hlo === null ? null : { shape: dims(hlo[2]!.split(",")), dtype: dtypeOf(hlo[1]!) };
}

function dims(texts: readonly string[]): (number | string)[] {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .map((text) => (/^\d+$/.test(text) ? Number(text) : text));
}

/** MLIR's and HLO's names of element types as numpy has them. */
function dtypeOf(name: string): string {
  const known = NAMES[name];
  if (known !== undefined) return known;
  if (name === "complex<f32>") return "complex64";
  if (name === "complex<f64>") return "complex128";
  const number = /^(f|i|si|s|ui|u)(\d+)(E\w+)?$/i.exec(name);
  if (number === null) return name;
  const kind = number[1] === "f" ? "float" : number[1]!.startsWith("u") ? "uint" : "int";
  return `${kind}${number[2]}${number[3] === undefined ? "" : `_${number[3].toLowerCase()}`}`;
}

export function typeOf(module: Module, value: string | undefined): Typed | null {
  const known = value === undefined ? undefined : module.values[value];
  return known === undefined ? null : typed(known.type);
}

/** Tokens hold nothing; of anything else without a known size it is null. */
export function bytesOfValue(module: Module, value: string): number | null {
  const type = module.values[value]?.type ?? "";
  if (/token/.test(type)) return 0;
  const found = typed(type);
  return found === null ? null : bytesOf({ dtype: found.dtype, shape: [...found.shape] });
}
