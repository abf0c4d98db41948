// Reading what a link or an entry of the history holds, field by field: it comes from a stranger, or from an older page. Pure.
import type { Direction, Grouping, Levels } from "../../../drawing/scene.ts";
import type { Camera } from "../../../viewer/index.ts";
import { askedFrom, isRecord, isWish, jaxFrom } from "../saved.ts";
import type { ProgramName, Seen, Spot } from "../spot.ts";
import type { Asked, Target, View, Wish } from "../types.ts";
import type { Linked } from "./format.ts";

const VIEWS: ReadonlySet<unknown> = new Set<View>(["jaxpr", "jaxpr-text", "stablehlo", "stablehlo-text", "hlo", "hlo-text"]);
/** Those of the level chooser. */
const GROUPINGS: ReadonlySet<unknown> = new Set<Grouping>(["auto", "scopes", "calls", "modules", "repeats", "none"]);
const DEEPEST = 99;
/** More open bodies than anyone opens; a drawing of them would take long, and nobody asked for it. */
const MOST_OPEN = 20_000;
/** Names and paths are short. */
const MOST_NAME = 2_000;

/** The content of a version 1 link, or null where it has no code. What is in it but cannot be read is left out. */
export function fromV1(link: unknown): Linked | null {
  if (!isRecord(link) || typeof link.source !== "string") return null;
  return {
    source: link.source,
    staticNumbers: link.static === true,
    compile: link.compile === true,
    jax: jaxFrom(link.jax),
    asked: linkedAsked(link.asked),
    wishes: Array.isArray(link.wishes) ? link.wishes.flatMap(linkedWish) : [],
    spot: {
      program: programFrom(link.program),
      view: viewFrom(link.view),
      open: pathsFrom(link.open),
      alone: nameFrom(link.alone),
      selection: targetFrom(link.selection),
      ...levelsFrom(link.levels),
      ...directionFrom(link.direction),
    },
  };
}

/** A spot with its camera as the history holds it. */
export function seenFrom(value: unknown): Seen | null {
  if (!isRecord(value)) return null;
  const { program, selection } = value;
  const named = isRecord(program) ? programFrom([program.id, program.name, program.made]) : null;
  const spot: Spot = {
    program: named,
    view: viewFrom(value.view),
    open: pathsFrom(value.open),
    alone: nameFrom(value.alone),
    selection: isRecord(selection) ? targetFrom([selection.kind, selection.path ?? selection.id ?? selection.key]) : null,
    ...levelsFrom(isRecord(value.levels) ? [value.levels.by, value.levels.depth] : null),
    ...directionFrom(value.direction),
  };
  return { ...spot, camera: cameraFrom(value.camera) };
}

function linkedAsked(value: unknown): Asked | null {
  return isRecord(value) ? askedFrom({ signature: null, args: "", ...value }) : null;
}

function linkedWish(value: unknown): Wish[] {
  if (!isRecord(value)) return [];
  const wish = { base: { id: value.id, name: value.name }, steps: value.steps };
  return isWish(wish) ? [wish] : [];
}

function programFrom(value: unknown): ProgramName | null {
  if (!Array.isArray(value)) return null;
  const [id, name, made = ""] = value as unknown[];
  const known = nameFrom(id);
  const called = nameFrom(name);
  return known === null || called === null || typeof made !== "string" ? null : { id: known, name: called, made };
}

function viewFrom(value: unknown): View {
  return VIEWS.has(value) ? (value as View) : "jaxpr";
}

function pathsFrom(value: unknown): readonly string[] | null {
  if (!Array.isArray(value) || value.length > MOST_OPEN) return null;
  return value.every((path) => nameFrom(path) !== null) ? (value as string[]) : null;
}

function nameFrom(value: unknown): string | null {
  return typeof value === "string" && value.length > 0 && value.length <= MOST_NAME ? value : null;
}

function targetFrom(value: unknown): Target | null {
  if (!Array.isArray(value)) return null;
  const name = nameFrom(value[1]);
  if (name === null) return null;
  if (value[0] === "eqn") return { kind: "eqn", path: name };
  if (value[0] === "op") return { kind: "op", id: name };
  return value[0] === "value" ? { kind: "value", key: name } : null;
}

/** Left out where it cannot be read. */
function levelsFrom(value: unknown): { levels?: Levels } {
  if (!Array.isArray(value) || !GROUPINGS.has(value[0])) return {};
  const [by, depth] = value as [Grouping, unknown];
  const counted = typeof depth === "number" && Number.isInteger(depth) && depth >= 0 && depth <= DEEPEST;
  return counted || depth === "all" || depth === null ? { levels: { by, depth } } : {};
}

/** Left out where it is down, as it is where nothing is said. */
function directionFrom(value: unknown): { direction?: Direction } {
  return value === "LR" ? { direction: "LR" } : {};
}

function cameraFrom(value: unknown): Camera | null {
  if (!isRecord(value)) return null;
  const { x, y, k } = value;
  const finite = (n: unknown): n is number => typeof n === "number" && Number.isFinite(n);
  return finite(x) && finite(y) && finite(k) && k > 0 ? { x, y, k } : null;
}
