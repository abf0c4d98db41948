/** What must be true of every scene; each returns the violations in words, so that a failure names the culprit. */
import { onScreen } from "../../src/drawing/axes.ts";
import type { Box, Scene } from "../../src/drawing/index.ts";

const SLACK = 0.6;
/** Where arrows meet two wires may touch for as long as this. */
const UPON = 9;

function inside(inner: Box, outer: Box, slack = SLACK): boolean {
  return (
    inner.x >= outer.x - slack &&
    inner.y >= outer.y - slack &&
    inner.x + inner.w <= outer.x + outer.w + slack &&
    inner.y + inner.h <= outer.y + outer.h + slack
  );
}

function overlap(a: Box, b: Box, slack = SLACK): boolean {
  return a.x < b.x + b.w - slack && b.x < a.x + a.w - slack && a.y < b.y + b.h - slack && b.y < a.y + a.h - slack;
}

interface Named {
  key: string;
  box: Box;
}

/** Pairs that overlap, found by sweeping along y. */
function overlaps(items: readonly Named[], allowed: (a: Named, b: Named) => boolean = () => false): string[] {
  const sorted = [...items].sort((a, b) => a.box.y - b.box.y);
  const found: string[] = [];
  const active: Named[] = [];
  for (const item of sorted) {
    for (let i = active.length - 1; i >= 0; i--) {
      const other = active[i]!;
      if (other.box.y + other.box.h <= item.box.y) active.splice(i, 1);
      else if (overlap(item.box, other.box) && !allowed(item, other)) found.push(`${item.key} over ${other.key}`);
    }
    active.push(item);
  }
  return found;
}

export function nodesApart(scene: Scene): string[] {
  return overlaps([...scene.nodes, ...scene.chips]);
}

/** Frames nest or are apart; nodes are in a frame or out of it, never across its border. */
export function framesNest(scene: Scene): string[] {
  const found: string[] = [];
  for (const frame of scene.frames) {
    for (const other of scene.frames) {
      if (other === frame || inside(other.box, frame.box) || inside(frame.box, other.box)) continue;
      if (overlap(frame.box, other.box)) found.push(`${frame.key} across ${other.key}`);
    }
    for (const node of scene.nodes) {
      if (overlap(node.box, frame.box) && !inside(node.box, frame.box)) found.push(`${node.key} across ${frame.key}`);
    }
  }
  return found;
}

export function keysUnique(scene: Scene): string[] {
  const seen = new Set<string>();
  const all = [scene.frames, scene.nodes, scene.ports, scene.wires, scene.chips, scene.labels, scene.rules].flat();
  return all.filter(({ key }) => seen.has(key) || !seen.add(key)).map(({ key }) => key);
}

/** As it would be if it flowed down: for what is said of the flow. */
function flowingDown(scene: Scene): Scene {
  if (scene.direction === "TB") return scene;
  const turned = <T extends Named>(items: readonly T[]): T[] => items.map((item) => ({ ...item, box: onScreen("LR", item.box) }));
  const wires = turned(scene.wires).map((wire) => ({ ...wire, points: wire.points.map((_, i) => wire.points[i ^ 1]!) }));
  return { ...scene, direction: "TB", nodes: turned(scene.nodes), ports: turned(scene.ports), wires };
}

export function wiresMeetPorts(drawn: Scene): string[] {
  const scene = flowingDown(drawn);
  const ports = new Map(scene.ports.map((port) => [port.key, port]));
  return scene.wires.flatMap((wire) => {
    const from = ports.get(wire.from);
    const to = ports.get(wire.to);
    if (!from || !to) return [`${wire.key}: no such port`];
    const n = wire.points.length;
    const loop = wire.kind === "loop";
    const at = (x: number, y: number, box: Box): boolean =>
      Math.abs(y - box.y - box.h / 2) < SLACK && (loop || Math.abs(x - box.x - box.w / 2) < SLACK);
    const good = at(wire.points[0]!, wire.points[1]!, from.box) && at(wire.points[n - 2]!, wire.points[n - 1]!, to.box);
    return good ? [] : [`${wire.key}: ends beside its port`];
  });
}

/** Every in-port of a box is fed once: by a wire, a literal or a stub; results of a branch once per branch. */
export function operandsFedOnce(scene: Scene): string[] {
  const fed = new Map<string, number>();
  const feed = (key: string): void => {
    fed.set(key, (fed.get(key) ?? 0) + 1);
  };
  for (const wire of scene.wires) if (wire.kind !== "loop") feed(wire.to);
  for (const chip of scene.chips) if (chip.kind !== "source") [chip.port, ...chip.also].forEach(feed);
  const dim = new Set(scene.nodes.filter((node) => node.dim).map((node) => node.key));
  const pills = new Set(scene.nodes.filter((node) => node.kind === "binder").map((node) => node.key));
  return scene.ports
    .filter((port) => port.direction === "in" && port.used && !dim.has(port.owner) && !pills.has(port.owner))
    .filter((port) => fed.get(port.key) !== 1)
    .map((port) => `${port.key}: fed ${fed.get(port.key) ?? 0} times`);
}

export function labelsFit(scene: Scene): string[] {
  const owners = new Map<string, Box>();
  for (const item of [...scene.frames, ...scene.nodes, ...scene.chips]) owners.set(item.key, item.box);
  const page = { x: 0, y: 0, w: scene.width, h: scene.height };
  return scene.labels
    .filter((label) => !inside(label.box, label.owner === null ? page : (owners.get(label.owner) ?? { x: 0, y: 0, w: 0, h: 0 })))
    .map((label) => `${label.key} "${label.text}" sticks out of ${label.owner}`);
}

