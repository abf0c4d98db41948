/**
 * A sequence by the calls of functions that it was traced in, and by the loops that made them: `attend`, `layer ×12`.
 *
 * Neighbours of one call are its group. Where places are come to again, either a loop of the paste stands around them, or the call was made
 * again: only where one of the two is known to be possible is anything called a repetition.
 */
import type { LevelNode } from "../level.ts";
import { NOWHERE, type Step, type Written } from "../written.ts";
import { entry, group, type Item } from "./items.ts";
import { loopsIn, type Stay, turnsOf, type Visit } from "./loops.ts";
import { repeated } from "./turns.ts";

/** A call of fewer is as plain as what is in it. */
const LEAST = 4;

/** Neighbours at one place: in the same call, or of the same expression. */
interface Stretch extends Stay {
  members: number[];
  step: Step | null;
}

/** `keep`: the calls that count. */
export function foldCalls(nodes: readonly LevelNode[], members: readonly number[], keep: (step: Step) => boolean = () => true): Item[] {
  const calls = new Calls(nodes, keep);
  const common = calls.common(members);
  return calls.items(members, common.length, common[common.length - 1] ?? null, false);
}

class Calls {
  readonly #nodes: readonly LevelNode[];
  readonly #keep: (step: Step) => boolean;
  readonly #kept = new Map<readonly Step[], readonly Step[]>();

  constructor(nodes: readonly LevelNode[], keep: (step: Step) => boolean) {
    this.#nodes = nodes;
    this.#keep = keep;
  }

  #steps({ steps }: Written): readonly Step[] {
    return entry(this.#kept, steps, () => steps.filter(this.#keep));
  }

  /** The calls that all of them stand in. */
  common(members: readonly number[]): readonly Step[] {
    let common: readonly Step[] | null = null;
    for (const v of members) {
      const written = this.#nodes[v]!.written ?? NOWHERE;
      if (written === NOWHERE) continue;
      const steps = this.#steps(written);
      if (common === null) common = steps;
      if (common === steps) continue;
      const until: number = common.findIndex((step, i) => steps[i] !== step);
      if (until >= 0) common = common.slice(0, until);
    }
    return common ?? [];
  }

  /** `depth` calls are around all of the members, the innermost of them `within`; `alone` where they are all of that call. */
  items(members: readonly number[], depth: number, within: Step | null, alone: boolean): Item[] {
    const stretches = this.#stretches(members, depth);
    const visits = loopsIn(stretches);
    if (alone && within?.repeats) {
      const turns = turnsOf(visits, stretches);
      if (turns.length > 1) {
        const each = turns.map((turn) => this.#visits(turn, stretches, depth, within));
        return repeated(this.#nodes, each, within.name, `call${within.id}`);
      }
    }
    return this.#visits(visits, stretches, depth, within);
  }

  #stretches(members: readonly number[], depth: number): Stretch[] {
    const stretches: Stretch[] = [];
    const places = new Map<string, number>();
    for (const v of members) {
      const written: Written = this.#nodes[v]!.written ?? NOWHERE;
      const step = this.#steps(written)[depth] ?? null;
      const name = step === null ? written.at : `${written.at.startsWith("t") ? "t" : ""}${step.id}`;
      const place = entry(places, name, () => places.size);
      const last = stretches[stretches.length - 1];
      // What was written nowhere stands with what is before it.
      if (last && (written === NOWHERE || last.place === place)) last.members.push(v);
      else stretches.push({ place, loops: (step ?? written).loops, members: [v], step });
    }
    return stretches;
  }

  #visits(visits: readonly Visit[], stretches: readonly Stretch[], depth: number, within: Step | null): Item[] {
    return visits.flatMap((visit) => {
      if (typeof visit !== "number") {
        const turns = visit.turns.map((turn) => this.#visits(turn, stretches, depth, within));
        return repeated(this.#nodes, turns, null, `loop${visit.loop} ${within?.id ?? ""}`);
      }
      const { step, members } = stretches[visit]!;
      return step === null ? members : this.#call(step, members, depth);
    });
  }

  #call(step: Step, members: readonly number[], depth: number): readonly Item[] {
    if (members.length < LEAST) return members;
    const inner = this.items(members, depth + 1, step, true);
    const same = `call${step.id}`;
    // One that was made again and again is not one call.
    if (inner.every((item) => typeof item !== "number" && item.same === same)) return inner;
    return [group("call", step.name, inner, same)];
  }
}
