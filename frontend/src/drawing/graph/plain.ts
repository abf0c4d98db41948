/**
 * A plain equation as a node of a level: one without bodies, effects and refs. Its ports and all that is said of it are made when they are
 * asked for, for of the thousands of a large program few are drawn.
 *
 * Promises: such a node says what `eqnNode` would say.
 */
import type { Eqn } from "../../model/types.ts";
import type { Feed } from "./level.ts";
import { noteOf } from "./params.ts";
import { PortedNode, type Within } from "./ported.ts";
import { eqnHint, typesOf } from "./ports.ts";
import { isRecomputed, recomputedHint } from "./titles.ts";
import { type Places, scopesOf, type Written } from "./written.ts";

/** What the plain equations of one jaxpr have in common. */
export interface Around extends Within {
  readonly places: Places;
  /** Notes by what they are made of: those of a network's layers are the same. */
  readonly notes: Map<string, string>;
}

export class PlainNode extends PortedNode {
  readonly key: string;
  readonly feeds: Feed[];
  protected readonly made: Eqn;
  protected readonly within: Around;
  #note: string | null = null;
  #scope: readonly string[] | null = null;
  #written: Written | null = null;

  constructor(around: Around, eqn: Eqn, key: string, feeds: Feed[]) {
    super();
    this.within = around;
    this.made = eqn;
    this.key = key;
    this.feeds = feeds;
  }

  get title(): string {
    return this.made.primitive;
  }
  get results(): number {
    return this.made.results.length;
  }
  get note(): string {
    this.#note ??= noted(this.made, this.within.notes);
    return this.#note;
  }
  get type(): string {
    return typesOf(this.made);
  }
  get hint(): string {
    return recomputedHint(this.made, eqnHint(this.made));
  }
  get recomputed(): boolean {
    return isRecomputed(this.made);
  }
  get scope(): readonly string[] {
    this.#scope ??= scopesOf(this.made);
    return this.#scope;
  }
  get written(): Written {
    this.#written ??= this.within.places.of(this.made);
    return this.#written;
  }
}

function noted(eqn: Eqn, known: Map<string, string>): string {
  let of = `${eqn.primitive} ${eqn.results.some(({ used }) => used)}`;
  for (const { text } of eqn.params) of += `\n${text}`;
  let note = known.get(of);
  if (note === undefined) {
    note = noteOf(eqn);
    known.set(of, note);
  }
  return note;
}
