/**
 * What goes into a group and what leaves it, whatever else is open: worked out once for each group, for it walks over all that is in it, and
 * a toggle changes one group of a level and leaves a hundred others as they were.
 */
import type { Level, PortInfo } from "../level.ts";
import { entry, type Group, leavesOf, words } from "./items.ts";
import type { Readers } from "./readers.ts";

export interface Traffic {
  /** Values made outside that something in it reads, in the order in which they are read: who makes them, and the first port that reads them. */
  readonly entering: readonly { readonly node: number; readonly port: number; readonly reader: PortInfo }[];
  /** Values made in it that something outside reads. */
  readonly leaving: readonly {
    readonly node: number;
    readonly port: number;
    readonly readers: readonly number[];
    readonly back: boolean;
  }[];
  /** What is done in it. */
  readonly said: string;
}

const MOST_SAID = 6;

/** A group belongs to one level. */
const known = new WeakMap<Group, Traffic>();

export function trafficOf(item: Group, flat: Level, readers: Readers): Traffic {
  return entry(known, item, () => make(item, flat, readers));
}

function make(item: Group, { nodes }: Level, readers: Readers): Traffic {
  const own = new Set(leavesOf(item));
  const entering = new Map<string, Traffic["entering"][number]>();
  const leaving: Traffic["leaving"][number][] = [];
  for (const v of own) {
    const node = nodes[v]!;
    for (let i = 0; i < node.feeds.length; i++) {
      const feed = node.feeds[i]!;
      if (feed.kind !== "node" || own.has(feed.node)) continue;
      entry(entering, `${feed.node} ${feed.port}`, () => ({ node: feed.node, port: feed.port, reader: node.ins[i]! }));
    }
    for (const [port, outside] of readers.that(v, (reader) => !own.has(reader)) ?? [])
      leaving.push({ node: v, port, readers: outside, back: outside.every((reader) => nodes[reader]!.back) });
  }
  return { entering: [...entering.values()], leaving, said: words(nodes, item.items, MOST_SAID) };
}
