/** Ports and hints of lowered modules. */
import type { Module, Op } from "../../model/types.ts";
import type { PortInfo } from "./level.ts";
import { shortType } from "./ops/names.ts";
import { wireRole } from "./ports.ts";

const CAPTIONS = new Set(["const", "carry", "xs", "ys", "counter", "index"]);

export function valueName(module: Module, id: string): string {
  const value = module.values[id];
  return value ? (value.label ?? value.name) : "";
}

export function valuePort(module: Module, id: string, role: string | null, path: string): PortInfo {
  const known = module.values[id];
  const said = role !== null && known?.derived === true ? `${role} (derived from the text)` : (role ?? "");
  const lines = [`${known?.name ?? ""} ${known?.type ?? ""}`, said].filter((line) => line.trim() !== "");
  return {
    role: wireRole(role ?? "", null),
    group: role !== null && CAPTIONS.has(role) ? role : "",
    name: valueName(module, id),
    letter: known !== undefined && known.label === null,
    type: shortType(known?.type ?? ""),
    value: `${path}|${id}`,
    used: true,
    hint: lines.join("\n"),
    cotangent: false,
  };
}

const MAX_HINT = 600;

export function opHint(op: Op): string {
  const attributes = Object.entries(op.attributes).map(([name, text]) => `${name} = ${text}`);
  const called = op.callee === null ? [] : [`callee = @${op.callee}`];
  const text = [op.name, ...called, ...attributes].join("\n");
  return text.length > MAX_HINT ? `${text.slice(0, MAX_HINT)}\u2026` : text;
}
