/** What attributes say in a few letters beside the name of an op, and in words in a table. Rows by name; HLO's names fit as they are. */
import type { Op } from "../../../model/types.ts";
import { keyOf, plainText } from "./names.ts";

const COMPARED: Record<string, string> = { LT: "<", LE: "\u2264", GT: ">", GE: "\u2265", EQ: "=", NE: "\u2260" };

const NOTED: Record<string, (op: Op) => string> = {
  compare: (op) => COMPARED[word(op.attributes.comparison_direction ?? op.attributes.direction)] ?? "",
  dot_general: (op) => dots(op.attributes.dot_dimension_numbers ?? ""),
  dot: (op) => hloDots(op),
  broadcast: (op) => (digits(op.attributes.dimensions) ? `dims ${digits(op.attributes.dimensions)}` : ""),
  broadcast_in_dim: (op) => (digits(op.attributes.broadcast_dimensions) ? `dims ${digits(op.attributes.broadcast_dimensions)}` : ""),
  transpose: (op) => digits(op.attributes.permutation ?? op.attributes.dimensions),
  reverse: (op) => digits(op.attributes.dimensions),
  reduce: (op) => digits(op.attributes.dimensions),
  reduce_window: (op) => sizes(op.attributes.window_dimensions),
  select_and_scatter: (op) => sizes(op.attributes.window_dimensions),
  sort: (op) => dim(op.attributes.dimension ?? digits(op.attributes.dimensions)),
  map: (op) => digits(op.attributes.dimensions),
  iota: (op) => dim(op.attributes.iota_dimension),
  concatenate: (op) => dim(op.attributes.dimension ?? digits(op.attributes.dimensions)),
  get_dimension_size: (op) => dim(op.attributes.dimension),
  slice: (op) => ranges(op),
  dynamic_slice: (op) => sizes(op.attributes.slice_sizes ?? op.attributes.dynamic_slice_sizes),
  gather: (op) => sizes(op.attributes.slice_sizes),
  convolution: (op) => op.attributes.dim_labels?.replace("->", " ").replace("_", " ") ?? conv(op.attributes.dimension_numbers ?? ""),
  fft: (op) => word(op.attributes.fft_type),
  custom_call: (op) => plainText(op.attributes["mhlo.sharding"]) || "custom_call",
  sharding_constraint: (op) => shardings(op.attributes.sharding)[0] ?? "",
  composite: (op) => version(op),
  all_gather: (op) => dim(op.attributes.all_gather_dim),
  get_tuple_element: (op) => op.attributes.index?.split(" ")[0] ?? "",
  add: () => "+",
  subtract: () => "\u2212",
  multiply: () => "\u00d7",
  divide: () => "\u00f7",
};

const MAX_NOTE = 22;

/** `words` are those of its regions, where these are said by words. */
export function opNote(op: Op, words: readonly string[] | null): string {
  const own = NOTED[keyOf(op.name)]?.(op) ?? "";
  const text = words === null ? own : [words.join(" \u00b7 "), own].filter(Boolean).join(" ");
  return text.length > MAX_NOTE ? `${text.slice(0, MAX_NOTE - 1)}\u2026` : text;
}

/** Titles that are not the op's own name. */
const TITLED: Record<string, (op: Op) => string> = {
  fusion: (op) => `fusion ${(op.attributes.kind ?? "").replace(/^k/, "").toLowerCase()}`.trim(),
  custom_call: (op) => plainText(op.attributes.call_target_name ?? op.attributes.custom_call_target),
  composite: (op) => `composite ${plainText(op.attributes.name)}`,
};

export function titleOf(op: Op): string {
  return TITLED[keyOf(op.name)]?.(op) ?? "";
}

