/**
 * Our layout against elkjs, dagre and Graphviz on graphs with the shape of jaxprs, in one run on one machine. CPU time, warm: the
 * median of repeats in one process, one process for each engine and graph, which is ended at the time limit.
 *
 *   npm run bench                    all
 *   npm run bench -- wide lesson     only graphs of these names
 *   BENCH_SECONDS=60 npm run bench   more patience with the peers (20 s unless told)
 *
 * "On buses" is ours with the orthogonal wires of elkjs for values with many readers, which the page never draws: it compares places alone.
 * Every engine gets the same boxes, ports and wires (problem.ts) and is judged from its answer alone (metrics.ts). Budgets: verdicts.ts.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { dag } from "./engines/dagre.ts";
import { elk } from "./engines/elk.ts";
import { installed, native, viz } from "./engines/graphviz.ts";
import { allWires, asDrawn, type Drawn } from "./engines/ours.ts";
import { GRAPHS, LARGE } from "./graphs.ts";
import { quality } from "./metrics.ts";
import { problemOf, varied } from "./problem.ts";
import { type Engine, type Measured, OURS, PEERS, print, printLarge } from "./verdicts.ts";

const LIMIT_SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
const JUDGING_SECONDS = 5;
/** No repeat is started after this. */
const PATIENCE_MS = 1500;
const REPEATS = 40;

/** One answer of one engine: how long it took, and what it is. */
type Once = (repeat: number) => Promise<{ ms: number } & Drawn>;

async function onClock(run: () => Promise<Drawn> | Drawn): Promise<{ ms: number } & Drawn> {
  const before = process.cpuUsage();
  const drawn = await run();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, ...drawn };
}

function engine(name: Engine, graph: string): Once {
  const level = [...GRAPHS, ...LARGE].find((each) => each.name === graph)!.level();
  if (name === "ours, as drawn") {
    return (repeat) => {
      // The memo would answer at once: a title of another width is another problem of the same shape.
      level.nodes[0]!.title = "w".repeat(7 + repeat);
      return onClock(() => asDrawn(level));
    };
  }
  const given = problemOf(level);
  return async (repeat) => {
    const problem = varied(given, repeat);
    if (name === "ours" || name === "ours, on buses") return onClock(() => ({ problem, drawing: allWires(problem, name !== "ours") }));
    if (name === "dagre") return onClock(() => ({ problem, drawing: dag(problem) }));
    if (name === "elkjs") return onClock(async () => ({ problem, drawing: await elk(problem) }));
    const style = { splines: name.endsWith("polyline") ? "polyline" : "spline" } as const;
    if (name.startsWith("viz")) return onClock(async () => ({ problem, drawing: await viz(problem, style) }));
    const done = native(problem, style, LIMIT_SECONDS);
    if (!done) throw new Error("dot gave up");
    return { ms: done.ms, problem, drawing: done.drawing };
  };
}

async function one(name: Engine, graph: string, judged: boolean): Promise<Measured> {
  const run = engine(name, graph);
  const times: number[] = [];
  let last: Drawn | null = null;
  // By what each run says of itself: a dot that is installed runs in a process of its own.
  for (let spent = 0; times.length === 0 || (times.length < REPEATS && spent < PATIENCE_MS); ) {
    const { ms, ...drawn } = await run(times.length);
    times.push(ms);
    spent += ms;
    last = drawn;
  }
  // The first is cold; it counts only where there was no time for another.
  const warm = (times.length > 1 ? times.slice(1) : times).sort((a, b) => a - b);
  return { ms: warm[Math.floor(warm.length / 2)]!, quality: judged ? quality(last!.problem, last!.drawing) : null };
}

function inProcess(name: Engine, graph: string, judged = true): Measured | null {
  const self = fileURLToPath(import.meta.url);
  // Processor time, so that a busy machine is no disadvantage; judging what was drawn is not the engine's.
  const limited = `ulimit -t ${LIMIT_SECONDS + JUDGING_SECONDS}; exec "$0" "$@"`;
  const words = [process.execPath, "--stack-size=4000", self, "one", name, graph, judged ? "judged" : ""];
  const done = spawnSync("sh", ["-c", limited, ...words], { encoding: "utf8" });
  if (done.status !== 0) return null;
  const measured = JSON.parse(done.stdout.trim().split("\n").pop() ?? "null") as Measured;
  return measured.ms > LIMIT_SECONDS * 1000 ? null : measured;
}

function report(words: readonly string[]): void {
  const wanted = (name: string): boolean => words.length === 0 || words.some((word) => name.startsWith(word));
  const peers = PEERS.filter((peer) => !peer.startsWith("dot") || installed());
  const gaveUp = new Set<string>();
  for (const { name, family } of GRAPHS.filter((graph) => wanted(graph.name))) {
    const found = [...OURS, ...peers].map((each): [Engine, Measured | null] => {
      const key = `${each} ${family}`;
      if (family !== "" && gaveUp.has(key)) return [each, null];
      const measured = inProcess(each, name);
      if (!measured) gaveUp.add(key);
      return [each, measured];
    });
    print(name, new Map(found), LIMIT_SECONDS);
  }
  for (const { name } of LARGE.filter((graph) => wanted(graph.name))) {
    printLarge(name, inProcess("ours, as drawn", name, false));
  }
}

const [command, ...rest] = process.argv.slice(2);
if (command === "one") {
  const [name, graph, judged] = rest as [Engine, string, string];
  console.log(JSON.stringify(await one(name, graph, judged === "judged")));
} else report(process.argv.slice(2));
