/**
 * A sequence by the calls of functions that it was traced in, and by the loops that made them: `attend`, `layer ×12`.
 *
 * Neighbours of one call are its group. Where places are come to again, either a loop of the paste stands around them, or the call was made
 * again: only where one of the two is known to be possible is anything called a repetition.
 */
import type { LevelNode } from "../level.ts";
import { LAMBDA, NOWHERE, type Step, type Written } from "../written.ts";
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

export class Calls {
  readonly #nodes: readonly LevelNode[];
  readonly #keep: (step: Step) => boolean;
  readonly #common = new Map<readonly number[], readonly Step[]>();
  readonly #kept = new Map<readonly Step[], readonly Step[]>();

  /** `keep`: the calls that count. */
  constructor(nodes: readonly LevelNode[], keep: (step: Step) => boolean = () => true) {
    this.#nodes = nodes;
    this.#keep = keep;
  }

  /** `context` are what the members stand among: a call that all of them are in is a group where not all of it is. */
  fold(members: readonly number[], context: readonly number[]): Item[] {
    const common = entry(this.#common, context, () => this.#commonOf(context));
    // Where all of it may be one function many times, that is to be found out.
    const once = common.findIndex((step) => step.repeats);
    const depth = once < 0 ? common.length : once;
    let items: readonly Item[] = this.#items(members, depth, common[depth - 1] ?? null, false);
    for (let [only] = items; items.length === 1 && typeof only !== "number" && only!.kind === "call"; [only] = items) items = only!.items;
    return [...items];
  }

  #steps({ steps }: Written): readonly Step[] {
    return entry(this.#kept, steps, () => steps.filter(this.#keep));
  }

  /** The calls that all of them stand in. */
  #commonOf(members: readonly number[]): readonly Step[] {
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

  /** `depth` calls are around all of the members, the innermost of them `within`; `again`: that may be many calls. */
  #items(members: readonly number[], depth: number, within: Step | null, again: boolean): Item[] {
    const stretches = this.#stretches(members, depth);
    const visits = loopsIn(stretches);
    if (again && within !== null) {
      const turns = turnsOf(visits, stretches);
      if (turns.length > 1) {
        const each = turns.map((turn) => this.#visits(turn, stretches, depth, within));
        return repeated(this.#nodes, each, within.name === LAMBDA ? null : within.name, `call${within.id}`);
      }
    }
    // What calls nothing but one function, many times, cannot be told from what is called many times.
    return this.#visits(visits, stretches, depth, within, again && stretches.length === 1);
  }

  #stretches(members: readonly number[], depth: number): Stretch[] {
    const stretches: Stretch[] = [];
    const places = new Map<string, number>();
    for (const v of members) {
      const written: Written = this.#nodes[v]!.written ?? NOWHERE;
      const step = this.#steps(written)[depth] ?? null;
      const turned = written.at.startsWith("t");
      const name = step === null ? written.at : `${turned ? "t" : ""}${step.id}`;
      const place = entry(places, name, () => places.size);
      const last = stretches[stretches.length - 1];
      // What was written nowhere stands with what is before it.
      if (last && (written === NOWHERE || last.place === place)) last.members.push(v);
      else {
        const { loops } = step ?? written;
        // The transpose goes through a loop by itself.
        stretches.push({ place, loops: turned ? loops.map((loop) => -1 - loop) : loops, members: [v], step });
      }
    }
    return stretches;
  }

  #visits(visits: readonly Visit[], stretches: readonly Stretch[], depth: number, within: Step | null, again = false): Item[] {
    return visits.flatMap((visit) => {
      if (typeof visit !== "number") {
        const turns = visit.turns.map((turn) => this.#visits(turn, stretches, depth, within));
        return repeated(this.#nodes, turns, null, `loop${visit.loop < 0 ? -1 - visit.loop : visit.loop} ${within?.id ?? ""}`);
      }
      const { step, members } = stretches[visit]!;
      return step === null ? members : this.#call(step, members, depth, again);
    });
  }

  #call(step: Step, members: readonly number[], depth: number, again: boolean): readonly Item[] {
    if (members.length < LEAST) return members;
    const inner = this.#items(members, depth + 1, step, again || step.repeats);
    const same = `call${step.id}`;
    // One that was made again and again is not one call.
    if (inner.every((item) => typeof item !== "number" && item.same === same)) return inner;
    return [group("call", step.name, inner, same)];
  }
}
