/** Ports and hints of lowered modules. */
import type { Module, Op } from "../../model/types.ts";
import type { PortInfo } from "./level.ts";
import { everyOp } from "./ops/context.ts";
import { functionsByName, handsOn, shortType } from "./ops/names.ts";
import { wireRole } from "./ports.ts";

const CAPTIONS = new Set(["const", "carry", "xs", "ys", "counter", "index"]);

export function valueName(module: Module, id: string): string {
  const value = module.values[id];
  return value ? (labelOf(module, id) ?? value.name) : "";
}

/** The person's own name of a value, also where a tuple only hands it on. */
function labelOf(module: Module, id: string): string | null {
  const from = handed(module);
  let at = id;
  // A module that somebody wrote may lead around in a circle.
  for (let next = from.get(at), steps = 0; next !== undefined && steps < MOST_STEPS; next = from.get(at), steps++) at = next;
  return module.values[at]?.label ?? null;
}

const sources = new WeakMap<Module, ReadonlyMap<string, string>>();

/** The same value under another name: out of a tuple, a copy, a binder of what is called once, what a loop hands on as it is. */
function handed(module: Module): ReadonlyMap<string, string> {
  let from = sources.get(module);
  if (from === undefined) {
    from = module.dialect === "hlo" ? new Map(samePairs(module)) : new Map();
    sources.set(module, from);
  }
  return from;
}

const MOST_STEPS = 200;
const UNCHANGED = new Set(["const", "xs"]);

function* samePairs(module: Module): Generator<[string, string]> {
  const functions = functionsByName(module);
  const calls = new Map<string, number>();
  for (const { callee } of everyOp(module)) if (callee !== null) calls.set(callee, (calls.get(callee) ?? 0) + 1);
  for (const op of everyOp(module)) {
    const values = op.operands.map(({ value }) => value);
    if (handsOn(op) || op.name === "copy") yield* pairs(op.results, values);
    const called = op.callee !== null && calls.get(op.callee) === 1 ? functions.get(op.callee) : undefined;
    if (called !== undefined && called.args.length === values.length) yield* pairs(called.args, values);
    if (op.name !== "while") continue;
    const same = op.operands.flatMap(({ role }, i) => (role !== null && UNCHANGED.has(role) ? [i] : []));
    for (const { blocks } of op.regions) {
      const args = blocks[0]?.args ?? [];
      yield* pairs(
        same.flatMap((i) => args[i] ?? []),
        same.map((i) => values[i]!),
      );
    }
  }
}

function pairs(names: readonly string[], values: readonly string[]): [string, string][] {
  return names.slice(0, values.length).map((name, i) => [name, values[i]!]);
}

export function valuePort(module: Module, id: string, role: string | null, path: string): PortInfo {
  const known = module.values[id];
  const said = role !== null && known?.derived === true ? `${role} (derived from the text)` : (role ?? "");
  const lines = [`${known?.name ?? ""} ${known?.type ?? ""}`, said].filter((line) => line.trim() !== "");
  return {
    role: wireRole(role ?? "", null),
    group: role !== null && CAPTIONS.has(role) ? role : "",
    name: valueName(module, id),
    letter: known !== undefined && labelOf(module, id) === null,
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
