/** Equations with several bodies, or with one that does not simply take the operands: a strip of operands, a card for each body, the results. */
import type { Call, Eqn, Jaxpr } from "../../model/types.ts";
import { bundleBinders } from "./binders.ts";
import { counted } from "./fold/items.ts";
import { gapsOf } from "./folded.ts";
import { bodyPath, cardKey, childPath, isCard, isKept } from "./folds.ts";
import { binderPort, bodyLevel, type Context, refPort, type Seat } from "./jaxpr.ts";
import { equationsOf } from "./left.ts";
import { type CallInfo, type Feed, inputNode, type Level, type LevelNode, outputNode, type PortInfo } from "./level.ts";
import { operandPort, resultPort } from "./ports.ts";
import { changedIn, changedRefs } from "./refs.ts";
import { innerResult, seated } from "./seats.ts";
import { mappedPlace, saidMaps, seatNotes } from "./specs.ts";
import { functionName, titleOf } from "./titles.ts";

/** Operands above, one card for each body, results below. */
export function cardsLevel(ctx: Context, eqn: Eqn, jaxpr: Jaxpr, outerPath: string, at: string): Level {
  const nodes: LevelNode[] = [];
  const inner = innerNames(ctx, eqn);
  const notes = seatNotes(eqn, ctx.program);
  const inputs = eqn.operands.map((_, i) => {
    const port = operandPort(eqn, i, jaxpr, outerPath);
    nodes.push(inputNode(`${at}|operand${i}`, { ...port, ...inner[i], notes: notes.ins[i] ?? [] }));
    return { node: i, outer: i };
  });
  const select = eqn.operands.findIndex((operand) => operand.role === "index");
  const into: Feed[][] = eqn.results.map(() => []);
  // Which branches leave a result empty: no wire leads from there.
  const unset: number[][] = eqn.results.map(() => []);
  const refs = changedRefs(eqn, jaxpr, ctx.program);
  const changed: Feed[][] = refs.map(() => []);
  for (const k of cardOrder(ctx, eqn)) {
    const call = eqn.nested[k]!;
    const body = ctx.program.jaxprs[call.jaxpr];
    if (!body) continue;
    const { node, left } = card(ctx, eqn, k, call, body, jaxpr, outerPath, at, select);
    nodes.push(node);
    const gaps = gapsOf(body);
    call.outputs.forEach((targets, out) => {
      for (const to of targets) {
        if (to.to !== "result") continue;
        if (gaps[out]) unset[to.index]!.push(k);
        else into[to.index]?.push({ kind: "node", node: nodes.length - 1, port: out });
      }
    });
    left.forEach((end, r) => {
      const feed: Feed = { kind: "node", node: nodes.length - 1, port: call.outputs.length + r };
      if (end.result !== null) into[end.result]?.push(feed);
      if (end.operand !== null) changed[refs.indexOf(end.operand)]?.push(feed);
    });
  }
  const outputs: { node: number; outer: number }[] = [];
  const result = (key: string, port: PortInfo, fed: readonly Feed[], outer: number): void => {
    const feeds = fed.length > 0 ? [...fed] : [{ kind: "none" } as Feed];
    nodes.push({ ...outputNode(key, port, feeds[0]!), feeds, ins: feeds.map(() => port) });
    outputs.push({ node: nodes.length - 1, outer });
  };
  eqn.results.forEach((_, i) => {
    const port = resultPort(eqn.results[i]!, i, jaxpr, outerPath);
    const from = setBy(eqn, unset[i]!);
    result(`${at}|result${i}`, { ...port, notes: [...from, ...(notes.outs[i] ?? [])] }, into[i]!, i);
  });
  refs.forEach((operand, r) => {
    result(`${at}|ref${r}`, refPort(eqn, operand, jaxpr, outerPath, true), changed[r]!, eqn.results.length + r);
  });
  const body = bundleBinders({ nodes, inputs, outputs }, `${at}|`, ctx.open);
  return { ...body, pairs: [], twoLanes: false, inOrder: true, ...rowsOf(body.nodes) };
}

/** More cards than this are not read side by side. */
const MOST_BESIDE = 4;

