/** What ops are called: in the picture, and in the tables of this folder. */
import type { Function as Func, Module, Op } from "../../../model/types.ts";

/** `stablehlo.add` -> `add`; other dialects keep their prefix. */
export function shortName(name: string): string {
  return name.replace(/^(stablehlo|func|mhlo)\./, "");
}

/** The name that tables go by, whatever the dialect: `stablehlo.dynamic_slice`, `vhlo.dynamic_slice_v2` and HLO's `dynamic-slice` are one. */
export function keyOf(name: string): string {
  let key = keys.get(name);
  if (key === undefined) {
    key = name
      .slice(name.lastIndexOf(".") + 1)
      .replace(/_v\d+$/, "")
      .replaceAll("-", "_");
    // A stranger's names are no reason to grow for ever.
    if (keys.size < MOST_KEYS) keys.set(name, key);
  }
  return key;
}

const keys = new Map<string, string>();
const MOST_KEYS = 2000;

/** What hands on the results of its block. */
export function isReturn(name: string): boolean {
  return /(^|[._])(return|yield)$/.test(name);
}

export function functionsByName(module: Module): Map<string, Func> {
  return new Map(module.functions.map((each) => [each.name, each]));
}

/** `tensor<6x2x3xf32>` -> `6x2x3xf32`: MLIR's words without the wrapper. */
export function shortType(type: string): string {
  return type.match(/^tensor<(.*)>$/)?.[1] ?? shortShape(type);
}

const HLO_SHAPE = /^([a-z]\w*\[[^\]]*\])(\{[^}]*\})$/;

/** `f32[3,4]{1,0}` -> `f32[3,4]`: a layout is said where it is not the usual one. */
function shortShape(type: string): string {
  const [, array, layout] = HLO_SHAPE.exec(type) ?? [];
  if (array === undefined) return type;
  const rank = array.endsWith("[]") ? 0 : array.split(",").length;
  return layout === `{${[...Array(rank).keys()].reverse().join(",")}}` ? array : type;
}

const TUPLES = new Set(["tuple", "get-tuple-element"]);

/** A tuple is its elements: what makes or takes apart one is drawn as the wires themselves. */
export function handsOn(op: Op): boolean {
  return TUPLES.has(op.name) && op.operands.length === op.results.length;
}

/** `"lapack_ssyevd_ffi"` -> lapack_ssyevd_ffi; `@name` -> name. */
export function plainText(text = ""): string {
  return text.replace(/^"(.*)"$/, "$1").replace(/^@/, "");
}