/** An attribute as a person reads it: without MLIR's wrapping, dimension numbers in words. */
export function attributeText(name: string, text: string): string {
  if (name === "dot_dimension_numbers") return dotWords(text) || text;
  const inner = text.match(/^#\w+<(?:\w+ )?(\w+)>$/)?.[1] ?? text.match(/^array<\w+(?:: (.*))?>$/)?.[1];
  if (inner !== undefined) return inner;
  if (/^array<\w+>$/.test(text)) return "none";
  const structured = text.match(/^#\w+\.(?:gather|scatter|conv|rng|sharding|channel_handle)?\w*<(.*)>$/s)?.[1];
  return structured ?? text.replace(/^(-?[\d.e+-]+|true|false) : \w+$/, "$1");
}

/** The last word of `#stablehlo<comparison_direction LT>`. */
function word(text = ""): string {
  return text.match(/(\w+)>?$/)?.[1] ?? "";
}

/** `array<i64: 0, 1>` -> `0,1` */
function digits(text = ""): string {
  return (text.match(/:\s*([-\d,\s]+)>/)?.[1] ?? text.match(/^\{([-\d,\s]*)\}$/)?.[1] ?? "").replace(/\s/g, "");
}

/** `array<i64: 2, 2>` -> `2 × 2` */
function sizes(text = ""): string {
  return digits(text).replaceAll(",", " \u00d7 ");
}

function dim(text = ""): string {
  const found = text.split(" ")[0] ?? "";
  return found === "" ? "" : `dim ${found}`;
}

function version(op: Op): string {
  const found = op.attributes.version?.split(" ")[0] ?? "";
  return found === "" || found === "0" ? "" : `version ${found}`;
}

/** `[0:1, 2:8:2]` */
function ranges({ attributes }: Op): string {
  if (attributes.slice !== undefined)
    return attributes.slice
      .replace(/^\{\[|\]\}$/g, "[")
      .replace(/\], \[/g, ", ")
      .replace(/\[$/, "]");
  const [from, to, by] = [attributes.start_indices, attributes.limit_indices, attributes.strides].map((text) => digits(text).split(","));
  if (from === undefined || to === undefined || from[0] === "") return "";
  const step = (i: number): string => (by?.[i] === undefined || by[i] === "" || by[i] === "1" ? "" : `:${by[i]}`);
  return `[${from.map((start, i) => `${start}:${to[i] ?? ""}${step(i)}`).join(", ")}]`;
}

/** `#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>` -> `b01f 01io` */
function conv(text: string): string {
  const parts = [...text.matchAll(/\[([^\]]*)\]/g)].map((match) => match[1]!.replace(/[,\s]/g, ""));
  return parts.slice(0, 2).join(" ");
}

function dotPart(text: string, name: string): string {
  return (text.match(new RegExp(`${name} = \\[([^\\]]*)\\]`))?.[1] ?? "").replace(/\s/g, "");
}

function dots(text: string): string {
  const batch = dotPart(text, "lhs_batching_dimensions");
  return `${batch ? `[${batch}] ` : ""}${dotPart(text, "lhs_contracting_dimensions")}\u00b7${dotPart(text, "rhs_contracting_dimensions")}`;
}

/** `lhs_contracting_dims={1}` and its like. */
function hloDots({ attributes }: Op): string {
  const batch = digits(attributes.lhs_batch_dims);
  return `${batch ? `[${batch}] ` : ""}${digits(attributes.lhs_contracting_dims)}\u00b7${digits(attributes.rhs_contracting_dims)}`;
}

function dotWords(text: string): string {
  const pair = (what: string, kind: string): string => {
    const [left, right] = [dotPart(text, `lhs_${kind}_dimensions`), dotPart(text, `rhs_${kind}_dimensions`)];
    return left === "" && right === "" ? "" : `${what} left ${left} with right ${right}`;
  };
  return [pair("contracts", "contracting"), pair("batch", "batching")].filter(Boolean).join("; ");
}

/** `[<@mesh, [{"a"}, {}]>, ...]` -> the dimensions of each: `a, –`. */
export function shardings(text = ""): string[] {
  return [...text.matchAll(/<@([\w.$-]+), \[((?:\{[^}]*\}(?:, )?)*)\]/g)].map((match) =>
    [...match[2]!.matchAll(/\{([^}]*)\}/g)].map((dim) => dim[1]!.replace(/"/g, "") || "\u2013").join(" \u00d7 "),
  );
}