export function labelsApart(scene: Scene): string[] {
  return overlaps(scene.labels);
}

/** No wire runs through a box, a pill, a chip or the text of a frame that it does not belong to. */
export function wiresAvoidBoxes(scene: Scene): string[] {
  const titles = scene.labels.filter((label) => label.style === "title" || label.style === "lane");
  const obstacles: Named[] = [...scene.nodes, ...scene.chips, ...titles];
  const ports = new Map(scene.ports.map((port) => [port.key, port]));
  const found: string[] = [];
  for (const wire of scene.wires) {
    const own = new Set([ports.get(wire.from)?.owner, ports.get(wire.to)?.owner, `${wire.from}.chip`, `${wire.to}.chip`]);
    for (const { key, box } of obstacles) {
      if (own.has(key) || !overlap(wire.box.w < 1 ? { ...wire.box, x: wire.box.x - 0.7, w: 1.4 } : wire.box, box)) continue;
      for (let i = 0; i + 3 < wire.points.length; i += 2) {
        if (segmentHits(wire.points[i]!, wire.points[i + 1]!, wire.points[i + 2]!, wire.points[i + 3]!, box)) {
          found.push(`${wire.key} through ${key}`);
          break;
        }
      }
    }
  }
  return found;
}

function segmentHits(x0: number, y0: number, x1: number, y1: number, box: Box): boolean {
  const steps = Math.max(1, Math.ceil(Math.hypot(x1 - x0, y1 - y0) / 4));
  for (let i = 0; i <= steps; i++) {
    const x = x0 + ((x1 - x0) * i) / steps;
    const y = y0 + ((y1 - y0) * i) / steps;
    if (x > box.x + 1 && x < box.x + box.w - 1 && y > box.y + 1 && y < box.y + box.h - 1) return true;
  }
  return false;
}

/** Ports on the border of an open frame stand exactly above (or below) the pills that they lead to. */
export function portsAbovePills(drawn: Scene): string[] {
  const scene = flowingDown(drawn);
  const ports = new Map(scene.ports.map((port) => [port.key, port]));
  const frames = new Set(scene.frames.map((frame) => frame.key));
  return scene.wires
    .filter((wire) => frames.has(ports.get(wire.from)?.owner ?? "") && ports.get(wire.to)?.owner.includes("|"))
    .filter((wire) => wire.kind === "flow" && wire.box.w > 0.01 && !wire.from.includes(">out"))
    .map((wire) => `${wire.key} is not vertical`);
}

/** The place of each port: the values of a pill that stands for many share one, and run together there. */
function socketsOf(scene: Scene): Map<string, string> {
  return new Map(scene.ports.map(({ key, owner, direction, box }) => [key, `${owner} ${direction} ${Math.round(box.x * 10)}`]));
}

/** Straight stretches of wires of different values lie beside each other, not upon each other, unless they go to or come from one place. */
export function wiresApart(drawn: Scene): string[] {
  const scene = flowingDown(drawn);
  interface Stretch {
    from: number;
    to: number;
    net: string;
    sockets: string[];
    key: string;
  }
  const sockets = socketsOf(scene);
  const lines = new Map<string, Stretch[]>();
  const owners = new Map(scene.ports.map(({ key, owner }) => [key, owner]));
  const joined = (wire: Scene["wires"][number]): string => `${wire.kind} ${owners.get(wire.from)} ${owners.get(wire.to)}`;
  const cabled = new Set(scene.wires.filter(({ cable }) => cable !== null).map(joined));
  for (const wire of scene.wires) {
    // The carries of a loop share one thick rail where they are many, and so do the residuals between two twins.
    if (wire.kind === "loop" || (wire.kind === "cross" && cabled.has(joined(wire)))) continue;
    for (let i = 0; i + 3 < wire.points.length; i += 2) {
      const [x0, y0, x1, y1] = [wire.points[i]!, wire.points[i + 1]!, wire.points[i + 2]!, wire.points[i + 3]!];
      const upright = Math.abs(x0 - x1) < 0.01;
      if (!upright && Math.abs(y0 - y1) >= 0.01) continue;
      const line = upright ? `x ${Math.round(x0)}` : `y ${Math.round(y0)}`;
      const [a, b] = upright ? [y0, y1] : [x0, x1];
      const stretch = {
        from: Math.min(a, b),
        to: Math.max(a, b),
        net: wire.value ?? wire.from,
        sockets: [sockets.get(wire.from)!, sockets.get(wire.to)!],
        key: wire.key,
      };
      lines.set(line, [...(lines.get(line) ?? []), stretch]);
    }
  }
  const found: string[] = [];
  for (const stretches of lines.values()) {
    for (const a of stretches) {
      for (const b of stretches) {
        if (a.sockets.some((socket) => b.sockets.includes(socket))) continue;
        if (a.net < b.net && Math.min(a.to, b.to) - Math.max(a.from, b.from) > UPON) found.push(`${a.key} upon ${b.key}`);
      }
    }
  }
  return [...new Set(found)];
}

export const ALL = {
  wiresApart,
  nodesApart,
  framesNest,
  keysUnique,
  wiresMeetPorts,
  operandsFedOnce,
  labelsFit,
  labelsApart,
  wiresAvoidBoxes,
  portsAbovePills,
};
