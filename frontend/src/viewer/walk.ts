// Walking a scene by keys: along wires where there are some, else to the nearest neighbour in that direction; back the way one came. Pure.
// A drawing that flows to the right is walked as one that flows down, with left for up and down for right.
import type { Box, Direction as Flow, Frame, Node, Scene } from "../drawing/scene.ts";

export type Direction = "up" | "down" | "left" | "right";
export type Stop = Node | Frame;

const HEADER = 16;

const OPPOSITE: Readonly<Record<Direction, Direction>> = { up: "down", down: "up", left: "right", right: "left" };

/** The two keys that go with the flow of a drawing, there and back. */
const ALONG: Readonly<Record<Flow, { on: Direction; back: Direction }>> = {
  TB: { on: "down", back: "up" },
  LR: { on: "right", back: "left" },
};

/** Where the keyboard can stop: every node and every frame that is something (an equation or foldable). */
export function stopsOf(scene: Scene): Stop[] {
  return [...scene.frames.filter(isStop), ...scene.nodes];
}

function isStop(frame: Frame): boolean {
  return frame.eqn !== null || frame.toggle !== null;
}

/** The stop to begin at: the topmost equation, leftmost among equals; of a flow to the right the leftmost. */
export function firstStop(scene: Scene): Stop | null {
  return inReadingOrder(scene, scene.nodes.length > 0 ? scene.nodes : stopsOf(scene))[0] ?? null;
}

/**
 * The key of the stop that an arrow key leads to, or null when there is none that way. Down from the header of an open body leads into it,
 * up from its first row back to the header, down from its last row to what comes after it. Left and right stay in the body.
 */
export function neighbour(scene: Scene, key: string, direction: Direction): string | null {
  const stops = stopsOf(scene);
  const here = stops.find((stop) => stop.key === key);
  if (here === undefined) return firstStop(scene)?.key ?? null;
  const { on, back } = ALONG[scene.direction];
  const along = direction === on || direction === back;
  if (direction === on) {
    const inside = nearest(scene.direction, here, innerStops(scene, stops, here), direction, true);
    if (inside !== null) return inside.key;
  }
  for (let from: Stop | null = here; from !== null; from = bodyOf(scene, from)) {
    const body = bodyOf(scene, from);
    if (along) {
      const wired = nearest(scene.direction, from, connected(scene, stops, from), direction);
      if (wired !== null) return wired.key;
    }
    const beside = nearest(
      scene.direction,
      from,
      innerStops(scene, stops, body).filter((stop) => stop !== from),
      direction,
    );
    if (beside !== null) return beside.key;
    if (direction === back) return body?.key ?? null;
    if (!along) return null;
  }
  return null;
}

/** The first or the last stop, in reading order, of the body that a stop stands in. */
export function edgeOf(scene: Scene, key: string, edge: "first" | "last"): string | null {
  const stops = stopsOf(scene);
  const here = stops.find((stop) => stop.key === key);
  if (here === undefined) return firstStop(scene)?.key ?? null;
  const row = inReadingOrder(scene, innerStops(scene, stops, bodyOf(scene, here)));
  return (edge === "first" ? row[0] : row[row.length - 1])?.key ?? null;
}

/** The open body that a stop stands in, or null at the top. */
function bodyOf(scene: Scene, stop: Stop): Frame | null {
  return smallest(scene.frames.filter((frame) => isStop(frame) && frame !== stop && holds(frame.box, stop.box)));
}

/** What stands in an open body itself, not in the bodies inside of it; of the whole drawing for null, of a closed box nothing. */
function innerStops(scene: Scene, stops: readonly Stop[], body: Stop | null): Stop[] {
  if (body !== null && !("depth" in body)) return [];
  const inside = body === null ? stops : stops.filter((stop) => stop !== body && holds(body.box, stop.box));
  const bodies = scene.frames.filter((frame) => isStop(frame) && frame !== body && (body === null || holds(body.box, frame.box)));
  return inside.filter((stop) => !bodies.some((frame) => frame !== stop && holds(frame.box, stop.box)));
}

