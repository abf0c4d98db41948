/**
 * A plain equation as a node of a level: one without bodies, effects and refs. Its ports and all that is said of it are made when they are
 * asked for, for of the thousands of a large program few are drawn.
 *
 * Promises: such a node says what `eqnNode` would say.
 */
import type { Eqn, Jaxpr } from "../../model/types.ts";
import { type Feed, type LevelNode, type PortInfo, spread } from "./level.ts";
import { noteOf } from "./params.ts";
import { eqnHint, operandPort, resultPort, typesOf } from "./ports.ts";
import { isRecomputed, recomputedHint } from "./titles.ts";
import { type Places, scopesOf, type Written } from "./written.ts";

/** What the plain equations of one jaxpr have in common. */
export interface Around {
  readonly jaxpr: Jaxpr;
  readonly path: string;
  readonly places: Places;
  /** Notes by what they are made of: those of a network's layers are the same. */
  readonly notes: Map<string, string>;
}

export class PlainNode implements LevelNode {
  readonly key: string;
  readonly feeds: Feed[];
  back = false;
  readonly #around: Around;
  readonly #eqn: Eqn;
  #ins: PortInfo[] | null = null;
  #outs: PortInfo[] | null = null;
  #note: string | null = null;
  #scope: readonly string[] | null = null;
  #written: Written | null = null;

  constructor(around: Around, eqn: Eqn, key: string, feeds: Feed[]) {
    this.#around = around;
    this.#eqn = eqn;
    this.key = key;
    this.feeds = feeds;
  }

  get kind(): "op" {
    return "op";
  }
  get call(): null {
    return null;
  }
  get twin(): null {
    return null;
  }
  get eqn(): string {
    return this.key;
  }
  get title(): string {
    return this.#eqn.primitive;
  }
  get results(): number {
    return this.#eqn.results.length;
  }
  get note(): string {
    this.#note ??= noted(this.#eqn, this.#around.notes);
    return this.#note;
  }
  get label(): string {
    const [first, ...more] = this.#eqn.results;
    return first && more.length === 0 ? (this.#around.jaxpr.vars[first.var]?.label ?? "") : "";
  }
  get type(): string {
    return typesOf(this.#eqn);
  }
  get hint(): string {
    return recomputedHint(this.#eqn, eqnHint(this.#eqn));
  }
  get recomputed(): boolean {
    return isRecomputed(this.#eqn);
  }
  get scope(): readonly string[] {
    this.#scope ??= scopesOf(this.#eqn);
    return this.#scope;
  }
  get written(): Written {
    this.#written ??= this.#around.places.of(this.#eqn);
    return this.#written;
  }
  get ins(): PortInfo[] {
    const { jaxpr, path } = this.#around;
    this.#ins ??= this.#eqn.operands.map((_, i) => operandPort(this.#eqn, i, jaxpr, path));
    return this.#ins;
  }
  get outs(): PortInfo[] {
    const { jaxpr, path } = this.#around;
    this.#outs ??= this.#eqn.results.map((result, i) => resultPort(result, i, jaxpr, path));
    return this.#outs;
  }

  whole(): LevelNode {
    return spread(this);
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
