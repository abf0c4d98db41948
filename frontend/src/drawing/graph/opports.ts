/** Ports, names and literals of lowered modules. */
import type { Module, Op } from "../../model/types.ts";
import type { PortInfo } from "./level.ts";
import { literalText, wireRole } from "./ports.ts";

const CAPTIONS = new Set(["const", "carry", "xs", "ys", "counter", "index"]);

/** `tensor<6x2x3xf32>` -> `6x2x3xf32`: MLIR's words without the wrapper. */
export function shortType(type: string): string {
  return type.match(/^tensor<(.*)>$/)?.[1] ?? type;
}

/** `stablehlo.add` -> `add`; other dialects keep their prefix. */
export function shortName(name: string): string {
  return name.replace(/^(stablehlo|func|mhlo)\./, "");
}

export function valueName(module: Module, id: string): string {
  const value = module.values[id];
  return value ? (value.label ?? value.name) : "";
}

export function valuePort(module: Module, id: string, role: string | null, path: string): PortInfo {
  const known = module.values[id];
  const name = valueName(module, id);
  const type = shortType(known?.type ?? "");
  const lines = [`${known?.name ?? ""} ${known?.type ?? ""}`, role ?? ""].filter((line) => line.trim() !== "");
  return {
    role: wireRole(role ?? "", null),
    group: role !== null && CAPTIONS.has(role) ? role : "",
    name,
    letter: known !== undefined && known.label === null,
    type,
    value: `${path}|${id}`,
    used: true,
    hint: lines.join("\n"),
    cotangent: false,
  };
}

/** The text of a constant for its chip: a splat as a number, anything else cut. `null` when the op is none. */
export function constantText(op: Op): string | null {
  if (op.name !== "stablehlo.constant" && op.name !== "mhlo.constant") return null;
  const text = (op.attributes.value ?? "").replace(/\s*:\s*tensor<.*>$/, "");
  const splat = text.match(/^dense<([^[\]]*)>$/)?.[1];
  if (splat === undefined) return text === "" ? "constant" : text;
  const number = Number(splat);
  if (splat === "" || Number.isNaN(number)) return splat;
  if (!/[.e]/i.test(splat)) return splat;
  const plain = String(number);
  return literalText(/[.e]/.test(plain) ? plain : `${plain}.0`);
}

const MAX_HINT = 600;

export function opHint(op: Op): string {
  const attributes = Object.entries(op.attributes).map(([name, text]) => `${name} = ${text}`);
  const text = [op.name, ...attributes].join("\n");
  return text.length > MAX_HINT ? `${text.slice(0, MAX_HINT)}\u2026` : text;
}

const NOTED: Record<string, (op: Op) => string> = {
  compare: (op) =>
    ({ LT: "<", LE: "\u2264", GT: ">", GE: "\u2265", EQ: "=", NE: "\u2260" })[word(op.attributes.comparison_direction)] ?? "",
  dot_general: (op) => dots(op.attributes.dot_dimension_numbers ?? ""),
  broadcast_in_dim: (op) => (digits(op.attributes.broadcast_dimensions) ? `dims ${digits(op.attributes.broadcast_dimensions)}` : ""),
  transpose: (op) => digits(op.attributes.permutation),
  reduce: (op) => `${shortName(op.regions[0]?.blocks[0]?.ops[0]?.name ?? "")} ${digits(op.attributes.dimensions)}`.trim(),
  iota: (op) => `dim ${op.attributes.iota_dimension?.split(" ")[0] ?? ""}`,
  concatenate: (op) => `dim ${op.attributes.dimension?.split(" ")[0] ?? ""}`,
  add: () => "+",
  subtract: () => "\u2212",
  multiply: () => "\u00d7",
  divide: () => "\u00f7",
  custom_call: (op) => (op.attributes.call_target_name ?? "").replace(/"/g, ""),
};

const MAX_NOTE = 22;

export function opNote(op: Op): string {
  const text = NOTED[shortName(op.name)]?.(op) ?? "";
  return text.length > MAX_NOTE ? `${text.slice(0, MAX_NOTE - 1)}\u2026` : text;
}

/** The last word of `#stablehlo<comparison_direction LT>`. */
function word(text = ""): string {
  return text.match(/(\w+)>?$/)?.[1] ?? "";
}

/** `array<i64: 0, 1>` -> `0,1` */
function digits(text = ""): string {
  return (text.match(/:\s*([-\d,\s]+)>/)?.[1] ?? "").replace(/\s/g, "");
}

function dots(text: string): string {
  const part = (name: string): string => (text.match(new RegExp(`${name} = \\[([^\\]]*)\\]`))?.[1] ?? "").replace(/\s/g, "");
  const batch = part("lhs_batching_dimensions");
  return `${batch ? `[${batch}] ` : ""}${part("lhs_contracting_dimensions")}\u00b7${part("rhs_contracting_dimensions")}`;
}
