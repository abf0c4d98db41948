// Scenes for tests, as data.
import type { Frame, Node, Port, Scene, Wire } from "../../src/drawing/scene.ts";

export function node(key: string, x: number, y: number, parts: Partial<Node> = {}): Node {
  return {
    key,
    box: { x, y, w: 80, h: 32 },
    eqn: key,
    value: null,
    hint: "",
    kind: "op",
    title: key,
    role: "plain",
    toggle: null,
    fold: null,
    call: null,
    recomputed: false,
    dim: false,
    up: false,
    twin: null,
    ...parts,
  };
}

export function frame(key: string, x: number, y: number, w: number, h: number): Frame {
  return {
    key,
    box: { x, y, w, h },
    eqn: key,
    value: null,
    hint: "",
    kind: "scan",
    title: key,
    toggle: key,
    fold: { x, y, w: 20, h: 20 },
    depth: 1,
    up: false,
    twin: null,
  };
}

/** Wires from the bottom of one node to the top of another. */
export function scene(frames: Frame[], nodes: Node[], edges: readonly (readonly [string, string])[]): Scene {
  const ports: Port[] = [];
  const wires: Wire[] = [];
  const port = (owner: string, direction: "in" | "out"): string => {
    const key = `${owner}.${direction}${ports.length}`;
    ports.push({
      key,
      box: { x: 0, y: 0, w: 5, h: 5 },
      eqn: null,
      value: null,
      hint: "",
      owner,
      direction,
      index: 0,
      role: "plain",
      name: "",
      letter: false,
      type: "",
      used: true,
    });
    return key;
  };
  for (const [from, to] of edges) {
    wires.push({
      key: `${from}>${to}`,
      box: { x: 0, y: 0, w: 0, h: 0 },
      eqn: null,
      value: null,
      hint: "",
      role: "plain",
      kind: "flow",
      d: "",
      points: [],
      trunk: null,
      cable: null,
      carries: false,
      from: port(from, "out"),
      to: port(to, "in"),
    });
  }
  return { direction: "TB", width: 1000, height: 1000, frames, nodes, ports, wires, chips: [], labels: [], rules: [], folds: [] };
}
