/** Ports of equations: roles, captions, names and types from the wire model. */
import type { Eqn, Jaxpr, LiteralAtom, Operand, Result } from "../../model/types.ts";
import { bytesOf } from "../cost/bytes.ts";
import type { WireRole } from "../scene.ts";
import type { Feed, PortInfo } from "./level.ts";
import { isRef } from "./refs.ts";

type Var = Jaxpr["vars"][string];
export type Atom = Operand["atom"];

const WIRE_ROLES: Record<string, WireRole> = {
  const: "const",
  cond_const: "const",
  body_const: "const",
  carry: "carry",
  xs: "xs",
  ys: "ys",
};

const GROUPS = new Set(["const", "carry", "xs", "ys", "cond_const", "body_const", "index", "operand"]);

/** A residual keeps its caption but takes the residual's colour (DESIGN section 6: residual first, then the role). */
export function wireRole(role: string, kind: string | null): WireRole {
  if (kind === "residual") return "residual";
  return WIRE_ROLES[role] ?? "plain";
}

export function groupOf(role: string): string {
  return GROUPS.has(role) ? role : "";
}

export function nameOf(variable: Var | undefined): string {
  return variable ? (variable.label ?? variable.name) : "";
}

/** A variable that the person has no name for goes by JAX's letter. */
export function isLetter(variable: Var | undefined): boolean {
  return variable !== undefined && variable.label === null;
}

/** The name as tooltips and screen readers say it: what looks different on the screen has to sound different. */
export function spoken(name: string, letter: boolean): string {
  if (!letter) return name;
  return name.startsWith("%") ? `${name} (name in the module)` : `${name} (JAX's letter)`;
}

export function valueKey(path: string, varId: string): string {
  return `${path}|${varId}`;
}

export function avalOf(atom: Atom, jaxpr: Jaxpr): string {
  return "var" in atom ? (jaxpr.vars[atom.var]?.aval ?? "") : atom.aval;
}

const LONG_NUMBER = 8;

/** A long float with six digits; the tooltip has JAX's own text. */
export function literalText(text: string): string {
  if (text.length <= LONG_NUMBER || !/^-?\d[\d.]*(e[-+]?\d+)?$/i.test(text) || !/[.e]/i.test(text)) return text;
  const short = String(Number(Number(text).toPrecision(6)));
  return /[.e]/.test(short) ? short : `${short}.0`;
}

/** A literal stands in its consumer. */
export function literalFeed({ literal, aval }: LiteralAtom): Feed {
  return { kind: "literal", text: literalText(literal), hint: `${literal} ${aval}`, eqn: null, value: null };
}

/** The types of the results, as there is room for them in a box. */
export function typesOf({ results }: Pick<Eqn, "results">): string {
  const types = results.map(({ aval }) => aval);
  return types.length > 2 ? `${types[0]} +${types.length - 1}` : types.join(" ");
}

function join(lines: readonly string[]): string {
  return lines.filter((line) => line !== "").join("\n");
}

export function operandPort(eqn: Eqn, index: number, jaxpr: Jaxpr, path: string): PortInfo {
  const operand = eqn.operands[index]!;
  const { atom, role, kind } = operand;
  const variable = "var" in atom ? jaxpr.vars[atom.var] : undefined;
  const name = "var" in atom ? nameOf(variable) : atom.literal;
  const type = avalOf(atom, jaxpr);
  const linear = operand.linear ? `${operand.linear.value ? "linear" : "not linear"}${operand.linear.derived ? " (derived)" : ""}` : "";
  const about = [
    `operand ${index}: ${spoken(name, isLetter(variable))} ${type}`,
    `${role}${kind ? `, ${kind}` : ""}`,
    linear,
    lettered(variable),
  ];
  return {
    role: wireRole(role, kind),
    group: groupOf(role),
    name,
    letter: isLetter(variable),
    type,
    value: "var" in atom ? valueKey(path, atom.var) : null,
    used: true,
    hint: join(about),
    cotangent: kind === "cotangent",
    tangent: kind === "tangent",
    ...(isRef(variable) ? { ref: "before" as const } : {}),
  };
}

export function resultPort(result: Result, index: number, jaxpr: Jaxpr, path: string): PortInfo {
  const variable = jaxpr.vars[result.var];
  const name = nameOf(variable);
  const about = [
    `result ${index}: ${spoken(name, isLetter(variable))} ${result.aval}`,
    `${result.role}${result.kind ? `, ${result.kind}` : ""}`,
    result.used ? "" : "nothing reads it",
    lettered(variable),
  ];
  return {
    role: wireRole(result.role, result.kind),
    group: groupOf(result.role),
    name,
    letter: isLetter(variable),
    type: result.aval,
    value: valueKey(path, result.var),
    used: result.used,
    hint: join(about),
    cotangent: result.kind === "cotangent",
    tangent: result.kind === "tangent",
    bytes: variable ? bytesOf(variable) : null,
    ...(isRef(variable) ? { ref: "before" as const } : {}),
  };
}

/** Says JAX's letter when the name shown is the person's own. */
function lettered(variable: Var | undefined): string {
  return variable?.label && variable.label !== variable.name ? `in the printed jaxpr: ${variable.name}` : "";
}

const MAX_HINT = 600;

export function eqnHint(eqn: Eqn): string {
  const params = eqn.params.filter((p) => !eqn.nested.some((call) => call.param === p.name)).map((p) => `${p.name} = ${p.text}`);
  const stack = eqn.stack.map((entry) => entry.name).join("/");
  const text = join([eqn.primitive, ...params, stack ? `in ${stack}` : ""]);
  return text.length > MAX_HINT ? `${text.slice(0, MAX_HINT)}\u2026` : text;
}

/** DESIGN section 6: residual, then the role of the port it ends at, then of where it starts, then cotangent or tangent, else plain. */
export function wireRoleOf(source: PortInfo, target: PortInfo, crossing = false): WireRole {
  if (target.role === "residual") return "residual";
  if (target.role !== "plain") return target.role;
  if (source.role !== "plain") return source.role;
  if (source.cotangent || target.cotangent) return "cotangent";
  if (source.tangent || target.tangent) return "tangent";
  return crossing ? "residual" : "plain";
}