/** Cards of many branches in rows that are about as wide as they are high, cards being higher than wide. */
function rowsOf(nodes: readonly LevelNode[]): Pick<Level, "rows"> {
  const cards = nodes.flatMap(({ call }, v) => (call?.kind === "body" ? [v] : []));
  if (cards.length <= MOST_BESIDE) return {};
  const count = Math.ceil(cards.length / Math.ceil(Math.sqrt(1.5 * cards.length)));
  const beside = Math.ceil(cards.length / count);
  return { rows: Array.from({ length: count }, (_, r) => cards.slice(r * beside, (r + 1) * beside)) };
}

/** The condition of a while is asked first, so it stands left; an index map that a line says stands on its port instead. */
function cardOrder(ctx: Context, eqn: Eqn): number[] {
  const said = saidMaps(eqn, ctx.program);
  const shown = eqn.nested.flatMap((call, k) => (said.has(call.param) ? [] : [k]));
  const rank = (k: number): number => (eqn.nested[k]!.label === "cond" ? 0 : 1);
  return shown.sort((a, b) => rank(a) - rank(b) || a - b);
}

/** Of a result that some branches leave empty: which ones set it. */
function setBy({ nested }: Eqn, unset: readonly number[]): string[] {
  if (unset.length === 0) return [];
  const labels = nested.flatMap(({ label, param }, k) => (unset.includes(k) ? [] : [label || param]));
  const numbers = labels.map((label) => /^branch (\d+)$/.exec(label)?.[1]);
  if (labels.length === 0) return ["empty"];
  return [numbers.every((number) => number !== undefined) ? `from branch ${numbers.join(", ")}` : `from ${labels.join(", ")}`];
}

/** What a ref holds when a body is done: of which binder, and where it goes. */
interface Left {
  binder: string;
  result: number | null;
  operand: number | null;
}

function leftRefs(ctx: Context, eqn: Eqn, call: Call, body: Jaxpr, jaxpr: Jaxpr): Left[] {
  const changed = changedIn(body, ctx.program);
  const outside = new Set(changedRefs(eqn, jaxpr, ctx.program));
  const left: Left[] = [];
  const add = (binder: string, source: Call["inputs"][number] | undefined, finals: readonly number[]): void => {
    const operand = source?.from === "operand" && changed.has(binder) && outside.has(source.index) ? source.index : null;
    const [result = source?.from === "result" ? source.index : null] = finals;
    if (result !== null || operand !== null) left.push({ binder, result, operand });
  };
  body.invars.forEach((id, i) => {
    const finals = (call.finals?.[i] ?? []).flatMap((to) => (to.to === "result" ? [to.index] : []));
    add(id, call.inputs[i], finals);
  });
  body.constvars.forEach((id, i) => {
    add(id, call.consts?.[i], []);
  });
  return left;
}

/** Names of literal operands come from the binder that they initialise. */
function innerNames(ctx: Context, eqn: Eqn): (Pick<PortInfo, "name" | "letter"> | undefined)[] {
  const names: (Pick<PortInfo, "name" | "letter"> | undefined)[] = eqn.operands.map(() => undefined);
  for (const call of eqn.nested) {
    const body = ctx.program.jaxprs[call.jaxpr];
    call.inputs.forEach((input, i) => {
      const operand = input.from === "operand" ? eqn.operands[input.index] : undefined;
      if (!body || !operand || "var" in operand.atom) return;
      const { name, letter } = binderPort(body, body.invars[i] ?? "");
      names[input.index] = { name, letter };
    });
  }
  return names;
}

