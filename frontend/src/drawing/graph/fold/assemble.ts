/**
 * A level with its groups as nodes. A closed group keeps a port for each value that enters or leaves it; values that go the same way
 * in great number share one. An open group is a frame with the values that enter as pills, as every other frame.
 */

import type { Fold } from "../../scene.ts";
import {
  type CallInfo,
  changed,
  type Feed,
  inputNode,
  type Level,
  type LevelNode,
  outputNode,
  type Pair,
  type PortInfo,
} from "../level.ts";
import { type Bundle, bundlesOf, segments } from "./bundles.ts";
import { counted, entry, firstOf, type Group, type Item, leavesOf } from "./items.ts";
import { Readers } from "./readers.ts";
import { trafficOf } from "./traffic.ts";
import { type Twins, twinsOf } from "./twins.ts";

/** More values than this between the same two places are one wire. */
const WIRES = 3;
/** And more than this have one pill, where the group is open. */
const PILLS = 24;

interface Source {
  node: number;
  port: number;
}

/** A value that leaves a group: whether the transpose alone reads it, and where its first reader is. */
interface Leaving {
  value: Source;
  port: PortInfo;
  back: boolean;
  reader: number;
}

/** Results are after everything else. */
const RESULT = 1e9;

/** Where values leave, from left to right. */
function aside(values: readonly Leaving[]): number {
  const first = Math.min(...values.map(({ reader }) => reader));
  return first >= RESULT ? first - 2 * RESULT : -first;
}

/** From a value of the flat level to where it is at the level that is being made. */
type Resolve = (node: number, port: number) => Source;

interface Ports {
  ins: PortInfo[];
  feeds: Feed[];
  /** Value of the flat level -> in-port. */
  entering: Map<number, number>;
  /** Inputs of the level that are read in it. */
  given: PortInfo[];
  outs: PortInfo[];
  /** Per out-port the values of the flat level that leave through it. */
  leaving: Source[][];
}

/** What a level is made of, in the words of its own language. */
export type Unit = "equation" | "op" | "function";

export function assemble(flat: Level, items: readonly Item[], path: string, open: ReadonlySet<string>, unit: Unit): Level {
  return new Assembly(flat, path, open, unit).whole(items);
}

interface Output {
  node: LevelNode;
  /** Their numbers in the flat level, which read what it reads; a pill of a group has none. */
  flat: readonly number[];
  outer: number;
}

/** A pill and the positions of the strip that it stands for; `pill` is null for one that stands for itself. */
interface Seats {
  key: string;
  members: readonly number[];
  pill: PortInfo | null;
}

/** The arguments or results of a level, and which of them can share a pill: the same whatever is open. */
interface Strip {
  readonly ports: readonly { readonly port: PortInfo; readonly outer: number; readonly ends: readonly number[] }[];
  readonly bundles: readonly Bundle[];
}

function stripOf(ports: Strip["ports"]): Strip {
  const leaves = ports.map(({ port, outer, ends }) => ({ name: port.letter ? null : port.name, alone: outer >= 0, ends }));
  return { ports, bundles: bundlesOf(leaves) };
}

/** As many names as a tooltip can hold. */
const NAMES = 24;

/** A value as a number: maps are quicker by those than by words. */
const PORTS = 65_536;

function valueId(node: number, port: number): number {
  return node * PORTS + port;
}

function nodeOf(value: number): number {
  return Math.floor(value / PORTS);
}

const readers = new WeakMap<Level, Readers>();
const folds = new WeakMap<Group, Fold>();
const strip = new WeakMap<readonly Item[], { ins: Strip; outs: Strip }>();
const owners = new WeakMap<readonly Item[], ReadonlyMap<number, number>>();

/** The item that each node is in. */
function ownersOf(items: readonly Item[]): ReadonlyMap<number, number> {
  return entry(owners, items, () => {
    const owner = new Map<number, number>();
    items.forEach((item, i) => {
      for (const v of leavesOf(item)) owner.set(v, i);
    });
    return owner;
  });
}

