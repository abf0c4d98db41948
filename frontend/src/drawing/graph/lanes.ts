/**
 * Which part of a level is the transpose of which: the second lane, and what stands at the same height.
 *
 * A level has two lanes when a twin has one end in each of two different equations of it, or when there is a transpose of some
 * length. The lane of the transpose is closed under
 * consumers, so no wire ever leads back from it.
 */
import type { Level, LevelNode, Pair } from "./level.ts";

export interface TwinPaths {
  forward: string;
  backward: string;
}

/** A transpose shorter than this is easier to read below its forward pass. */
const SHORT = 4;

/** Sets `back` on the nodes. `path` is that of the level's jaxpr; `loose` gives a transpose without twins a lane, too. */
export function markLanes(
  nodes: LevelNode[],
  path: string,
  twins: readonly TwinPaths[],
  transposed: ReadonlySet<string>,
  loose: boolean,
): Pick<Level, "pairs" | "twoLanes" | "turned"> {
  const pairs = findPairs(nodes, path, twins);
  if (pairs.length === 0 && !(loose && transposed.size >= SHORT)) return oneLane(nodes, transposed);
  // What is transposed once more is, for the outer transpose, part of the forward pass.
  const forwards = new Set(pairs.map((pair) => pair.forward));
  const back = new Set(pairs.map((pair) => pair.backward).filter((v) => !forwards.has(v)));
  const consumers: number[][] = nodes.map(() => []);
  nodes.forEach((node, v) => {
    if (node.eqn !== null && transposed.has(node.eqn)) back.add(v);
    const after = node.feeds.some((feed) => feed.kind === "node" && back.has(feed.node));
    if (after) back.add(v);
    for (const feed of node.feeds) if (feed.kind === "node") consumers[feed.node]!.push(v);
  });
  // What only the transpose reads, and that is made of nothing of the forward pass, goes with it.
  const rootless = nodes.map(() => false);
  nodes.forEach((node, v) => {
    rootless[v] = node.kind !== "input" && node.feeds.every((feed) => feed.kind !== "node" || rootless[feed.node]!);
  });
  for (let v = nodes.length - 1; v >= 0; v--) {
    const node = nodes[v]!;
    if (back.has(v) || node.kind === "input" || consumers[v]!.length === 0) continue;
    if (!consumers[v]!.every((w) => back.has(w))) continue;
    if (rootless[v] || node.feeds.every((feed) => feed.kind !== "node" || nodes[feed.node]!.kind === "input")) back.add(v);
  }
  const forward = nodes.filter((node, v) => node.eqn !== null && !back.has(v)).length;
  const backward = nodes.filter((node, v) => node.eqn !== null && back.has(v)).length;
  if (pairs.length === 0 && Math.min(forward, backward) < SHORT) return oneLane(nodes, transposed);
  nodes.forEach((node, v) => {
    node.back = back.has(v);
  });
  return { pairs: pairs.filter((pair) => !back.has(pair.forward) && back.has(pair.backward)), twoLanes: true };
}

/** Where both passes are in one lane, which of it is the transpose is told by words. */
function oneLane(nodes: readonly LevelNode[], transposed: ReadonlySet<string>): Pick<Level, "pairs" | "twoLanes" | "turned"> {
  const both = transposed.size > 0 && nodes.some(({ eqn }) => eqn !== null && !transposed.has(eqn));
  return { pairs: [], twoLanes: false, ...(both ? { turned: transposed } : {}) };
}

/** The names of one equation's transforms, outermost first. */
export interface Transforms {
  eqn: string;
  names: readonly string[];
}

const DIFFERENTIATES = new Set(["jvp", "transpose"]);

/**
 * The equations that the outermost transpose made. Of a gradient of a gradient the inner one is all forward pass; of a gradient under
 * jvp (a hessian) the outermost transform made everything, so the next one decides.
 */
export function outermostTransposed(equations: readonly Transforms[]): Set<string> {
  const steps = equations.map(({ eqn, names }) => ({ eqn, names: names.filter((name) => DIFFERENTIATES.has(name)) }));
  const deepest = Math.max(0, ...steps.map(({ names }) => names.length));
  for (let depth = 0; depth < deepest; depth++) {
    const made = steps.filter(({ names }) => names[depth] === "transpose");
    if (made.length > 0) return new Set(made.map(({ eqn }) => eqn));
  }
  return new Set();
}

function findPairs(nodes: readonly LevelNode[], path: string, twins: readonly TwinPaths[]): Pair[] {
  const byEqn = new Map<string, number>();
  nodes.forEach((node, v) => {
    if (node.eqn !== null) byEqn.set(node.eqn, v);
  });
  const prefix = path === "" ? "" : `${path}/`;
  const at = (whole: string): number | undefined => {
    if (!whole.startsWith(prefix)) return undefined;
    const segment = whole.slice(prefix.length).split("/")[0] ?? "";
    return byEqn.get(prefix + segment.replace(/:\d+$/, ""));
  };
  const found = new Map<string, { forward: number; backward: number; inner: [string, string][] }>();
  for (const { forward, backward } of twins) {
    const f = at(forward);
    const b = at(backward);
    if (f === undefined || b === undefined || f === b) continue;
    const key = `${f} ${b}`;
    const pair = found.get(key) ?? { forward: f, backward: b, inner: [] };
    if (nodes[f]!.eqn !== forward || nodes[b]!.eqn !== backward) pair.inner.push([forward, backward]);
    else pair.inner.push(...branchPairs(nodes[f]!, nodes[b]!));
    found.set(key, pair);
  }
  return [...found.values()];
}

/** A branch and its transpose are the same one of as many. */
function branchPairs(forward: LevelNode, backward: LevelNode): [string, string][] {
  const [f, b] = [forward, backward].map(({ call }) =>
    call?.kind === "cond" && call.inside !== null ? call.inside.nodes.filter((node) => node.call?.kind === "body") : [],
  );
  return f!.length === b!.length ? f!.map(({ key }, k): [string, string] => [key, b![k]!.key]) : [];
}
