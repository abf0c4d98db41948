/** Nothing floats: every operand of every op is fed once, by a wire or a chip that leads to the very value, through every border. */
import { type Feed, type Level, type LevelNode, outersOf } from "../../src/drawing/graph/level.ts";
import { moduleLevel } from "../../src/drawing/graph/module.ts";
import { everyOp, rootsOf } from "../../src/drawing/graph/ops/context.ts";
import { functionsByName, isReturn } from "../../src/drawing/graph/ops/names.ts";
import { wordsOf } from "../../src/drawing/graph/ops/words.ts";
import { foldableOps } from "../../src/drawing/index.ts";
import type { Module, Op, Region } from "../../src/model/types.ts";

const idOf = (key: string | null): string => key?.slice(key.lastIndexOf("|") + 1) ?? "";

/** What does not lead to where it should, in words. */
export function floating(module: Module): string[] {
  const found: string[] = [];
  const seen = new Set<string>();
  const ops = new Map([...everyOp(module)].map((op) => [op.id, op]));
  const same = handedOn(module);
  const bundled = (node: LevelNode | undefined): boolean => node?.stands !== undefined;
  const leads = (nodes: readonly LevelNode[], feed: Feed): string | null => {
    if (feed.kind === "literal") return feed.value === null ? "" : idOf(feed.value);
    if (feed.kind === "none") return null;
    const node = nodes[feed.node];
    return bundled(node) ? "" : idOf(node?.outs[feed.port]?.value ?? null);
  };
  const walk = (level: Level, around: LevelNode | null): void => {
    for (const node of level.nodes) {
      const op = node.eqn === null || node.call?.kind === "body" ? undefined : ops.get(node.eqn.slice(node.eqn.lastIndexOf("/") + 1));
      if (op !== undefined && (node.kind === "op" || node.kind === "call")) {
        seen.add(op.id);
        op.operands.forEach(({ value }, i) => {
          const source = node.feeds[i] === undefined ? null : leads(level.nodes, node.feeds[i]);
          if (source === null || (source !== "" && same(source) !== same(value)))
            found.push(`${node.key}: operand ${i} leads to ${source}, not ${value}`);
        });
      }
      if (node.kind === "output" && !bundled(node)) {
        for (const feed of node.feeds) if (feed.kind === "none") found.push(`${node.key}: fed by nothing`);
      }
      if (node.call?.kind === "body") {
        for (const feed of node.feeds) if (feed.kind === "none") found.push(`${node.key}: a port is fed by nothing`);
      }
      for (const feed of node.feeds) {
        if (feed.kind === "literal" && feed.eqn !== null) seen.add(feed.eqn.slice(feed.eqn.lastIndexOf("/") + 1));
      }
      if (node.call?.inside) walk(node.call.inside, node);
    }
    if (around === null) return;
    const led = new Set(level.inputs.flatMap((seat) => outersOf(level, seat)));
    around.ins.forEach((_, i) => {
      if (!led.has(i)) found.push(`${around.key}: port ${i} leads to no pill`);
    });
  };
  walk(moduleLevel(module, new Set(foldableOps(module)), "none"), null);
  for (const op of drawnOps(module)) if (!seen.has(op.id) && !isQuiet(op)) found.push(`${op.id} ${op.name} is not drawn`);
  return found;
}

/** What makes or takes apart a tuple (HLO) hands on what it takes, one for one: a value, and that it was before. */
function handedOn(module: Module): (value: string) => string {
  const from = new Map<string, string>();
  for (const op of everyOp(module)) {
    if (!TUPLES.test(op.name)) continue;
    for (const [i, value] of op.results.entries()) from.set(value, op.operands[i]!.value);
  }
  const first = (value: string): string => (from.has(value) ? first(from.get(value)!) : value);
  return first;
}

const TUPLES = /^(tuple|get-tuple-element)$/;

/** Ops of what is called or begins somewhere, in regions that are looked into. */
function drawnOps(module: Module): Op[] {
  const functions = functionsByName(module);
  const found: Op[] = [];
  const entered = new Set<string>();
  const walk = (region: Region): void => {
    for (const { ops } of region.blocks) {
      for (const op of ops) {
        if (isReturn(op.name) || (op.successors ?? []).length > 0) continue;
        found.push(op);
        if (op.callee !== null && !entered.has(op.callee)) {
          entered.add(op.callee);
          const callee = functions.get(op.callee);
          if (callee !== undefined) walk(callee.region);
        }
        if (wordsOf(op, functions) === null) op.regions.forEach(walk);
      }
    }
  };
  for (const root of rootsOf(module)) walk(root.region);
  return found;
}

/** A constant is shown in what reads it, and a tuple as its elements; both are looked at where they are read. */
function isQuiet(op: Op): boolean {
  if (TUPLES.test(op.name)) return true;
  return op.operands.length <= 1 && /(^|\.)(constant|iota|broadcast|broadcast_in_dim|reshape|convert)$/.test(op.name);
}
