/**
 * One equation with bodies as a picture of its own: what it takes above it, itself open, what it gives below. Nothing else of the program
 * is walked, so that a body in the depth of a large program is drawn as soon as a small one.
 */
import type { Eqn, Jaxpr, Program } from "../../model/types.ts";
import type { Grouping } from "../scene.ts";
import type { Modules } from "./embedded.ts";
import { bodyPath, childPath } from "./folds.ts";
import { type Context, eqnNode } from "./jaxpr.ts";
import { type Feed, inputNode, type Level, type LevelNode, outputNode } from "./level.ts";
import { type Atom, literalText, operandPort, resultPort } from "./ports.ts";

interface Site {
  jaxpr: Jaxpr;
  /** Instance path of the jaxpr. */
  path: string;
  eqn: Eqn;
}

/** Null where there is no such equation, or none with a body. */
export function aloneLevel(program: Program, open: ReadonlySet<string>, wanted: string, by?: Grouping, modules?: Modules): Level | null {
  const site = siteOf(program, wanted);
  if (site === null || site.eqn.nested.length === 0) return null;
  const { jaxpr, path, eqn } = site;
  const at = childPath(path, eqn.id);
  const twins = program.twins.map(({ forward, backward }) => ({ forward, backward }));
  const ctx: Context = { program, open: new Set([...open, at]), by, twins, modules };
  const nodes: LevelNode[] = [];
  const inputs: { node: number; outer: number }[] = [];
  const known = new Map<string, Feed>();
  eqn.operands.forEach(({ atom }, i) => {
    if (!("var" in atom) || known.has(atom.var)) return;
    nodes.push(inputNode(`${at}|takes${i}`, { ...operandPort(eqn, i, jaxpr, path), group: "" }));
    inputs.push({ node: nodes.length - 1, outer: -1 });
    known.set(atom.var, { kind: "node", node: nodes.length - 1, port: 0 });
  });
  const feedOf = (atom: Atom): Feed =>
    "var" in atom
      ? (known.get(atom.var) ?? { kind: "none" })
      : { kind: "literal", text: literalText(atom.literal), hint: `${atom.literal} ${atom.aval}`, eqn: null, value: null };
  const node = eqnNode(ctx, eqn, jaxpr, path, feedOf);
  nodes.push(node);
  const source = nodes.length - 1;
  const outputs = eqn.results.map((result, i) => {
    const port = { ...resultPort(result, i, jaxpr, path), group: "" };
    nodes.push(outputNode(`${at}|gives${i}`, port, { kind: "node", node: source, port: i }));
    return { node: nodes.length - 1, outer: -1 };
  });
  return { nodes, inputs, outputs, pairs: [], twoLanes: false };
}

/** Where an instance path leads, through the bodies that it names. */
function siteOf(program: Program, wanted: string): Site | null {
  let path = "";
  let jaxpr = program.entry === null ? undefined : program.jaxprs[program.entry];
  const segments = wanted.split("/");
  for (const [depth, segment] of segments.entries()) {
    const [id = "", index = "0"] = segment.split(":");
    const eqn = jaxpr?.eqns.find((each) => each.id === id);
    if (jaxpr === undefined || eqn === undefined) return null;
    if (depth === segments.length - 1) return { jaxpr, path, eqn };
    const call = eqn.nested[Number(index)];
    path = bodyPath(childPath(path, eqn.id), Number(index));
    jaxpr = call === undefined ? undefined : program.jaxprs[call.jaxpr];
  }
  return null;
}
