// Walking a scene by keys: along wires where there are some, else to the nearest neighbour in that direction; back the way one came. Pure.
import type { Box, Frame, Node, Scene } from "../drawing/scene.ts";

export type Direction = "up" | "down" | "left" | "right";
export type Stop = Node | Frame;

const OPPOSITE: Readonly<Record<Direction, Direction>> = { up: "down", down: "up", left: "right", right: "left" };

/** Where the keyboard can stop: every node and every frame that is something (an equation or foldable). */
export function stopsOf(scene: Scene): Stop[] {
  return [...scene.frames.filter((frame) => frame.eqn !== null || frame.toggle !== null), ...scene.nodes];
}

/** The stop to begin at: the topmost equation, leftmost among equals. */
export function firstStop(scene: Scene): Stop | null {
  return inReadingOrder(scene.nodes.length > 0 ? scene.nodes : stopsOf(scene))[0] ?? null;
}

/** The key of the stop that an arrow key leads to, or null when there is none that way. */
export function neighbour(scene: Scene, key: string, direction: Direction): string | null {
  const stops = stopsOf(scene);
  const here = stops.find((stop) => stop.key === key);
  if (here === undefined) return firstStop(scene)?.key ?? null;
  if (direction === "up" || direction === "down") {
    const wired = nearest(here, connected(scene, stops, here), direction);
    if (wired !== null) return wired.key;
  }
  const others = stops.filter((stop) => stop !== here && !holds(stop.box, here.box) && !holds(here.box, stop.box));
  const beside = nearest(here, others, direction);
  if (beside !== null) return beside.key;
  // Down from a frame's header leads into it, up from its first row leads to it.
  if (direction === "down")
    return (
      nearest(
        here,
        stops.filter((stop) => stop !== here && holds(here.box, stop.box)),
        direction,
        true,
      )?.key ?? null
    );
  if (direction === "up") return smallest(stops.filter((stop) => stop !== here && holds(stop.box, here.box)))?.key ?? null;
  return null;
}

/** The first or the last stop, in reading order, of the body that a stop stands in. */
export function edgeOf(scene: Scene, key: string, edge: "first" | "last"): string | null {
  const stops = stopsOf(scene);
  const here = stops.find((stop) => stop.key === key);
  if (here === undefined) return firstStop(scene)?.key ?? null;
  const body = smallest(scene.frames.filter((frame) => frame !== here && holds(frame.box, here.box)));
  const within = stops.filter(
    (stop) => (body === null || (stop !== body && holds(body.box, stop.box))) && !scene.frames.some((frame) => between(frame, body, stop)),
  );
  const row = inReadingOrder(within);
  return (edge === "first" ? row[0] : row[row.length - 1])?.key ?? null;
}

/** A frame inside of `body` that holds `stop`: then the stop is not of the body itself. */
function between(frame: Frame, body: Frame | null, stop: Stop): boolean {
  return (
    frame !== body && frame !== stop && frame.toggle !== null && holds(frame.box, stop.box) && (body === null || holds(body.box, frame.box))
  );
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
    if (stop !== undefined && stop !== here) found.add(stop);
  }
  return [...found];
}

function nearest(here: Stop, stops: readonly Stop[], direction: Direction, inside = false): Stop | null {
  let best: Stop | null = null;
  let cost = Number.POSITIVE_INFINITY;
  const [hx, hy] = inside ? [here.box.x + here.box.w / 2, here.box.y] : centre(here.box);
  for (const stop of stops) {
    const [x, y] = centre(stop.box);
    const dx = x - hx;
    const dy = y - hy;
    const along = direction === "up" ? -dy : direction === "down" ? dy : direction === "left" ? -dx : dx;
    const across = direction === "up" || direction === "down" ? Math.abs(dx) : Math.abs(dy);
    if (along <= 4) continue;
    const distance = along + across * (direction === "left" || direction === "right" ? 4 : 1.5);
    if (distance < cost) {
      cost = distance;
      best = stop;
    }
  }
  return best;
}

function inReadingOrder<T extends Stop>(stops: readonly T[]): T[] {
  return [...stops].sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x);
}

function smallest<T extends Stop>(stops: readonly T[]): T | null {
  return stops.reduce<T | null>((best, stop) => (best === null || stop.box.w * stop.box.h < best.box.w * best.box.h ? stop : best), null);
}

function centre(box: Box): [number, number] {
  return [box.x + box.w / 2, box.y + box.h / 2];
}

function holds(outer: Box, inner: Box): boolean {
  return outer.x <= inner.x && outer.y <= inner.y && outer.x + outer.w >= inner.x + inner.w && outer.y + outer.h >= inner.y + inner.h;
}