/** Remembers the last step: the opposite key takes it back, also where another stop is nearer. */
export class Trail {
  #steps: { from: string; to: string; direction: Direction }[] = [];

  next(scene: Scene, key: string, direction: Direction): string | null {
    const last = this.#steps[this.#steps.length - 1];
    if (last !== undefined && last.to === key && last.direction === OPPOSITE[direction]) {
      this.#steps.pop();
      if (stopsOf(scene).some((stop) => stop.key === last.from)) return last.from;
    }
    // Whoever came here otherwise has no way back to take.
    if (last !== undefined && last.to !== key) this.#steps = [];
    const to = neighbour(scene, key, direction);
    if (to !== null) this.#steps.push({ from: key, to, direction });
    return to;
  }
}

function connected(scene: Scene, stops: readonly Stop[], here: Stop): Stop[] {
  const owners = new Map(scene.ports.map((port) => [port.key, port.owner]));
  const byKey = new Map(stops.map((stop) => [stop.key, stop]));
  const found = new Set<Stop>();
  for (const wire of scene.wires) {
    if (wire.kind === "loop") continue;
    const from = owners.get(wire.from);
    const to = owners.get(wire.to);
    const other = from === here.key ? to : to === here.key ? from : undefined;
    const stop = other === undefined ? undefined : byKey.get(other);
    // The body around it is wired to its pills, but lies in no direction.
    if (stop !== undefined && stop !== here && !("depth" in stop && holds(stop.box, here.box))) found.add(stop);
  }
  return [...found];
}

function nearest(flow: Flow, here: Stop, stops: readonly Stop[], direction: Direction, inside = false): Stop | null {
  let best: Stop | null = null;
  let cost = Number.POSITIVE_INFINITY;
  const [hx, hy] = inside ? entryOf(flow, here) : placeOf(flow, here);
  const { on, back } = ALONG[flow];
  for (const stop of stops) {
    const [x, y] = placeOf(flow, stop);
    const dx = x - hx;
    const dy = y - hy;
    const along = direction === "up" ? -dy : direction === "down" ? dy : direction === "left" ? -dx : dx;
    const across = direction === "up" || direction === "down" ? Math.abs(dx) : Math.abs(dy);
    if (along <= 4) continue;
    const distance = along + across * (direction === on || direction === back ? 1.5 : 4);
    if (distance < cost) {
      cost = distance;
      best = stop;
    }
  }
  return best;
}

function inReadingOrder<T extends Stop>({ direction }: Scene, stops: readonly T[]): T[] {
  if (direction === "LR") return [...stops].sort((a, b) => a.box.x - b.box.x || a.box.y - b.box.y);
  return [...stops].sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x);
}

function smallest<T extends Stop>(stops: readonly T[]): T | null {
  return stops.reduce<T | null>((best, stop) => (best === null || stop.box.w * stop.box.h < best.box.w * best.box.h ? stop : best), null);
}

/** Where a stop is for the eye: a box at its middle, an open body at its header. */
function placeOf(flow: Flow, { box, ...stop }: Stop): [number, number] {
  if (!("depth" in stop)) return [box.x + box.w / 2, box.y + box.h / 2];
  return flow === "TB" ? [box.x + box.w / 2, box.y + HEADER] : [box.x + HEADER, box.y + box.h / 2];
}

/** Where the flow enters a body. */
function entryOf(flow: Flow, { box }: Stop): [number, number] {
  return flow === "TB" ? [box.x + box.w / 2, box.y] : [box.x, box.y + box.h / 2];
}

function holds(outer: Box, inner: Box): boolean {
  return outer.x <= inner.x && outer.y <= inner.y && outer.x + outer.w >= inner.x + inner.w && outer.y + outer.h >= inner.y + inner.h;
}
