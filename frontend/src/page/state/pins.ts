// Pins: equations and programs that are kept to be compared with what is selected. Pure.
import type { Program } from "../../model/types.ts";
import { ancestorsOf, eqnIndex, eqnOf, placeOf } from "../program/instances.ts";
import { titleOf } from "../program/titles.ts";

export interface Pin {
  /** Of the program and the path: the same twice is one pin. */
  readonly key: string;
  readonly program: { readonly id: string; readonly name: string };
  /** Null: the program itself. */
  readonly path: string | null;
  /** The primitives from the outermost body to the equation. */
  readonly primitives: readonly string[];
  readonly label: string;
}

export interface Pins {
  readonly list: readonly Pin[];
  /** The pin that what is selected is compared with. */
  readonly against: string | null;
}

export const NO_PINS: Pins = { list: [], against: null };
/** More nobody tells apart; the oldest goes. */
const MOST = 6;

export function pinOf(program: Program, path: string | null): Pin | null {
  const place = path === null ? null : placeOf(program, path);
  if (path !== null && place === null) return null;
  return {
    key: `${program.id} ${path ?? ""}`,
    program: { id: program.id, name: program.name },
    path,
    primitives: path === null ? [] : [...ancestorsOf(path), path].map((at) => placeOf(program, at)?.eqn.primitive ?? ""),
    label: place === null ? program.name : titleOf(place.eqn),
  };
}

/** A pin that is there already goes; a new one is what the next selection is compared with. */
export function pinned(pins: Pins, pin: Pin): Pins {
  if (pins.list.some(({ key }) => key === pin.key)) return unpinned(pins, pin.key);
  return { list: [...pins.list, pin].slice(-MOST), against: pin.key };
}

export function unpinned(pins: Pins, key: string): Pins {
  const list = pins.list.filter((pin) => pin.key !== key);
  return { list, against: pins.against === key ? (list[list.length - 1]?.key ?? null) : pins.against };
}

/** Over a new answer a pin stays where its program has the same name and the same equations lead to it; what does not fit is given up. */
export function stillPinned(pins: Pins, programs: readonly Program[]): { readonly pins: Pins; readonly gone: readonly Pin[] } {
  const gone: Pin[] = [];
  let against: string | null = null;
  const list = pins.list.flatMap((pin) => {
    const next = again(pin, programs);
    if (next === null) gone.push(pin);
    else if (pin.key === pins.against) against = next.key;
    return next === null ? [] : [next];
  });
  return { pins: { list, against: against ?? list[list.length - 1]?.key ?? null }, gone };
}

function again(pin: Pin, programs: readonly Program[]): Pin | null {
  const named = programs.filter(({ name }) => name === pin.program.name);
  const program = named.find(({ id }) => id === pin.program.id) ?? (named.length === 1 ? named[0] : undefined);
  if (program === undefined) return null;
  if (pin.path === null) return pinOf(program, null);
  const path = fits(program, pin.path, pin.primitives) ? pin.path : alike(program, pin);
  return path === null ? null : pinOf(program, path);
}

function fits(program: Program, path: string, primitives: readonly string[]): boolean {
  return [...ancestorsOf(path), path].every((at, depth) => placeOf(program, at)?.eqn.primitive === primitives[depth]);
}

/** Ids move with every edit: at the top the only equation of its kind is the one that was meant; inside of bodies nothing is guessed. */
function alike(program: Program, pin: Pin): string | null {
  const entry = program.entry === null ? undefined : program.jaxprs[program.entry];
  if (pin.path === null || pin.primitives.length !== 1) return null;
  const same = entry?.eqns.filter((eqn) => titleOf(eqn) === pin.label) ?? [];
  return same.length === 1 && same[0] !== undefined && eqnIndex(program).has(eqnOf(same[0].id)) ? same[0].id : null;
}
