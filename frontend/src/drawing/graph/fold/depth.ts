/**
 * What is open down to a depth: round by round whatever is closed in the level as it is then, bodies and groups alike, until there are more
 * boxes than can be drawn in good time. What that leaves closed is counted, for it has to be said.
 */
import type { CallInfo, Level } from "../level.ts";

/** More boxes than this nobody reads, and they would take seconds. */
export const MOST_BOXES = 4_000;

export interface Opened {
  open: Set<string>;
  /** How many stay closed that the depth asks for. */
  left: number;
}

export function openTo(build: (open: ReadonlySet<string>) => Level, depth: number, most = MOST_BOXES): Opened {
  const open = new Set<string>();
  for (let round = 0; round < depth; round++) {
    const { boxes, closed } = inSight(build(open));
    if (closed.length === 0) break;
    let room = most - boxes;
    let left = 0;
    for (const call of closed) {
      const inside = insideOf(call);
      if (inside > room) left++;
      else {
        room -= inside;
        open.add(call.toggle!);
      }
    }
    if (left > 0) return { open, left };
  }
  return { open, left: 0 };
}

function inSight(level: Level): { boxes: number; closed: CallInfo[] } {
  let boxes = 0;
  const closed: CallInfo[] = [];
  const walk = ({ nodes }: Level): void => {
    for (const { call, kind } of nodes) {
      if (kind === "op" || kind === "call") boxes++;
      if (call?.inside) walk(call.inside);
      // A bundle of inputs is not a body.
      else if (call && kind === "call" && !call.open && call.toggle !== null) closed.push(call);
    }
  };
  walk(level);
  return { boxes, closed };
}

/** How many boxes are in it: of a group what it holds, of a body what it says. */
function insideOf({ fold, hint }: CallInfo): number {
  return fold === null ? Number.parseInt(hint, 10) || 0 : fold.eqns.length + fold.inner.length;
}
