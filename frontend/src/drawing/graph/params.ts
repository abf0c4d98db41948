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
const SHOWN: Record<string, (param: (name: string) => string) => string> = {
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
  const text = shown ? shown(param) : axes ? `axes ${list(axes)}` : param("axis") ? `axis ${param("axis")}` : "";
  return text.length > MAX_NOTE ? `${text.slice(0, MAX_NOTE - 1)}\u2026` : text;
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
