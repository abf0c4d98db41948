/**
 * What a backward pass costs in memory: the residuals that go from a forward pass to its twin, their bytes, and times how many steps. Where the
 * two stand beside each other, open or closed, a plate on the wires between them says it; anywhere else, the box or the frame that hands them on.
 */
import type { Program } from "../../model/types.ts";
import { bytesText } from "../cost/format.ts";
import { type CallInfo, changed, type Level, type LevelNode } from "../graph/level.ts";

/** `3 residuals · 96 B × 8 = 768 B`: of the results `ports` of a forward twin. Without bytes where one of them is unknown. */
export function residualText(forward: LevelNode, ports: readonly number[]): string {
  const values = ports.reduce((sum, port) => sum + (forward.outs[port]?.stands ?? 1), 0);
  const count = `${values} residual${values === 1 ? "" : "s"}`;
  const sizes = ports.map((port) => forward.outs[port]?.bytes ?? null);
  const known = sizes.filter((size) => size !== null);
  if (known.length < sizes.length) return count;
  const total = known.reduce((sum, size) => sum + size, 0);
  const steps = forward.call?.trips ?? null;
  const stacked = ports.every((port) => forward.outs[port]!.group === "ys");
  if (!stacked || steps === null || steps < 2 || total % steps !== 0) return `${count} \u00b7 ${bytesText(total)}`;
  return `${count} \u00b7 ${bytesText(total / steps)} \u00d7 ${steps} = ${bytesText(total)}`;
}

/** Whether a plate stands between two nodes of a level: they are side by side, and a wire leads from one to the other. */
function hasPlate({ nodes, pairs }: Level, forward: number, backward: number): boolean {
  return (
    pairs.some((pair) => pair.forward === forward && pair.backward === backward) &&
    nodes[backward]!.feeds.some((feed) => feed.kind === "node" && feed.node === forward)
  );
}

/** The level with what no plate says in the boxes and frames of those that hand residuals on, and everything open in it. */
export function withResiduals(level: Level, { twins }: Program): Level {
  if (twins.every(({ residuals }) => residuals.length === 0)) return level;
  const of = new Map<string, Program["twins"][number][]>();
  for (const twin of twins) {
    const path = twin.recomputed ?? twin.forward;
    of.set(path, [...(of.get(path) ?? []), twin]);
  }
  const said = (at: Level): Level => {
    const places = new Map(at.nodes.flatMap(({ eqn, twin }, v) => (eqn === null || twin === null ? [] : [[eqn, v] as const])));
    const nodes = at.nodes.map((node, v): LevelNode => {
      if (node.call === null) return node;
      const inside = node.call.inside === null ? null : said(node.call.inside);
      const kept = (node.eqn === null || node.call.kind === "body" ? undefined : of.get(node.eqn)) ?? [];
      const plated = kept.filter(({ backward }) => {
        const b = places.get(backward);
        return b !== undefined && hasPlate(at, v, b);
      });
      // The residuals of a gradient of a gradient may be those of the gradient.
      const told = new Set(plated.flatMap(({ residuals }) => residuals.map(({ result }) => result)));
      const left = kept.filter((twin) => !plated.includes(twin) && twin.residuals.some(({ result }) => !told.has(result)));
      const ports = [...new Set(left.flatMap(({ residuals }) => residuals.map(({ result }) => result)))];
      if (inside === node.call.inside && ports.length === 0) return node;
      return changed(node, { call: saying({ ...node.call, inside }, ports.length === 0 ? "" : residualText(node, ports)) });
    });
    return nodes.every((node, v) => node === at.nodes[v]) ? at : { ...at, nodes };
  };
  return said(level);
}

/** In the line under its title, or in a line of its own where it is open. */
function saying(call: CallInfo, text: string): CallInfo {
  if (text === "") return call;
  return call.open ? { ...call, notes: [...(call.notes ?? []), text] } : { ...call, hint: `${call.hint} \u00b7 ${text}` };
}
