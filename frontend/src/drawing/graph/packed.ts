/**
 * Equations of a packed jaxpr as nodes of a level. What those of one template have in common is worked out once; their ports are made when
 * they are asked for, for of fifty thousand equations few are drawn.
 *
 * Promises: such a node says what `eqnNode` would say. What needs a closer look (bodies, effects, refs, folded literals, twins) is not one.
 */
import { rowsOf } from "../../model/lazy.ts";
import type { Pattern, Rows } from "../../model/rows.ts";
import type { Eqn, Jaxpr } from "../../model/types.ts";
import { isEmpty } from "./folded.ts";
import { childPath } from "./folds.ts";
import type { Feed, LevelNode } from "./level.ts";
import { noteOf } from "./params.ts";
import { PortedNode } from "./ported.ts";
import { eqnHint, literalFeed, typesOf } from "./ports.ts";
import { isRecomputed, recomputedHint } from "./titles.ts";
import { NOWHERE, type Places, scopesOf, type Written } from "./written.ts";

/** The equation that all of one template are, with the places of their ids among the numbers of a row. */
export interface Shape {
  readonly eqn: Eqn;
  readonly title: string;
  readonly note: string;
  readonly type: string;
  readonly hint: string;
  readonly scope: readonly string[];
  readonly recomputed: boolean;
  /** Per operand the place of its variable, or what it is otherwise. */
  readonly operands: readonly (number | Feed)[];
  /** Per result the place of its variable. */
  readonly results: readonly number[];
  /** The letter of its id, and the places of that and of its call. */
  readonly letter: string;
  readonly id: number;
  readonly call: number | null;
  readonly written: Map<number, Written>;
}

/** The equations of a packed jaxpr; null of one that is whole. */
export class PackedEqns {
  readonly rows: Rows<Eqn>;
  readonly jaxpr: Jaxpr;
  readonly path: string;
  readonly #places: Places;
  readonly #shapes: (Shape | null | undefined)[] = [];

  constructor(rows: Rows<Eqn>, jaxpr: Jaxpr, path: string, places: Places) {
    this.rows = rows;
    this.jaxpr = jaxpr;
    this.path = path;
    this.#places = places;
  }

  /** What a row looks like, or null where it has to be looked at by itself. */
  shapeOf(row: number): Shape | null {
    const template = this.rows.templateOf(row);
    let shape = this.#shapes[template];
    if (shape === undefined) {
      shape = shapeOf(this.rows.pattern(template));
      this.#shapes[template] = shape;
    }
    return shape;
  }

  number(row: number, place: number): number {
    return this.rows.numbers[this.rows.starts[row]! + 1 + place]!;
  }

  idOf(row: number, { letter, id }: Shape): string {
    return letter + this.number(row, id);
  }

  writtenOf(row: number, shape: Shape): Written {
    const call = shape.call === null ? -1 : this.number(row, shape.call);
    let written = shape.written.get(call);
    if (written === undefined) {
      const { span, stack } = shape.eqn;
      written = span === null ? NOWHERE : this.#places.of({ call: call < 0 ? null : call, span, stack });
      shape.written.set(call, written);
    }
    return written;
  }

  /** The node of a row, which will be the `index`-th of its level. */
  node(row: number, shape: Shape, index: number, feeds: Feeds): LevelNode {
    const from = shape.operands.map((each) => (typeof each === "number" ? feeds.of(this.number(row, each)) : each));
    for (let port = 0; port < shape.results.length; port++)
      feeds.put(this.number(row, shape.results[port]!), { kind: "node", node: index, port });
    return new PackedNode(this, row, shape, from);
  }

  /** Calls back for each of some variables that an equation reads. */
  eachRead(some: ReadonlySet<string>, found: (id: string) => void): void {
    const numbers = new Map([...some].filter((id) => NUMBERED.test(id)).map((id): [number, string] => [Number(id.slice(1)), id]));
    for (let row = 0; row < this.rows.count; row++) {
      const shape = this.shapeOf(row);
      if (shape === null) {
        for (const { atom } of this.rows.at(row).operands) if ("var" in atom && some.has(atom.var)) found(atom.var);
        continue;
      }
      for (const each of shape.operands) {
        const id = typeof each === "number" ? numbers.get(this.number(row, each)) : undefined;
        if (id !== undefined) found(id);
      }
    }
  }
}

