/** The few params of a primitive that a reader needs at once; all others are for the tooltip and the inspector. */
import type { Eqn } from "../../model/types.ts";
import { refNote } from "./refs.ts";

const GLYPHS: Record<string, string> = {
  add: "+",
  add_any: "+",
  sub: "\u2212",
  mul: "\u00d7",
  div: "\u00f7",
  neg: "\u2212",
  lt: "<",
  le: "\u2264",
  gt: ">",
  ge: "\u2265",
  eq: "=",
  ne: "\u2260",
  sqrt: "\u221a",
};

/** Which param is shown for which primitive, and how. */
const SHOWN: Record<string, (param: Param) => string> = {
  integer_pow: (p) => `y=${p("y")}`,
  pow: () => "",
  dot_general: (p) => contraction(p("dimension_numbers")),
  convert_element_type: (p) => `\u2192 ${p("new_dtype")}`,
  iota: (p) => `dim ${p("dimension")}`,
  transpose: (p) => list(p("permutation")),
  concatenate: (p) => `dim ${p("dimension")}`,
  squeeze: (p) => `dim ${list(p("dimensions"))}`,
  expand_dims: (p) => `dim ${list(p("dimensions"))}`,
  slice: (p) => `${list(p("start_indices"))}:${list(p("limit_indices"))}`,
  broadcast_in_dim: (p) => (list(p("broadcast_dimensions")) ? `dims ${list(p("broadcast_dimensions"))}` : ""),
  rev: (p) => `dim ${list(p("dimensions"))}`,
  split: (p) => `axis ${p("axis")}`,
  sort: (p) => `dim ${p("dimension")}`,
  top_k: (p) => `k=${p("k")}`,
  dynamic_slice: (p) => `sizes ${list(p("slice_sizes"))}`,
  bitcast_convert_type: (p) => `\u2192 ${p("new_dtype")}`,
  reduce_precision: (p) => `e${p("exponent_bits")} m${p("mantissa_bits")}`,
  triangular_solve: (p) => (p("lower") === "True" ? "lower" : "upper"),
  conv_general_dilated: (p) => convolution(p),
  select_and_scatter_add: (p) => [SELECTED[p("select_prim")] ?? "", windowOf(p)].filter(Boolean).join(" "),
  all_gather: (p) => acrossAxes(p, p("all_gather_dimension")),
  reduce_scatter: (p) => acrossAxes(p, p("scatter_dimension")),
  all_to_all: (p) => acrossAxes(p, `${p("split_axis")}\u2192${p("concat_axis")}`),
  debug_print: (p) => p("fmt").replace(/\s+/g, " ").trim(),
  name: (p) => p("name"),
  custom_jvp_call: (p) => p("name"),
};

const MAX_NOTE = 22;

/** "" when nothing is worth it. */
export function noteOf(eqn: Eqn): string {
  const param = (name: string): string => eqn.params.find((p) => p.name === name)?.text ?? "";
  const glyph = GLYPHS[eqn.primitive];
  if (glyph !== undefined) return glyph;
  const touched = refNote(eqn);
  if (touched !== "") return touched;
  const shown = SHOWN[eqn.primitive];
  const axes = param("axes");
  const text = shown ? shown(param) : (axes && `axes ${list(axes)}`) || alongOf(param) || acrossAxes(param, "") || windowOf(param);
  if (text.length <= MAX_NOTE) return text;
  // No half of a pair is left behind.
  return `${text.slice(0, MAX_NOTE - 1).replace(/[\ud800-\udbff]$/, "")}\u2026`;
}

type Param = (name: string) => string;

/** What a comparison of two elements chooses. */
const SELECTED: Record<string, string> = { ge: "max", gt: "max", le: "min", lt: "min" };

/** `axis 0`, and `reverse` where a cumulative sum goes from the end. */
function alongOf(p: Param): string {
  return p("axis") === "" ? "" : `axis ${p("axis")}${p("reverse") === "True" ? " reverse" : ""}`;
}

/** Of a collective: the axes of the mesh, and the dimension of the value. */
function acrossAxes(p: Param, dim: string): string {
  const axes = list(p("axis_name"));
  return axes === "" ? "" : `axes ${axes}${dim === "" ? "" : ` dim ${dim}`}`;
}

function windowOf(p: Param): string {
  const window = list(p("window_dimensions"));
  return window === "" ? "" : `window ${window}`;
}

/** What makes a convolution another than the plain one. */
function convolution(p: Param): string {
  const unusual = (name: string): string => (/^[1,]*$/.test(list(p(name))) ? "" : list(p(name)));
  const said: [string, string][] = [
    ["strides", unusual("window_strides")],
    ["rhs_dilation", unusual("rhs_dilation")],
    ["lhs_dilation", unusual("lhs_dilation")],
    ["groups", unusual("feature_group_count")],
  ];
  return said.flatMap(([word, text]) => (text === "" ? [] : [`${word} ${text}`])).join(" ");
}

/** `(0, 1)` -> `0,1` */
function list(text: string): string {
  return text
    .replace(/np\.\w+\((-?\d+)\)/g, "$1")
    .replace(/[()[\]\s]/g, "")
    .replace(/,$/, "");
}

/** `(([1], [0]), ([], []))` -> `1\u00b70`: the contracted dimensions of left and right; batch dimensions in brackets before. */
function contraction(text: string): string {
  const groups = [...text.matchAll(/[[(]([\d,\s]*)[\])]/g)].map((match) => list(match[1] ?? ""));
  if (groups.length < 4) return "";
  const [left, right, batch] = groups;
  if (!left && !right) return batch ? `[${batch}]` : "outer";
  return `${batch ? `[${batch}] ` : ""}${left}\u00b7${right}`;
}
