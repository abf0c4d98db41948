// A spot: where a person is in what was traced, apart from the code itself. Spots are what history, links and reloads bring back. Pure.
import { AS_FITS, type Direction, type Levels } from "../../drawing/scene.ts";
import type { Program } from "../../model/types.ts";
import type { Camera } from "../../viewer/index.ts";
import { currentProgram, levelOf, openKey } from "./current.ts";
import type { State, Target, View } from "./types.ts";

import { stepsKey } from "./wishes.ts";

/** A program as it can be found again: ids move when the code changes, names stay. */
export interface ProgramName {
  readonly id: string;
  readonly name: string;
  /** The transforms that made it, in words; "" for a program of the paste itself. */
  readonly made: string;
}

export interface Spot {
  readonly program: ProgramName | null;
  readonly view: View;
  /** The open bodies and groups; null is the drawing's own choice. */
  readonly open: readonly string[] | null;
  /** The body that is shown alone. */
  readonly alone: string | null;
  readonly selection: Target | null;
  /** How deep it is open and what boxes are grouped by; as fits where it is not said. */
  readonly levels?: Levels;
  /** Which way the values flow; down where it is not said. */
  readonly direction?: Direction;
}

/** A spot together with where the graph is looked at from: for going back, not for other people's windows. */
export interface Seen extends Spot {
  readonly camera: Camera | null;
}

export function spotOf(state: State): Spot {
  const program = currentProgram(state);
  const key = program === null ? "" : openKey(levelOf(state.view), program.id);
  const open = state.open[key];
  return {
    program: program === null ? null : { id: program.id, name: program.name, made: stepsKey(program.made_from?.steps ?? []) },
    view: state.view,
    open: open === undefined ? null : [...open],
    alone: state.alone[key] ?? null,
    selection: state.selection?.kind === "place" ? null : state.selection,
    ...(asFits(state.levels) ? {} : { levels: state.levels }),
    ...(state.direction === "TB" ? {} : { direction: state.direction }),
  };
}

/** The state at a spot, as far as it is still there: another program than the one meant is none. */
export function atSpot(state: State, spot: Spot): State {
  const program = spot.program === null ? null : programOf(state.shown?.trace.programs ?? [], spot.program);
  const levels = spot.levels ?? AS_FITS;
  // The same levels stay the same object: another one is another drawing.
  if (!sameLevels(levels, state.levels)) return atSpot({ ...state, levels, open: {} }, spot);
  const direction = spot.direction ?? "TB";
  if (direction !== state.direction) return atSpot({ ...state, direction }, spot);
  if (program === null) return { ...state, view: spot.view };
  const key = openKey(levelOf(spot.view), program.id);
  const { [key]: _open, ...open } = state.open;
  const { [key]: _alone, ...alone } = state.alone;
  return {
    ...state,
    program: program.id,
    view: spot.view,
    open: spot.open === null ? open : { ...open, [key]: new Set(spot.open) },
    alone: spot.alone === null ? alone : { ...alone, [key]: spot.alone },
    selection: spot.selection,
    hover: null,
    following: null,
  };
}

/** The program that a name means: id, name and transforms, else the only one of that name and those transforms. */
export function programOf(programs: readonly Program[], { id, name, made }: ProgramName): Program | null {
  const same = programs.filter((program) => program.name === name && stepsKey(program.made_from?.steps ?? []) === made);
  return same.find((program) => program.id === id) ?? (same.length === 1 ? (same[0] ?? null) : null);
}

/** Whether two spots are one place to come back to: what is selected counts, how it is looked at does not. */
export function sameSpot(a: Spot, b: Spot): boolean {
  return JSON.stringify(plain(a)) === JSON.stringify(plain(b));
}

function plain({ program, view, alone, selection, levels, direction }: Spot): unknown {
  return [program, view, alone, selection, levels?.by, levels?.depth, direction];
}

function asFits(levels: Levels): boolean {
  return sameLevels(levels, AS_FITS);
}

function sameLevels(a: Levels, b: Levels): boolean {
  return a.by === b.by && a.depth === b.depth;
}
