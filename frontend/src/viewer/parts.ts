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
  for (const node of scene.nodes) {
    const fold = folds.get(node.key);
    if (fold !== undefined) {
      if (holds(fold, parts)) holding.add(node.key);
    } else if (node.kind === "op" || node.kind === "closed") {
      if (node.eqn !== null && parts.paths.has(node.eqn)) full.add(node.key);
      else if (node.eqn !== null && parts.within.has(node.eqn)) holding.add(node.key);
    } else if (node.kind === "output" || node.kind === "result") {
      if (parts.outlets.has(node.key)) full.add(node.key);
    } else if (node.value !== null && parts.values.has(node.value)) full.add(node.key);
  }
  for (const { key, eqn, kind } of scene.frames) {
    if (kind === "lane" || eqn === null) continue;
    if (parts.paths.has(eqn)) full.add(key);
    else if (parts.within.has(eqn)) holding.add(key);
  }
  return { full: [...full], holding: [...holding], between: between(scene, parts, full, holding) };
}

/** A wire is part of it where its value is, and both of its ends; a port or a chip where its owner is. */
function between(scene: Scene, parts: Parts, full: ReadonlySet<string>, holding: ReadonlySet<string>): string[] {
  const owners = new Map(scene.ports.map((port) => [port.key, port.owner]));
  const lit = (owner: string | undefined): boolean => owner !== undefined && (full.has(owner) || holding.has(owner));
  const found: string[] = [];
  for (const wire of scene.wires) {
    if (wire.value === null || !parts.values.has(wire.value) || !lit(owners.get(wire.from)) || !lit(owners.get(wire.to))) continue;
    found.push(wire.key, wire.from, wire.to);
  }
  for (const chip of scene.chips) {
    const owner = owners.get(chip.port);
    const part = chip.kind === "literal" ? owner !== undefined && full.has(owner) : chip.value !== null && parts.values.has(chip.value);
    if (part && lit(owner)) found.push(chip.key);
  }
  return found;
}

function holds(fold: Fold, parts: Parts): boolean {
  return fold.eqns.some((path) => parts.paths.has(path) || parts.within.has(path)) || fold.inner.some((inner) => holds(inner, parts));
}
