/**
 * What nodes of plain equations have in common, be their jaxpr whole or packed: their ports are made when they are asked for.
 *
 * Promises: the ports are those of the equation, the same each time.
 */
import type { Eqn, Jaxpr } from "../../model/types.ts";
import { type Feed, type LevelNode, type PortInfo, spread } from "./level.ts";
import { operandPort, resultPort } from "./ports.ts";
import type { Written } from "./written.ts";

/** The jaxpr that an equation is of, and its path. */
export interface Within {
  readonly jaxpr: Jaxpr;
  readonly path: string;
}

export abstract class PortedNode implements LevelNode {
  abstract readonly key: string;
  abstract readonly title: string;
  abstract readonly note: string;
  abstract readonly type: string;
  abstract readonly hint: string;
  abstract readonly scope: readonly string[];
  abstract readonly written: Written;
  abstract readonly recomputed: boolean;
  abstract readonly feeds: Feed[];
  back = false;
  #ins: PortInfo[] | null = null;
  #outs: PortInfo[] | null = null;

  protected abstract readonly made: Eqn;
  protected abstract readonly within: Within;

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
  get label(): string {
    const [first, ...more] = this.made.results;
    return first && more.length === 0 ? (this.within.jaxpr.vars[first.var]?.label ?? "") : "";
  }
  get ins(): PortInfo[] {
    const { made, within } = this;
    this.#ins ??= made.operands.map((_, i) => operandPort(made, i, within.jaxpr, within.path));
    return this.#ins;
  }
  get outs(): PortInfo[] {
    const { made, within } = this;
    this.#outs ??= made.results.map((result, i) => resultPort(result, i, within.jaxpr, within.path));
    return this.#outs;
  }

  whole(): LevelNode {
    return spread(this);
  }
}
