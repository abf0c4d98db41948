/**
 * A level as a plain graph: boxes, groups and arrows with the words and roles of the picture and no places. What other languages for
 * graphs (DOT, Mermaid, an outline in text) are written from.
 *
 * Promises: every operand that the picture draws a wire or a chip to is an arrow or a literal here, exactly once for each thing it enters.
 */
import { showRole } from "../emit/sink.ts";
import { type Level, type LevelNode, outersOf, type PortInfo } from "../graph/level.ts";
import { wireRoleOf } from "../graph/ports.ts";
import type { WireRole } from "../scene.ts";

export interface DiagramNode {
  id: string;
  kind: "op" | "closed" | "input" | "output" | "binder" | "result" | "port";
  /** Instance path of the equation or op, or null. */
  eqn: string | null;
  title: string;
  note: string;
  /** The person's own name of the result. */
  label: string;
  type: string;
  role: WireRole;
  /** The title is the compiler's own letter. */
  letter: boolean;
  group: string | null;
  /** Literals and folded values that it takes, in operand order. */
  literals: string[];
  back: boolean;
}

export interface DiagramGroup {
  id: string;
  kind: "scan" | "while" | "cond" | "call" | "body";
  eqn: string | null;
  title: string;
  notes: readonly string[];
  group: string | null;
}

export interface DiagramEdge {
  from: string;
  to: string;
  role: WireRole;
  /** `loop`: what the next step gets. `select`: an index or a predicate. */
  kind: "flow" | "loop" | "select" | "effect";
  /** Of the value: its name, and its type. */
  name: string;
  type: string;
}

export interface Diagram {
  nodes: DiagramNode[];
  groups: DiagramGroup[];
  edges: DiagramEdge[];
}

/** An end of an arrow: the thing and how it looks there. */
interface End {
  id: string;
  port: PortInfo;
}

/** How a level is reached from outside of it and from within. */
interface Reached {
  /** The thing that gives the result `port` of the node. */
  source(node: number, port: number): End;
  /** The things that take what enters the node at `port`. */
  targets(node: number, port: number): End[];
}

export function diagramOf(level: Level): Diagram {
  const diagram: Diagram = { nodes: [], groups: [], edges: [] };
  walk(diagram, level, null);
  return diagram;
}

function walk(diagram: Diagram, level: Level, group: string | null): Reached {
  const ids: string[] = [];
  const inner = new Map<number, Reached & { level: Level }>();
  for (const [at, node] of level.nodes.entries()) {
    const inside = node.call?.inside;
    if (inside) {
      const id = `g${diagram.groups.length}`;
      ids.push(id);
      const { kind, notes } = node.call!;
      diagram.groups.push({ id, kind, eqn: node.eqn, title: node.title, notes: notes ?? [], group });
      inner.set(at, { ...walk(diagram, inside, id), level: inside });
      loops(diagram, node, inside, inner.get(at)!);
    } else ids.push(add(diagram, boxOf(node, group, group !== null)));
  }
  // A port of an open body that none of its pills continues has a point of its own.
  const points = new Map<string, string>();
  const point = (at: number, side: string, port: number, info: PortInfo): End => {
    const key = `${at} ${side} ${port}`;
    const id = points.get(key) ?? add(diagram, { ...boxOf(level.nodes[at]!, ids[at]!, true), ...pointWords(info) });
    points.set(key, id);
    return { id, port: info };
  };
  const reached: Reached = {
    source(at, port) {
      const info = level.nodes[at]!.outs[port]!;
      const body = inner.get(at);
      if (!body) return { id: ids[at]!, port: info };
      const seat = body.level.outputs.find((output) => outersOf(body.level, output).includes(port));
      return seat ? { id: body.targets(seat.node, 0)[0]!.id, port: info } : point(at, "out", port, info);
    },
    targets(at, port) {
      const node = level.nodes[at]!;
      const info = node.ins[port] ?? node.outs[0]!;
      const body = inner.get(at);
      if (!body) return [{ id: ids[at]!, port: info }];
      const seats = body.level.inputs.filter((input) => outersOf(body.level, input).includes(port));
      if (seats.length === 0) return [point(at, "in", port, info)];
      return seats.map((seat) => ({ id: body.source(seat.node, 0).id, port: info }));
    },
  };
  const byId = new Map(diagram.nodes.map((node) => [node.id, node]));
  for (const [at, node] of level.nodes.entries()) {
    for (const [port, feed] of node.feeds.entries()) {
      if (feed.kind === "none") continue;
      const targets = reached.targets(at, port);
      if (feed.kind === "literal") for (const { id } of targets) byId.get(id)?.literals.push(feed.text);
      else {
        const from = reached.source(feed.node, feed.port);
        const crossing = level.twoLanes && node.back && !level.nodes[feed.node]!.back;
        for (const to of targets) diagram.edges.push(edge(from, to, crossing));
      }
    }
  }
  return reached;
}

function add(diagram: Diagram, box: Omit<DiagramNode, "id">): string {
  const id = `n${diagram.nodes.length}`;
  diagram.nodes.push({ id, ...box });
  return id;
}

function boxOf(node: LevelNode, group: string | null, nested: boolean): Omit<DiagramNode, "id"> {
  const { kind, eqn, title, note, label, type, back } = node;
  const pill = kind === "input" ? node.outs[0] : kind === "output" ? node.ins[0] : undefined;
  const said = kind === "call" ? (node.call?.hint ?? "") : note;
  const shape = kind === "call" ? "closed" : kind === "input" && nested ? "binder" : kind === "output" && nested ? "result" : kind;
  const role = pill ? showRole(pill) : "plain";
  return { kind: shape, eqn, title, note: said, label, type, role, letter: pill?.letter ?? false, group, literals: [], back };
}

function pointWords(info: PortInfo): Pick<DiagramNode, "kind" | "title" | "note" | "label" | "type" | "role" | "letter"> {
  return { kind: "port", title: info.name, note: "", label: "", type: info.type, role: showRole(info), letter: info.letter };
}

function edge(from: End, to: End, crossing: boolean): DiagramEdge {
  const role = wireRoleOf(from.port, to.port, crossing);
  const select = to.port.group === "index" || to.port.group === "when";
  const kind = select ? "select" : role === "plain" && from.port.ref ? "effect" : "flow";
  return { from: from.id, to: to.id, role, kind, name: from.port.name, type: from.port.type };
}

/** The carry of the next step: from the results of the body to its binders. */
function loops(diagram: Diagram, node: LevelNode, inside: Level, body: Reached): void {
  for (const [out, input] of node.call!.loops) {
    const [result, binder] = [inside.outputs[out], inside.inputs[input]];
    if (!result || !binder) continue;
    const from = body.targets(result.node, 0)[0]!;
    const to = body.source(binder.node, 0);
    diagram.edges.push({ from: from.id, to: to.id, role: "carry", kind: "loop", name: from.port.name, type: from.port.type });
  }
}
