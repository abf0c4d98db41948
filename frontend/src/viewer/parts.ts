// Parts of a program that are lit for longer than the pointer rests: what a search found, what a value depends on. Which items of a drawing
// show them: the thing itself, or what holds it closed.
import type { Fold, Scene } from "../drawing/scene.ts";
import type { MarkIndex } from "./marks.ts";
import type { StopIndex } from "./stops.ts";

/** In the words of the program; whatever of it is not drawn is not lit. */
export interface Parts {
  /** Instance paths of equations or ops. */
  readonly paths: ReadonlySet<string>;
  /** `<path of the jaxpr>|v5`. */
  readonly values: ReadonlySet<string>;
  /** Keys of the pills by which values leave a body: `<path of the jaxpr>|out0`. */
  readonly outlets: ReadonlySet<string>;
  /** Instance paths of equations that hold some of it. */
  readonly within: ReadonlySet<string>;
  /** Instance paths of equations with everything that stands in them. */
  readonly whole: ReadonlySet<string>;
}

export interface Shown {
  /** Keys of items that are part of it. */
  readonly full: readonly string[];
  /** Keys of items that hold part of it. */
  readonly holding: readonly string[];
  /** Keys of the wires, ports and chips between them. */
  readonly between: readonly string[];
}

const NOTHING: Shown = { full: [], holding: [], between: [] };

/** The classes of what is lit so in one drawing after another: set anew when a drawing is shown. */
export class PartMarks {
  #found: Parts | null = null;
  #at: string | null = null;
  #kept: Parts | null = null;

  /** What a search found, and the one of it (an instance path or a value) that it stands at. */
  find(parts: Parts | null, at: string | null): void {
    this.#found = parts;
    this.#at = at;
  }

  /** What stays as it is while the rest is dimmed. */
  keep(parts: Parts | null): void {
    this.#kept = parts;
  }

  show(host: HTMLElement, scene: Scene, stops: StopIndex, marks: MarkIndex): void {
    const found = this.#found === null ? NOTHING : shownOf(scene, this.#found);
    marks.markKeys("found", found.full);
    marks.markKeys("found-in", found.holding);
    const at = this.#at === null || this.#found === null ? null : stops.of(this.#at);
    marks.markKeys("found-at", at === null ? [] : [at.key]);
    const kept = this.#kept === null ? NOTHING : shownOf(scene, this.#kept);
    marks.markKeys("kept", kept.full);
    marks.markKeys("kept-in", kept.holding);
    marks.markKeys("kept-wire", kept.between);
    const ends = [...(this.#kept?.whole ?? [])].flatMap((path) => stops.of(path)?.key ?? []);
    marks.markKeys("kept-end", ends);
    host.classList.toggle("following", this.#kept !== null);
  }
}

export function shownOf(scene: Scene, parts: Parts): Shown {
  const folds = new Map<string, Fold>();
  const gather = (list: readonly Fold[]): void => {
    for (const fold of list) {
      folds.set(fold.key, fold);
      gather(fold.inner);
    }
  };
  gather(scene.folds);
  const full = new Set<string>();
  const holding = new Set<string>();
  const place = (key: string, eqn: string): void => {
    if (parts.paths.has(eqn) || inWhole(parts, eqn)) full.add(key);
    else if (parts.within.has(eqn)) holding.add(key);
  };
  for (const node of scene.nodes) {
    const { key, eqn, value, kind } = node;
    const fold = folds.get(key);
    if (fold !== undefined) {
      if (holds(fold, parts)) holding.add(key);
    } else if (kind === "op" || kind === "closed") {
      if (eqn !== null) place(key, eqn);
    } else if (kind === "output" || kind === "result") {
      if (parts.outlets.has(key) || inWhole(parts, key)) full.add(key);
    } else if (value !== null && hasValue(parts, value)) {
      // The operand pills of a body have the value outside: they are part of it where their body is.
      if (eqn === null || parts.paths.has(eqn) || parts.within.has(eqn) || inWhole(parts, eqn)) full.add(key);
    }
  }
  for (const { key, eqn, kind } of scene.frames) if (kind !== "lane" && eqn !== null) place(key, eqn);
  return { full: [...full], holding: [...holding], between: between(scene, parts, full, holding) };
}

/** A wire is part of it where its value is, and both of its ends; a port or a chip where its owner is. */
function between(scene: Scene, parts: Parts, full: ReadonlySet<string>, holding: ReadonlySet<string>): string[] {
  const owners = new Map(scene.ports.map((port) => [port.key, port.owner]));
  const lit = (owner: string | undefined): boolean => owner !== undefined && (full.has(owner) || holding.has(owner));
  const found: string[] = [];
  for (const { key, value, from, to } of scene.wires) {
    if (value !== null && hasValue(parts, value) && lit(owners.get(from)) && lit(owners.get(to))) found.push(key, from, to);
  }
  for (const { key, kind, value, port } of scene.chips) {
    const owner = owners.get(port);
    const part = kind === "literal" ? owner !== undefined && full.has(owner) : value !== null && hasValue(parts, value) && lit(owner);
    if (part) found.push(key);
  }
  return found;
}

function hasValue(parts: Parts, value: string): boolean {
  return parts.values.has(value) || inWhole(parts, value);
}

/** Of an instance, a value or a pill: whether it stands in something that is meant as a whole. */
function inWhole(parts: Parts, key: string): boolean {
  for (const path of parts.whole) if (key.startsWith(path) && /^[/:|]/.test(key.slice(path.length))) return true;
  return false;
}

function holds(fold: Fold, parts: Parts): boolean {
  return fold.eqns.some((path) => parts.paths.has(path) || parts.within.has(path)) || fold.inner.some((inner) => holds(inner, parts));
}
