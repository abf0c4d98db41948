/**
 * A level with some of its bodies open, made of the same level with all of them closed. Opening a body changes what is in its node and nothing
 * else: no other node, no wire between them, and nothing that was found out about the level (who reads what, how it is folded).
 */
import type { Grouping } from "../scene.ts";
import { type CallInfo, changed, type Level } from "./level.ts";

/** What is open, and what large levels are grouped by. */
interface Opening {
  readonly open: ReadonlySet<string>;
  readonly by?: Grouping | undefined;
}

/** `calls` makes what a node with bodies holds where other bodies are open, by its key. */
export interface Closed<Context> {
  readonly level: Level;
  readonly calls: ReadonlyMap<string, (ctx: Context) => CallInfo | null>;
}

export function opened<Context extends Opening>({ level, calls }: Closed<Context>, ctx: Context): Level {
  if (![...calls.keys()].some((key) => ctx.open.has(key))) return level;
  const nodes = level.nodes.map((node) => {
    const call = ctx.open.has(node.key) ? calls.get(node.key) : undefined;
    return call === undefined ? node : changed(node, { call: call(ctx) });
  });
  return { ...level, nodes, closed: level };
}

/** A level with nothing in it open, and the same with what was open the last time; `of` and `bundles` are what the first depends on. */
interface Known<Context> {
  readonly of: readonly unknown[];
  readonly bundles: string;
  readonly closed: Closed<Context>;
  readonly inside: string;
  readonly level: Level;
}

/**
 * The levels of one program or module, by path. Which groups are open changes nothing of the level that they are made of, and a body that is
 * open only its own node.
 */
export class Levels<Context extends Opening> {
  readonly #known = new Map<string, Known<Context>>();

  /** `tag` tells the bodies at one path apart; `of` is what the level is made of, beside what is open. */
  level(ctx: Context, path: string, tag: string, of: readonly unknown[], make: (ctx: Context) => Closed<Context>): Level {
    const here = `${path}${tag}`;
    const shared = [...ctx.open].filter((key) => key.startsWith(here) && /^~(in|out)\./.test(key.slice(here.length))).sort();
    const inner = [...ctx.open].filter((key) => (path === "" ? !key.startsWith("~") : key.startsWith(`${path}/`))).sort();
    const [bundles, inside] = [shared.join(" "), `${ctx.by ?? ""} ${inner.join(" ")}`];
    const last = this.#known.get(here);
    const same = last?.bundles === bundles && last.of.every((each, i) => each === of[i]) ? last : null;
    if (same?.inside === inside) return same.level;
    const closed = same?.closed ?? make({ ...ctx, open: new Set(shared) });
    const level = opened(closed, ctx);
    this.#known.set(here, { of, bundles, closed, inside, level });
    return level;
  }
}
