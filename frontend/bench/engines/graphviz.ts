/** Graphviz dot, in WASM (@viz-js/viz) or as installed: boxes are records, so that wires begin and end at ports in their order. */
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { instance } from "@viz-js/viz";
import { type Drawing, type Problem, SPACING } from "../problem.ts";

const INCH = 72;
const SMALL = 200;
const OFTEN = 20;

export interface Style {
  splines: "spline" | "polyline";
}

/** The problem in the DOT language. */
export function dotOf({ nodes, edges }: Problem, { splines }: Style): string {
  const ports = (letter: string, list: readonly number[]): string => list.map((_, i) => `<${letter}${i}>`).join("|");
  const lines = nodes.map((node, v) => {
    const rows = [ports("i", node.ins), ports("o", node.outs)].filter((row) => row !== "");
    const label = rows.length > 0 ? `{${rows.map((row) => `{${row}}`).join("|")}}` : "";
    return `${v} [width=${node.w / INCH}, height=${node.h / INCH}, label="${label}"]`;
  });
  const wires = edges.map(({ source, sourcePort, target, targetPort }, e) => {
    return `${source}:o${sourcePort}:s -> ${target}:i${targetPort}:n [id=${e}]`;
  });
  const graph = `nodesep=${SPACING.node / INCH}; ranksep=${SPACING.rank / INCH}; splines=${splines};`;
  return `digraph { ${graph} node [shape=record, fixedsize=true, fontsize=1]; edge [arrowhead=none];\n${[...lines, ...wires].join("\n")}\n}`;
}

export async function viz(problem: Problem, style: Style): Promise<Drawing> {
  const done = (await instance()).render(dotOf(problem, style), { format: "json0", engine: "dot" });
  if (done.status !== "success") throw new Error(done.errors.map((error) => error.message).join("; "));
  return drawingOf(problem, done.output);
}

/** CPU milliseconds of the child beside its answer; null where no dot is installed. */
export function native(problem: Problem, style: Style, seconds: number): { ms: number; drawing: Drawing } | null {
  // A small graph takes less than the clock of `times` can tell.
  const often = problem.nodes.length < SMALL ? OFTEN : 1;
  const again =
    often > 1
      ? `cat > "$0"; for i in $(seq ${often - 1}); do dot -Tjson0 "$0" > /dev/null; done; dot -Tjson0 "$0"; rm "$0"`
      : "dot -Tjson0";
  const run = spawnSync("sh", ["-c", `ulimit -t ${seconds}; ${again}; times >&2`, join(tmpdir(), `bench-${process.pid}.dot`)], {
    input: dotOf(problem, style),
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  if (run.status !== 0 || run.stdout === "") return null;
  // The last line of `times` is what the children used: minutes and seconds, user and system.
  const [user, system] = (run.stderr.trim().split("\n").pop() ?? "").split(" ");
  return { ms: (milliseconds(user) + milliseconds(system)) / often, drawing: drawingOf(problem, run.stdout) };
}

export function installed(): boolean {
  return spawnSync("dot", ["-V"]).status === 0;
}

function milliseconds(words = ""): number {
  const [, minutes, seconds] = /(\d+)m([\d.]+)s/.exec(words) ?? [];
  return 1000 * (60 * Number(minutes ?? 0) + Number(seconds ?? 0));
}

interface Answer {
  bb: string;
  objects: { name: string; pos: string }[];
  edges: { id: string; pos: string }[];
}

/** Control points of its curves, sampled; y turned to grow downwards. */
function drawingOf({ nodes, edges }: Problem, text: string): Drawing {
  const { bb, objects, edges: drawn } = JSON.parse(text) as Answer;
  const height = Number(bb.split(",")[3]);
  const at = new Map(objects.map((object) => [object.name, object.pos.split(",").map(Number) as [number, number]]));
  const path = new Map(drawn.map((edge) => [edge.id, edge.pos]));
  const centre = nodes.map((_, v) => at.get(`${v}`)!);
  return {
    x: centre.map(([x], v) => x - nodes[v]!.w / 2),
    y: centre.map(([, y], v) => height - y - nodes[v]!.h / 2),
    routes: edges.map((_, e) => {
      const control = path
        .get(`${e}`)!
        .split(" ")
        .map((p) => p.split(",").map(Number) as [number, number]);
      return sampled(control).flatMap(([x, y]) => [x, height - y]);
    }),
  };
}

const STEPS = 4;

function sampled(control: readonly [number, number][]): [number, number][] {
  const points: [number, number][] = [control[0]!];
  for (let i = 0; i + 3 < control.length; i += 3) {
    const [a, b, c, d] = [control[i]!, control[i + 1]!, control[i + 2]!, control[i + 3]!];
    for (let k = 1; k <= STEPS; k++) {
      const t = k / STEPS;
      const u = 1 - t;
      const along = (n: 0 | 1): number => u ** 3 * a[n] + 3 * u * u * t * b[n] + 3 * u * t * t * c[n] + t ** 3 * d[n];
      points.push([along(0), along(1)]);
    }
  }
  return points;
}
