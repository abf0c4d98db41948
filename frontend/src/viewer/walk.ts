// Walking a scene by arrow keys: along wires where there are some, else to the nearest neighbour in that direction. Pure.
import type { Box, Frame, Node, Scene } from "../drawing/scene.ts";

export type Direction = "up" | "down" | "left" | "right";
export type Stop = Node | Frame;

/** Where the keyboard can stop: every node and every frame that is something (an equation or foldable). */
export function stopsOf(scene: Scene): Stop[] {
  return [...scene.frames.filter((frame) => frame.eqn !== null || frame.toggle !== null), ...scene.nodes];
}

/** The stop to begin at: the topmost equation, leftmost among equals. */
export function firstStop(scene: Scene): Stop | null {
  const stops = scene.nodes.length > 0 ? scene.nodes : stopsOf(scene);
  return stops.reduce<Stop | null>(
    (best, stop) => (best === null || stop.box.y < best.box.y || (stop.box.y === best.box.y && stop.box.x < best.box.x) ? stop : best),
    null,
  );
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

function smallest(stops: readonly Stop[]): Stop | null {
  return stops.reduce<Stop | null>(
    (best, stop) => (best === null || stop.box.w * stop.box.h < best.box.w * best.box.h ? stop : best),
    null,
  );
}

function centre(box: Box): [number, number] {
  return [box.x + box.w / 2, box.y + box.h / 2];
}

function holds(outer: Box, inner: Box): boolean {
  return outer.x <= inner.x && outer.y <= inner.y && outer.x + outer.w >= inner.x + inner.w && outer.y + outer.h >= inner.y + inner.h;
}
