/**
 * What a frame is called, and the lines under its title: what only its params say (direction, rules, policy, mesh, grid).
 * Must never: say more than the params do.
 */
import type { Eqn, Program } from "../../model/types.ts";
import { isLeftOut } from "./left.ts";
import { gridOf, mappedAxes, meshAxes } from "./specs.ts";

export function paramOf(eqn: Eqn, name: string): string {
  return eqn.params.find((param) => param.name === name)?.text ?? "";
}

/** Primitives whose one body is the person's function: its name stands for the equation's. */
const NAMED_BY_BODY = /^(custom_\w+|remat\w*|checkpoint|linear_call|pallas_call|call|core_call|closed_call|compute_on|fused_call)$/;

export function titleOf(eqn: Eqn, program: Program): string {
  if (eqn.primitive === "scan") {
    // Of a print that breaks off before its length, the length is not known.
    const length = eqn.trips ?? paramOf(eqn, "length");
    return `scan${length === "" ? "" : ` \u00d7${length}`}${reversed(eqn) ? " reverse" : ""}`;
  }
  if (eqn.primitive === "shard_map") {
    return ["shard_map", sizes(mappedAxes(eqn) ?? meshAxes(paramOf(eqn, "mesh")))].filter(Boolean).join(" ");
  }
  const own = paramOf(eqn, "name");
  if (own && own !== "None" && own !== "_" && own !== eqn.primitive) return `${eqn.primitive} ${own}`;
  const name = NAMED_BY_BODY.test(eqn.primitive) ? bodyName(eqn, program) : "";
  return name ? `${eqn.primitive} ${name}` : eqn.primitive;
}

function sizes(axes: readonly [string, string][]): string {
  return axes.map(([name, size]) => `${name}=${size}`).join(", ");
}

/** The name of the function that was traced into a body, where it has one that says anything. */
function bodyName(eqn: Eqn, program: Program): string {
  const call = eqn.nested.find(({ label }) => label === "kernel") ?? eqn.nested[0];
  return call === undefined || (eqn.nested.length > 1 && call.label !== "kernel") ? "" : functionName(program, call.jaxpr);
}

/** `step`; "" for a lambda and for what JAX made up. */
export function functionName(program: Program, jaxpr: string): string {
  const name = program.jaxprs[jaxpr]?.name ?? "";
  return /^[A-Za-z]\w*$/.test(name) && !/^(main|wrapped|args|fun|f?lat_fun)$/.test(name) ? name : "";
}

function reversed(eqn: Eqn): boolean {
  return paramOf(eqn, "reverse") === "True";
}

const NOTES: Record<string, (eqn: Eqn, program: Program) => string[]> = {
  scan: (eqn, program) => [functionName(program, eqn.nested[0]?.jaxpr ?? ""), direction(eqn), unrolled(eqn)],
  custom_jvp_call: (eqn, program) => [`rule: jvp ${printedName(eqn, "jvp")}`.trim(), nondiff(eqn, program), zeros(eqn)],
  custom_vjp_call: (eqn, program) => [...backwardRules(eqn), nondiff(eqn, program), zeros(eqn)],
  custom_vjp_call_jaxpr: (eqn, program) => [...backwardRules(eqn), nondiff(eqn, program), zeros(eqn)],
  remat_opt: () => ["fwd of a custom_vjp", "optimize_remat"],
  linear_call: () => ["rule: transpose"],
  custom_vmap_call: (eqn) => [`rule: vmap${ruleName(paramOf(eqn, "rule"))}`],
  custom_partitioning: () => ["rule: partition"],
  composite: (eqn) => [`version ${paramOf(eqn, "version")}`, attributes(paramOf(eqn, "attributes"))],
  compute_on: (eqn) => [paramOf(eqn, "compute_type")],
  fused_call: (eqn) => [`out ${spaces(paramOf(eqn, "out_spaces"))}`],
  xla_metadata_call: (eqn) => eqn.params.filter(({ name }) => name !== "jaxpr").map(({ name, text }) => `${name}=${text}`),
  shard_map: (eqn) => [mappedAxes(eqn) === null ? "" : `of the mesh ${sizes(meshAxes(paramOf(eqn, "mesh")))}`],
  pallas_call: (eqn) => [gridOf(paramOf(eqn, "grid_mapping"))],
  core_map: (eqn) => [coreAxes(paramOf(eqn, "mesh"))],
  run_scoped: () => ["refs that live inside"],
  remat: recomputing,
  remat2: recomputing,
  checkpoint: recomputing,
};

/** More would be a text, not a title. */
const MOST = 3;

export function notesOf(eqn: Eqn, program: Program): string[] {
  return (NOTES[eqn.primitive]?.(eqn, program) ?? []).filter((line) => line !== "").slice(0, MOST);
}

/** Which row comes first, where there are rows. */
function direction(eqn: Eqn): string {
  const rows = eqn.operands.some(({ role }) => role === "xs") || eqn.results.some(({ role }) => role === "ys");
  if (!rows || eqn.trips === null || eqn.trips < 2) return "";
  const last = eqn.trips - 1;
  return reversed(eqn) ? `rows ${last} \u2192 0` : `rows 0 \u2192 ${last}`;
}

function unrolled(eqn: Eqn): string {
  const unroll = paramOf(eqn, "unroll");
  return unroll === "" || unroll === "1" ? "" : `unroll=${unroll}`;
}