/** Where a node of the flat level is in the one that is being made. */
type Place = (v: number) => number | undefined;

class Assembly {
  readonly #flat: Level;
  readonly #path: string;
  readonly #open: ReadonlySet<string>;
  readonly #unit: Unit;
  readonly #readers: Readers;

  constructor(flat: Level, path: string, open: ReadonlySet<string>, unit: Unit) {
    this.#flat = flat;
    this.#path = path;
    this.#open = open;
    this.#unit = unit;
    this.#readers = entry(readers, flat.closed ?? flat, () => new Readers(flat));
  }

  whole(items: readonly Item[]): Level {
    const { nodes, inputs, outputs } = this.#flat;
    const pills: LevelNode[] = [];
    const outers: number[] = [];
    const entered = new Map<number, Source>();
    const strips = entry(strip, items, () => this.#strips(items));
    const keysOf = (seated: Level["inputs"], { members }: Seats): string[] => members.map((i) => nodes[seated[i]!.node]!.key);
    for (const seats of this.#bundled(strips.ins, "in")) {
      for (const i of seats.members) entered.set(valueId(inputs[i]!.node, 0), { node: pills.length, port: 0 });
      const [first] = seats.members;
      pills.push(
        seats.pill
          ? { ...inputNode(seats.key, seats.pill), call: bundle(seats), stands: keysOf(inputs, seats) }
          : nodes[inputs[first!]!.node]!,
      );
      outers.push(inputs[first!]!.outer);
    }
    const results = this.#bundled(strips.outs, "out").map((seats): Output => {
      const flat = seats.members.map((i) => outputs[i]!.node);
      const { outer } = outputs[seats.members[0]!]!;
      if (!seats.pill) return { node: nodes[flat[0]!]!, flat, outer };
      const feeds = flat.flatMap((v) => nodes[v]!.feeds);
      const { back } = nodes[flat[0]!]!;
      return {
        node: {
          ...outputNode(seats.key, seats.pill, feeds[0]!),
          feeds,
          ins: feeds.map(() => seats.pill!),
          back,
          call: bundle(seats),
          stands: keysOf(outputs, seats),
        },
        flat,
        outer,
      };
    });
    return this.level(items, pills, outers, entered, results);
  }

  #strips(items: readonly Item[]): { ins: Strip; outs: Strip } {
    const { nodes, inputs, outputs } = this.#flat;
    const owner = ownersOf(items);
    const itemOf = (v: number): number[] => {
      const item = owner.get(v);
      return item === undefined ? [] : [item];
    };
    const ins = inputs.map(({ node, outer }) => {
      const ends = this.#readers.of(node, 0).flatMap(itemOf);
      return { port: nodes[node]!.outs[0]!, outer, ends };
    });
    const outs = outputs.map(({ node, outer }) => {
      const ends = nodes[node]!.feeds.flatMap((feed) => (feed.kind === "node" ? itemOf(feed.node) : []));
      return { port: nodes[node]!.ins[0]!, outer, ends };
    });
    return { ins: stripOf(ins), outs: stripOf(outs) };
  }

  /** The seats of a strip, some of them shared. What continues a port of the enclosing equation stands for itself. */
  #bundled({ ports: strip, bundles }: Strip, side: "in" | "out"): Seats[] {
    const shared = new Map<number, Seats>();
    for (const { name, members } of bundles) {
      const count = `${counted(members.length)} values`;
      const key = `${this.#path}~${side}.${name || strip[members[0]!]!.port.name}`;
      if (this.#open.has(key)) continue;
      const hint = members
        .map((i) => `${strip[i]!.port.name} ${strip[i]!.port.type}`)
        .slice(0, NAMES)
        .join("\n");
      const port = strip[members[0]!]!.port;
      // A bundle is opened by its key, like a group.
      const words = name === "" ? { name: count, type: "" } : { name, type: count };
      const pill = { ...port, ...words, letter: false, value: null, used: true, hint };
      for (const i of members) shared.set(i, { key, members, pill });
    }
    return strip.flatMap((_, i): Seats[] => {
      const bundle = shared.get(i);
      if (!bundle) return [{ key: "", members: [i], pill: null }];
      return bundle.members[0] === i ? [bundle] : [];
    });
  }

  level(
    items: readonly Item[],
    pills: readonly LevelNode[],
    outers: readonly number[],
    entered: ReadonlyMap<number, Source>,
    results: readonly Output[],
  ): Level {
    const nodes: LevelNode[] = [...pills];
    const owner = ownersOf(items);
    const ends = new Map<number, number>();
    results.forEach(({ flat }, i) => {
      for (const v of flat) ends.set(v, pills.length + items.length + i);
    });
    const at: Place = (v) => {
      const item = owner.get(v);
      return item === undefined ? ends.get(v) : pills.length + item;
    };
    const local = new Map<number, Source>();
    const resolve: Resolve = (node, port) =>
      local.get(valueId(node, port)) ?? entered.get(valueId(node, port)) ?? { node: at(node)!, port };
    for (const item of items) {
      if (typeof item === "number") nodes.push(this.#moved(this.#flat.nodes[item]!, resolve));
      else nodes.push(this.#group(item, nodes, at, resolve, local));
    }
    for (const { node } of results) nodes.push(this.#moved(node, resolve));
    const pairs = this.#pairs(items, at);
    const first = pills.length + items.length;
    const inputs = pills.map((_, i) => ({ node: i, outer: outers[i] ?? -1 }));
    const outputs = results.map(({ outer }, i) => ({ node: first + i, outer }));
    return { nodes, inputs, outputs, pairs, twoLanes: this.#flat.twoLanes && nodes.some((node) => node.back) };
  }

  /** Twins of the flat level, and groups that are. */
  #pairs(items: readonly Item[], at: Place): Pair[] {
    const found = new Map<string, Pair>();
    for (const { forward, backward, inner } of this.#flat.pairs) {
      const [f, b] = [at(forward), at(backward)];
      const plain = this.#flat.nodes[forward]!;
      if (f === undefined || b === undefined || f === b) continue;
      if (found.has(`${f} ${b}`) || plain.eqn === null) continue;
      found.set(`${f} ${b}`, { forward: f, backward: b, inner });
    }
    const back = (item: Item): boolean => this.#flat.nodes[firstOf(item)]!.back;
    const forward = items.filter((item) => !back(item));
    for (const twins of twinsOf(forward, items.filter(back))) {
      const [f, b] = [at(twins.forward.first)!, at(twins.backward.first)!];
      found.set(`${f} ${b}`, { forward: f, backward: b, inner: this.#innerPairs(twins) });
    }
    return [...found.values()];
  }

  /** By key, as deep as both sides are open. */
  #innerPairs({ forward, backward }: Twins): [string, string][] {
    const key = (item: Group): string => groupKey(this.#flat, this.#path, item);
    if (!this.#open.has(key(forward)) || !this.#open.has(key(backward))) return [];
    return twinsOf(forward.items, backward.items).flatMap((each) => [[key(each.forward), key(each.backward)], ...this.#innerPairs(each)]);
  }

  #moved(node: LevelNode, resolve: Resolve): LevelNode {
    const feeds = node.feeds.map((feed): Feed => {
      return feed.kind === "node" || feed.kind === "stub" ? { ...feed, ...resolve(feed.node, feed.port) } : feed;
    });
    if (node.kind !== "output" || feeds.length === 1) return changed(node, { feeds });
    // Values that come the same way are one wire.
    const ways = new Map(feeds.map((feed, i) => [feed.kind === "node" ? valueId(feed.node, feed.port) : String(i), feed]));
    return changed(node, { feeds: [...ways.values()], ins: node.ins.slice(0, ways.size) });
  }

  #group(item: Group, before: readonly LevelNode[], at: Place, resolve: Resolve, local: Map<number, Source>): LevelNode {
    const index = before.length;
    const key = groupKey(this.#flat, this.#path, item);
    const open = this.#open.has(key);
    const ports = this.#ports(item, before, at, resolve, open);
    ports.leaving.forEach((values, port) => {
      for (const value of values) local.set(valueId(value.node, value.port), { node: index, port });
    });
    const hint = `${counted(item.size)} ${this.#unit}${item.size === 1 ? "" : "s"} inside`;
    const { said } = trafficOf(item, this.#flat, this.#readers);
    const reads = partOf(ports.given);
    // A name says more than what is done; what has none is told by it. Of functions the title has names enough.
    const named = item.same !== "" || this.#unit === "function";
    const more = reads !== "" ? ` \u00b7 ${reads}` : named ? "" : `: ${said}`;
    const first = this.#flat.nodes[item.first]!;
    const inside = open ? this.#inside(item, key, ports) : null;
    const title = this.#isTurned(item) ? `${item.title} backward` : item.title;
    return {
      kind: "call",
      key,
      eqn: null,
      title,
      note: "",
      label: "",
      type: "",
      hint: said,
      scope: first.scope,
      ins: ports.ins,
      feeds: ports.feeds,
      outs: ports.outs,
      call: {
        kind: "call",
        title,
        open,
        toggle: key,
        inside,
        loops: [],
        hint: open ? hint : `${hint}${more}`,
        fold: open ? null : this.#fold(item),
      },
      back: first.back,
      twin: null,
    };
  }

  /** Whether it has a name and all of it is of the transpose, where that has no lane: a part of both passes has its name twice. */
  #isTurned(item: Group): boolean {
    const { turned, nodes } = this.#flat;
    return turned !== undefined && item.same !== "" && leavesOf(item).every((v) => turned.has(nodes[v]!.eqn ?? ""));
  }

  #ports(item: Group, before: readonly LevelNode[], at: Place, resolve: Resolve, open: boolean): Ports {
    const ports: Ports = { ins: [], feeds: [], entering: new Map(), given: [], outs: [], leaving: [] };
    const traffic = trafficOf(item, this.#flat, this.#readers);
    const entering = new Map<number, { from: Source; values: Map<number, [PortInfo, PortInfo]> }>();
    const leaving = new Map<number | string, Leaving[]>();
    for (const { node, port, reader } of traffic.entering) {
      const from = resolve(node, port);
      const way = entry(entering, valueId(from.node, from.port), () => ({ from, values: new Map() }));
      way.values.set(valueId(node, port), [this.#flat.nodes[node]!.outs[port]!, reader]);
    }
    for (const { node, port, readers: outside, back } of traffic.leaving) {
      const reader = Math.min(...outside.map((v) => (this.#flat.nodes[v]!.kind === "output" ? RESULT : 0) + (at(v) ?? 0)));
      entry(leaving, wayOut(outside, at), () => []).push({
        value: { node, port },
        port: this.#flat.nodes[node]!.outs[port]!,
        back,
        reader,
      });
    }
    for (const { values } of entering.values())
      for (const [value, [source]] of values) if (this.#flat.nodes[nodeOf(value)]!.kind === "input") ports.given.push(source);
    const { back } = this.#flat.nodes[item.first]!;
    // A group has no operands: its ports stand as what they come from does. Between the lanes is left of the transpose.
    const across = ({ values }: { values: ReadonlyMap<number, unknown> }): number =>
      back && [...values.keys()].every((value) => !this.#flat.nodes[nodeOf(value)]!.back) ? 0 : 1;
    const ins = [...entering.values()].sort((a, b) => across(a) - across(b) || a.from.node - b.from.node || a.from.port - b.from.port);
    for (const { from, values } of ins) {
      // What comes out of one port comes in at one.
      const shared = values.size > (open ? PILLS : 1);
      for (const [i, [value, [source, reader]]] of [...values].entries()) {
        if (!shared || i === 0) {
          ports.ins.push(portFrom(shared ? before[from.node]!.outs[from.port]! : source, reader));
          ports.feeds.push({ kind: "node", ...from });
        }
        ports.entering.set(value, ports.ins.length - 1);
      }
    }
    // What the transpose reads of it is its residuals: they leave on the side of the transpose. Results come first, then what goes far; what
    // comes from afar enters there, too.
    const isSaved = (values: readonly Leaving[]): boolean => !back && values.every(({ back: read }) => read);
    const outs = [...leaving.values()].sort((a, b) => Number(isSaved(a)) - Number(isSaved(b)) || aside(a) - aside(b));
    for (const values of outs) {
      const saved = isSaved(values);
      const shared = values.length > (open ? PILLS : saved ? 1 : WIRES);
      for (const [i, { value, port }] of values.entries()) {
        if (shared && i > 0) ports.leaving[ports.leaving.length - 1]!.push(value);
        else {
          ports.outs.push({ ...port, group: "", ...(shared ? many(values.map((each) => each.port)) : {}) });
          ports.leaving.push([value]);
        }
      }
    }
    return ports;
  }

  /** It says the same whatever is open. */
  #fold(item: Group): Fold {
    return entry(folds, item, () => this.#folded(item));
  }

  #folded(item: Group): Fold {
    const eqns = item.items.flatMap((inner) => (typeof inner === "number" ? (this.#flat.nodes[inner]!.eqn ?? []) : []));
    const inner = item.items.flatMap((each) => (typeof each === "number" ? [] : [this.#fold(each)]));
    return { key: groupKey(this.#flat, this.#path, item), eqns, inner };
  }

  #inside(item: Group, key: string, ports: Ports): Level {
    const pills = ports.ins.map((port, i) => inputNode(`${key}|in${i}`, port));
    const entered = new Map([...ports.entering].map(([value, port]) => [value, { node: port, port: 0 }]));
    const results = ports.outs.map((port, outer): Output => {
      const feeds = ports.leaving[outer]!.map((value): Feed => ({ kind: "node", ...value }));
      const node = { ...outputNode(`${key}|out${outer}`, port, feeds[0]!), feeds, ins: feeds.map(() => port) };
      return { node, flat: [], outer };
    });
    const outers = pills.map((_, i) => i);
    return this.level(item.items, pills, outers, entered, results);
  }
}

/** A group is named by its first equation and its size, so that it is the same one after an edit elsewhere. */
export function groupKey(flat: Level, path: string, { kind, first, size }: Group): string {
  const eqn = flat.nodes[first]!.key;
  return `${path}~${kind}.${eqn.slice(eqn.lastIndexOf("/") + 1)}+${size}`;
}

/** Where the readers of a value are: the one place that nearly every value goes to, or all of them as a name. */
function wayOut(readers: readonly number[], at: Place): number | string {
  const first = at(readers[0]!) ?? -1;
  if (readers.every((reader) => (at(reader) ?? -1) === first)) return first;
  return [...new Set(readers.map((reader) => at(reader) ?? -1))].sort((a, b) => a - b).join(" ");
}

function bundle({ key, members }: Seats): CallInfo {
  return {
    kind: "call",
    title: "",
    open: false,
    toggle: key,
    inside: null,
    loops: [],
    hint: `${counted(members.length)} values`,
    fold: null,
  };
}

function portFrom(source: PortInfo, reader: PortInfo): PortInfo {
  const role = reader.role === "plain" ? source.role : reader.role;
  return { ...source, role, group: "", used: true, cotangent: source.cotangent || reader.cotangent };
}

/** The part of a tree that a group reads alone: `params['layers'][3]`, or "". */
function partOf(given: readonly PortInfo[]): string {
  const paths = given.filter((port) => !port.letter).map((port) => segments(port.name));
  const parts = new Set(paths.filter((path) => path.length > 2).map((path) => path.slice(0, -1).join("")));
  const [only] = parts;
  return parts.size === 1 ? only! : "";
}

function many(ports: readonly PortInfo[]): Partial<PortInfo> {
  const count = ports.length;
  const known = ports.every((port) => port.bytes != null);
  const bytes = known ? ports.reduce((sum, port) => sum + (port.bytes ?? 0), 0) : null;
  return {
    name: `${counted(count)} values`,
    letter: false,
    type: "",
    value: null,
    hint: `${counted(count)} values`,
    used: true,
    bytes,
    stands: count,
  };
}