const VAR = "v";
const NUMBERED = /^v(0|[1-9]\d{0,8})$/;

/** What each variable is fed by, by its id or by the number in it. */
export class Feeds {
  readonly #numbered: Feed[] = [];
  readonly #others = new Map<string, Feed>();

  set(id: string, feed: Feed): void {
    if (NUMBERED.test(id)) this.put(Number(id.slice(1)), feed);
    else this.#others.set(id, feed);
  }

  get(id: string): Feed | undefined {
    return NUMBERED.test(id) ? this.#numbered[Number(id.slice(1))] : this.#others.get(id);
  }

  put(number: number, feed: Feed): void {
    this.#numbered[number] = feed;
  }

  of(number: number): Feed {
    return this.#numbered[number] ?? { kind: "none" };
  }
}

export function packedEqns(jaxpr: Jaxpr, path: string, places: Places): PackedEqns | null {
  const rows = rowsOf(jaxpr);
  return rows === null ? null : new PackedEqns(rows, jaxpr, path, places);
}

function shapeOf(pattern: Pattern | null): Shape | null {
  if (pattern === null) return null;
  const eqn = pattern.sample as Eqn;
  const at = new Map(pattern.holes.map((hole, i): [string, number] => [hole, i]));
  const placeOf = (hole: string, id: string): number => (id.startsWith(VAR) ? (at.get(hole) ?? -1) : -1);
  const results = eqn.results.map((result, i) => placeOf(`results.${i}.var`, result.var));
  const operands = eqn.operands.map(({ atom }, i) => ("var" in atom ? placeOf(`operands.${i}.atom.var`, atom.var) : literalFeed(atom)));
  const call = at.get("call") ?? null;
  const id = at.get("id") ?? -1;
  const closer = id < 0 || results.includes(-1) || operands.includes(-1) || (call === null && eqn.call !== null);
  if (closer || eqn.nested.length > 0 || eqn.effects.length > 0 || eqn.primitive === "broadcast_in_dim" || isEmpty(eqn)) return null;
  // Every other id is said where it is asked for.
  if (pattern.holes.length !== 1 + results.length + operands.filter((each) => typeof each === "number").length + (call === null ? 0 : 1))
    return null;
  return {
    eqn,
    title: eqn.primitive,
    note: noteOf(eqn),
    type: typesOf(eqn),
    hint: recomputedHint(eqn, eqnHint(eqn)),
    scope: scopesOf(eqn),
    recomputed: isRecomputed(eqn),
    operands,
    results,
    letter: eqn.id.slice(0, 1),
    id,
    call,
    written: new Map(),
  };
}

export class PackedNode extends PortedNode {
  readonly like: Shape;
  readonly written: Written;
  readonly feeds: Feed[];
  readonly #of: PackedEqns;
  readonly #row: number;
  #key: string | null = null;

  constructor(of: PackedEqns, row: number, shape: Shape, feeds: Feed[]) {
    super();
    this.#of = of;
    this.#row = row;
    this.like = shape;
    this.feeds = feeds;
    this.written = of.writtenOf(row, shape);
  }

  get title(): string {
    return this.like.title;
  }
  get note(): string {
    return this.like.note;
  }
  get type(): string {
    return this.like.type;
  }
  get hint(): string {
    return this.like.hint;
  }
  get scope(): readonly string[] {
    return this.like.scope;
  }
  get recomputed(): boolean {
    return this.like.recomputed;
  }
  get key(): string {
    this.#key ??= childPath(this.#of.path, this.#of.idOf(this.#row, this.like));
    return this.#key;
  }
  protected get made(): Eqn {
    return this.#of.rows.at(this.#row);
  }

  protected get within(): PackedEqns {
    return this.#of;
  }
}