function zeros(eqn: Eqn): string {
  return paramOf(eqn, "symbolic_zeros") === "True" ? "symbolic zeros" : "";
}

/** The arguments that the rules do not differentiate: by name where every one has a name, else how many. */
function nondiff(eqn: Eqn, program: Program): string {
  const given = program.rules?.[eqn.id]?.nondiff ?? [];
  if (given.length === 0) return "";
  const names = given.flatMap(({ name }) => name ?? []);
  return `nondiff ${names.length === given.length && names.length < 4 ? names.join(", ") : `\u00d7${given.length}`}`;
}

/** ` f_bwd` of JAX's text about a function; "" of a lambda. */
function ruleName(text: string): string {
  const name = text.match(/Core: ([\w.]+)/)?.[1] ?? text.match(/<function ([\w.<>]+) at/)?.[1] ?? "";
  const last = name.slice(name.lastIndexOf(".") + 1);
  return /^[A-Za-z_]\w*$/.test(last) && last !== "memoized" ? ` ${last}` : "";
}

/** The rules of an equation that are functions with a name: which rule, and the name. */
export function rulesOf(eqn: Eqn): { readonly rule: string; readonly name: string }[] {
  const names: Record<string, string> = {
    jvp: printedName(eqn, "jvp"),
    fwd: printedName(eqn, "fwd"),
    bwd: printedName(eqn, "bwd") || ruleName(paramOf(eqn, "bwd")).trim(),
    vmap: eqn.primitive === "custom_vmap_call" ? ruleName(paramOf(eqn, "rule")).trim() : "",
  };
  return /^custom_/.test(eqn.primitive) ? Object.entries(names).flatMap(([rule, name]) => (name === "" ? [] : [{ rule, name }])) : [];
}

/** The two halves of a custom_vjp, each by the name of the person's function where JAX prints one. */
function backwardRules(eqn: Eqn): string[] {
  const fwd = printedName(eqn, "fwd");
  const bwd = printedName(eqn, "bwd") || ruleName(paramOf(eqn, "bwd")).trim();
  return fwd && bwd ? [`rules: fwd ${fwd}`, `bwd ${bwd}`] : [`rules: fwd, bwd ${bwd}`.trim()];
}

/** The name that JAX prints for a rule, which it keeps behind a thunk: a param of the print alone. */
function printedName(eqn: Eqn, name: string): string {
  const pieces = eqn.printed?.params?.find((param) => param.name === name)?.pieces ?? [];
  const text = pieces.length === 1 && pieces[0] !== undefined && "text" in pieces[0] ? pieces[0].text : "";
  // JAX's own rules are called after what they are: that says nothing.
  return /^[A-Za-z_]\w*$/.test(text) && text !== name ? text : "";
}

/** `(('scale', (2.0,), PyTreeDef(*)),)` -> `scale=2.0` */
function attributes(text: string): string {
  const found = [...text.matchAll(/\('([^']+)', \(([^()]*?),?\), PyTreeDef/g)];
  return found.map((match) => `${match[1]}=${match[2]}`).join(", ");
}

function spaces(text: string): string {
  return [...text.matchAll(/MemorySpace\.(\w+)/g)].map((match) => match[1]).join(", ") || text;
}

function coreAxes(text: string): string {
  const names = text.match(/axis_names=\(([^)]*)\)/)?.[1] ?? "";
  return names.replace(/['\s]/g, "").replace(/,$/, "");
}

/** A checkpoint before it is differentiated, and after: then its recomputed equations stand under a name of their own. */
function recomputing(eqn: Eqn, program: Program): string[] {
  const policy = policyOf(paramOf(eqn, "policy"));
  const cse = paramOf(eqn, "prevent_cse") === "False" ? "prevent_cse=False" : "";
  if (paramOf(eqn, "differentiated") !== "True") return [policy === "" ? "saves its operands only" : `policy ${policy}`, cse];
  const body = program.jaxprs[eqn.nested[0]?.jaxpr ?? ""];
  const eqns = body?.eqns ?? [];
  const again = eqns.filter(isRecomputed).length;
  const counted = again === 0 ? "recomputes nothing" : `recomputes ${again} of ${eqns.length}`;
  return [body === undefined || isLeftOut(body) ? "" : counted, policy && `policy ${policy}`, cse];
}

/** `<function nothing_saveable at 0x...>` -> `nothing_saveable`, `DotsSaveable(...)` -> `DotsSaveable`; "" for JAX's default. */
function policyOf(text: string): string {
  if (text === "None") return "";
  const name = text.match(/<function ([\w.<>]+)/)?.[1] ?? text.match(/^([A-Za-z_]\w*)\(/)?.[1] ?? "";
  return name.split(".").find((part) => /^[A-Za-z_]\w*$/.test(part) && part !== "CheckpointPolicies") ?? "of its own";
}

/** The tooltip of an equation, with what is said of one that is computed again. */
export function recomputedHint(eqn: Eqn, hint: string): string {
  return isRecomputed(eqn) ? `${hint}\nrecomputed: the forward pass did not keep it` : hint;
}

/** JAX puts the equations that a backward pass computes again under this name. */
export function isRecomputed(eqn: Eqn): boolean {
  return eqn.stack.some(({ name }) => name === "rematted_computation");
}
