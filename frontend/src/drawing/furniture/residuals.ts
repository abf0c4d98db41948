/** What a backward pass costs in memory: the residuals that go from a forward frame to its twin, their bytes, and times how many steps. */
import { bytesText } from "../cost/format.ts";
import type { LevelNode } from "../graph/level.ts";

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
