/** Lays an overlay over a level and everything open in it, before it is measured: a mark is a line of its box. */
import { type CallInfo, changed, type Level, type LevelNode } from "../graph/level.ts";
import type { Fold } from "../scene.ts";
import type { Mark, Overlay } from "./types.ts";

export function decorate(level: Level, overlay: Overlay): Level {
  return { ...level, nodes: level.nodes.map((node) => decorated(node, overlay)) };
}

function decorated(node: LevelNode, overlay: Overlay): LevelNode {
  const mark = markOf(node, overlay);
  return changed(node, { call: node.call === null ? null : called(node.call, mark, overlay), mark });
}

/** A closed one says it in the line under its title, an open one beside its title. */
function called(call: CallInfo, mark: Mark | null, overlay: Overlay): CallInfo {
  const said = mark?.text ?? "";
  if (call.inside === null) return said === "" ? call : { ...call, hint: `${said} \u00b7 ${call.hint}` };
  const title = said === "" || call.title === "" ? call.title : `${call.title} \u00b7 ${said}`;
  return { ...call, title, inside: decorate(call.inside, overlay) };
}

function markOf(node: LevelNode, overlay: Overlay): Mark | null {
  const fold = node.call?.fold ?? null;
  if (fold !== null) return overlay.group(eqnsOf(fold));
  if (node.kind === "op" || node.kind === "call") return node.eqn === null || node.call?.kind === "body" ? null : overlay.eqn(node.eqn);
  const value = (node.outs[0] ?? node.ins[0])?.value ?? null;
  return value === null ? null : overlay.value(value);
}

function eqnsOf({ eqns, inner }: Fold): string[] {
  return [...eqns, ...inner.flatMap(eqnsOf)];
}
