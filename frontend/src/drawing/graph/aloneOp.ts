/** One op with regions, or one call, as a picture of its own: the module's counterpart of alone.ts. */
import type { Block, Module, Op } from "../../model/types.ts";
import type { Grouping } from "../scene.ts";
import { childPath } from "./folds.ts";
import { type Feed, inputNode, type Level, type LevelNode, outputNode } from "./level.ts";
import { functionLevel, opNode } from "./module.ts";
import { isFoldable } from "./opfolds.ts";
import { valuePort } from "./opports.ts";
import { contextOf, rootsOf } from "./ops/context.ts";
import { literalOf } from "./ops/literals.ts";
import { functionsByName } from "./ops/names.ts";
import type { OpPlaces } from "./written.ts";

/** Null where there is no such op, or none that holds anything. */
export function aloneOpLevel(module: Module, open: ReadonlySet<string>, wanted: string, by?: Grouping, places?: OpPlaces): Level | null {
  const root = rootsOf(module).length > 1 ? rootsOf(module).find(({ id }) => id === wanted) : undefined;
  if (root !== undefined) return functionLevel(contextOf(module, open, by, places), root);
  const site = siteOf(module, wanted);
  if (site === null) return null;
  const { path, op, around } = site;
  const at = childPath(path, op.id);
  const ctx = contextOf(module, new Set([...open, at]), by, places);
  if (!isFoldable(op, ctx.functions)) return null;
  const makers = new Map(around.flatMap((block) => block.ops.flatMap((each) => each.results.map((id) => [id, each] as const))));
  const nodes: LevelNode[] = [];
  const inputs: { node: number; outer: number }[] = [];
  const known = new Map<string, Feed>();
  const feedOf = (id: string): Feed => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const maker = makers.get(id);
    const literal = maker === undefined ? null : literalOf(ctx, maker, path, feedOf);
    if (literal === null) {
      nodes.push(inputNode(`${at}|takes${nodes.length}`, valuePort(module, id, null, path)));
      inputs.push({ node: nodes.length - 1, outer: -1 });
    }
    const feed: Feed = literal ?? { kind: "node", node: nodes.length - 1, port: 0 };
    known.set(id, feed);
    return feed;
  };
  const node = opNode(ctx, op, path, feedOf);
  nodes.push(node);
  const source = nodes.length - 1;
  const outputs = op.results.map((id, i) => {
    nodes.push(outputNode(`${at}|gives${i}`, valuePort(module, id, null, path), { kind: "node", node: source, port: i }));
    return { node: nodes.length - 1, outer: -1 };
  });
  return { nodes, inputs, outputs, pairs: [], twoLanes: false };
}

/** The op that a path of ops leads to, the path before it, and the blocks that it can read from, outermost first. */
function siteOf(module: Module, wanted: string): { path: string; op: Op; around: Block[] } | null {
  const functions = functionsByName(module);
  const roots = rootsOf(module);
  let blocks: readonly Block[] = roots.length === 1 ? roots[0]!.region.blocks : [];
  let around: Block[] = [];
  let path = "";
  const segments = wanted.split("/");
  for (const [depth, id] of segments.entries()) {
    // Of several functions that nothing calls, the path begins with the function.
    const root = depth === 0 && roots.length > 1 ? roots.find((func) => func.id === id) : undefined;
    if (root !== undefined) {
      blocks = root.region.blocks;
      path = id;
      continue;
    }
    const block = blocks.find(({ ops }) => ops.some((op) => op.id === id));
    const op = block?.ops.find((each) => each.id === id);
    if (block === undefined || op === undefined) return null;
    around.push(block);
    if (depth === segments.length - 1) return { path, op, around };
    path = childPath(path, op.id);
    const callee = op.callee === null ? undefined : functions.get(op.callee);
    // A function reads nothing of what surrounds its call.
    if (callee) around = [];
    blocks = callee ? callee.region.blocks : op.regions.flatMap((region) => region.blocks);
  }
  return null;
}
