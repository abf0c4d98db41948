/**
 * The turns of loops, from the places that a sequence came to, one after the other.
 *
 * Which places stand in which loop is known from the text; where a turn begins is not. Most places are come to once in a turn, so the first of
 * those begins one, with what stood before it the first time. Turns need not be equal: the first layer of a network may lack an operation.
 */

/** A stay at one place. */
export interface Stay {
  place: number;
  /** The loops around it, outermost first. */
  loops: readonly number[];
}

/** An index into the stays, or the turns of a loop. */
export type Visit = number | Loop;

export interface Loop {
  loop: number;
  turns: Visit[][];
}

export function loopsIn(stays: readonly Stay[]): Visit[] {
  return nested(stays, 0, stays.length, 0);
}

function nested(stays: readonly Stay[], from: number, until: number, depth: number): Visit[] {
  const visits: Visit[] = [];
  for (let i = from; i < until; ) {
    const loop = stays[i]!.loops[depth];
    let end = i + 1;
    while (loop !== undefined && end < until && stays[end]!.loops[depth] === loop) end++;
    if (loop === undefined) visits.push(i);
    else {
      const turns = turnsOf(nested(stays, i, end, depth + 1), stays);
      if (turns.length > 1) visits.push({ loop, turns });
      else visits.push(...turns.flat());
    }
    i = end;
  }
  return visits;
}

/** One turn where nothing is come to again. */
export function turnsOf(visits: readonly Visit[], stays: readonly Stay[]): Visit[][] {
  const ids = visits.map((visit) => (typeof visit === "number" ? stays[visit]!.place : `loop ${visit.loop}`));
  const counts = new Map<number | string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  const usual = commonest([...counts.values()]);
  const first = ids.findIndex((id) => counts.get(id) === usual);
  const begins = new Set<number>([0]);
  ids.forEach((id, i) => {
    if (i <= first || id !== ids[first]) return;
    // What led to the first one leads to this one, too.
    let at = i;
    while (i - at < first && ids[at - 1] === ids[first - (i - at) - 1]) at--;
    begins.add(at);
  });
  const turns: Visit[][] = [];
  visits.forEach((visit, i) => {
    if (begins.has(i)) turns.push([]);
    turns[turns.length - 1]!.push(visit);
  });
  return turns;
}

/** The number that most have; the larger among equals. */
function commonest(numbers: readonly number[]): number {
  const times = new Map<number, number>();
  for (const number of numbers) times.set(number, (times.get(number) ?? 0) + 1);
  let best = 0;
  for (const [number, count] of times) {
    const most = times.get(best) ?? 0;
    if (count > most || (count === most && number > best)) best = number;
  }
  return best;
}
