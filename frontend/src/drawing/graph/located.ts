/**
 * Where the ops of a pasted module say they come from: names and calls, read off their locations, for nothing else says it. A text that was
 * printed without locations has none.
 *
 * Must never: take what does not read as expected for a place.
 */
import type { Module, Program } from "../../model/types.ts";
import { everyOp } from "./ops/context.ts";
import { LAMBDA, linkedPlaces, NOWHERE, type OpPlace, type OpPlaces, type Step, type Written } from "./written.ts";

const PLACE = /^(.*):(\d+):(\d+)(?: to .*)?$/;
/** Names that JAX gives to the bodies of its own primitives. */
const STRUCTURE = /^(jit\(main\)|main|while|body|cond|scan|closed_call|checkpoint|remat\d*|rematted_computation|branch_\d+_fun|)$/;

const known = new WeakMap<Module, OpPlaces>();

export function locatedPlaces(module: Module): OpPlaces {
  let places = known.get(module);
  if (places === undefined) {
    const reader = new Reader();
    const found = new Map<string, OpPlace>();
    for (const op of everyOp(module)) if (op.location != null) found.set(op.id, reader.read(op.location));
    places = found;
    known.set(module, places);
  }
  return places;
}

/** Of the ops of a lowered module: by the equations that they are linked to, else by what they say themselves. */
export function opPlacesOf(program: Program, level: "stablehlo" | "hlo"): OpPlaces {
  const linked = linkedPlaces(program, level);
  const module = program.modules[level];
  return linked.size > 0 || module === undefined ? linked : locatedPlaces(module);
}

class Reader {
  readonly #places = new Map<string, OpPlace>();
  readonly #steps = new Map<string, Step>();
  readonly #chains = new Map<string, readonly Step[]>();
  readonly #scopes = new Map<string, readonly string[]>();

  read(location: string): OpPlace {
    let place = this.#places.get(location);
    if (place === undefined) {
      place = this.#parse(location);
      this.#places.set(location, place);
    }
    return place;
  }

  /** `jit(f)/attend/mul, layer, net.py:12:4 to :9, called from loss, net.py:20:2` */
  #parse(location: string): OpPlace {
    const frames = location.split(/, called from /).map((text) => text.split(", "));
    const head = frames[0]?.[0] ?? "";
    const names = PLACE.test(head) || !head.includes("/") ? [] : head.split("/");
    const turned = names.some((name) => name.startsWith("transpose("));
    const own = frames[0]?.find((part) => PLACE.test(part));
    const place = own === undefined ? null : PLACE.exec(own);
    return {
      scope: this.#scopeOf(names),
      written: place === null ? NOWHERE : this.#written(frames, `${turned ? "t" : ""}${own}`, Number(place[2])),
    };
  }

  #written(frames: readonly (readonly string[])[], at: string, line: number): Written {
    const steps: Step[] = [];
    let before = "";
    let site = "";
    for (const [i, frame] of [...frames].reverse().entries()) {
      const place = frame.find((part) => PLACE.test(part)) ?? "";
      const name = frame[frame.indexOf(place) - 1] ?? "";
      // The outermost is the text itself; the name of the op is not that of a function.
      if (i > 0 && name !== "" && !name.includes("/")) {
        before = `${before}|${site}|${name}`;
        steps.push(this.#step(before, name, place));
      }
      site = place;
    }
    const chain = this.#chains.get(before) ?? steps;
    this.#chains.set(before, chain);
    return { steps: chain, at, line, loops: [] };
  }

  #step(key: string, name: string, place: string): Step {
    let step = this.#steps.get(key);
    if (step === undefined) {
      const library = /[\\/](site-packages|dist-packages)[\\/]/.test(place);
      const method = name.endsWith("__call__");
      const spoken = name.replace(/\.?(__call__|__init__)$/, "").replace("<lambda>", LAMBDA) || name;
      // What is come to again was called again: of the loops of the person's text nothing is known.
      step = { id: this.#steps.size, name: spoken, library, method, repeats: true, loops: [] };
      this.#steps.set(key, step);
    }
    return step;
  }

  /** The names between the outermost, which is the program, and the innermost, which is the primitive. */
  #scopeOf(names: readonly string[]): readonly string[] {
    const inner = names
      .slice(1, -1)
      .map((name) => (name.startsWith("jit(") ? name.slice(4, -1) : name.replace(/^(?:\w+\()+(.*?)\)+$/, "$1")));
    const scope = inner.filter((name) => !STRUCTURE.test(name) && !name.includes("->"));
    const key = scope.join("/");
    const found = this.#scopes.get(key) ?? scope;
    this.#scopes.set(key, found);
    return found;
  }
}