function card(
  ctx: Context,
  eqn: Eqn,
  k: number,
  call: Call,
  body: Jaxpr,
  jaxpr: Jaxpr,
  outerPath: string,
  at: string,
  select: number,
): { node: LevelNode; left: Left[] } {
  const path = bodyPath(at, k);
  const ins: PortInfo[] = [];
  const feeds: Feed[] = [];
  const leading: Seat["leading"][number][] = [];
  if (select >= 0) {
    const own = { group: "when", name: `= ${k}`, letter: false, type: "", value: null };
    const index: PortInfo = { ...operandPort(eqn, select, jaxpr, outerPath), ...own };
    ins.push(index);
    feeds.push({ kind: "node", node: select, port: 0 });
    leading.push({ port: index, outer: 0 });
  }
  const read = new Set(body.eqns.flatMap((inner) => inner.operands.map((o) => ("var" in o.atom ? o.atom.var : ""))));
  for (const atom of body.outvars) if ("var" in atom) read.add(atom.var);
  const inputs = call.inputs.map((input, i) => {
    const binder = binderPort(body, body.invars[i] ?? "");
    if (input.from !== "operand") return { port: { ...binder, group: input.from }, outer: -1 };
    const outer = operandPort(eqn, input.index, jaxpr, outerPath);
    const used = read.has(body.invars[i] ?? "");
    // Inside of the card it is plain which body a const belongs to.
    const port = { ...seated(binder, outer, binder.type), used, group: outer.group.replace(/^(cond|body)_/, "") };
    ins.push(port);
    feeds.push(used ? { kind: "node", node: input.index, port: 0 } : { kind: "none" });
    return { port, outer: ins.length - 1 };
  });
  const consts = (call.consts ?? []).map((input, i) => {
    const binder = binderPort(body, body.constvars[i] ?? "");
    if (input.from !== "operand") return -1;
    ins.push(seated(binder, operandPort(eqn, input.index, jaxpr, outerPath), binder.type));
    feeds.push({ kind: "node", node: input.index, port: 0 });
    return ins.length - 1;
  });
  const outs: PortInfo[] = [];
  const gaps = gapsOf(body);
  const outputs = call.outputs.map((targets, i) => {
    const inner = innerResult(body, i);
    const to = targets.find((target) => target.to === "result");
    const result = to && eqn.results[to.index];
    const port = result
      ? seated(inner, resultPort(result, to.index, jaxpr, outerPath), inner.type)
      : { ...inner, group: targets[0]?.to ?? "" };
    outs.push({ ...port, used: !gaps[i] });
    return { port, outer: i };
  });
  const left = leftRefs(ctx, eqn, call, body, jaxpr);
  const refs = new Map<string, number>();
  for (const end of left) {
    refs.set(end.binder, outs.length);
    const result = end.result === null ? undefined : eqn.results[end.result];
    outs.push(
      result
        ? { ...resultPort(result, end.result!, jaxpr, outerPath), used: true }
        : refPort(eqn, end.operand ?? 0, jaxpr, outerPath, true),
    );
  }
  const key = cardKey(at, k);
  const toggle = isCard(eqn, k, ctx.program) ? key : null;
  const open = toggle === null || ctx.open.has(toggle);
  const title = call.label || call.param;
  const equations = equationsOf(body);
  const later = isKept(eqn, k) ? "for derivatives" : "";
  const info: CallInfo = {
    kind: "body",
    title,
    notes: [functionOf(ctx, eqn, call), later, ...mapped(eqn, call, jaxpr, outerPath)].filter((line) => line !== ""),
    open,
    toggle,
    inside: open ? bodyLevel(ctx, body, path, { inputs, outputs, consts, leading, refs, loose: false }) : null,
    loops: [],
    hint: open ? "" : `${counted(equations)} equation${equations === 1 ? "" : "s"}${later === "" ? "" : ` ${later}`}`,
    fold: open ? null : { key, eqns: body.eqns.map(({ id }) => childPath(path, id)), inner: [] },
  };
  const words = { title, note: "", label: "", type: "", hint: `${call.param} of ${eqn.primitive}` };
  const node: LevelNode = {
    kind: "call",
    key,
    eqn: at,
    ...words,
    scope: [],
    ins,
    feeds,
    outs,
    call: info,
    back: false,
    twin: null,
  };
  return { node, left };
}

/** The function behind a branch, where neither the label nor the frame says it. */
function functionOf(ctx: Context, eqn: Eqn, call: Call): string {
  const name = functionName(ctx.program, call.jaxpr);
  return name === call.label || titleOf(eqn, ctx.program).endsWith(` ${name}`) ? "" : name;
}

/** Whose blocks an index map places. */
function mapped(eqn: Eqn, call: Call, jaxpr: Jaxpr, outerPath: string): string[] {
  const place = mappedPlace(eqn, call.param);
  if (place === null) return [];
  const [operand, result] = [eqn.operands[place], eqn.results[place - eqn.operands.length]];
  if (operand && "var" in operand.atom) return [`of ${operandPort(eqn, place, jaxpr, outerPath).name}`];
  return result ? [`of ${resultPort(result, place - eqn.operands.length, jaxpr, outerPath).name}`] : [];
}
