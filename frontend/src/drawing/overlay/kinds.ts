/** Overlays that are kinds: which line of the paste, or which name scope, an equation comes from. */

import { sitesOf } from "../../model/sites.ts";
import type { Eqn, Program } from "../../model/types.ts";
import { paths, siteOf } from "./places.ts";
import type { Fill, Mark, Overlay, OverlayKind, Swatch } from "./types.ts";

const TINTS = 8;
/** The kinds are numbered as they are met; past this many equations no further ones are looked for. */
const MOST = 100_000;

export function linesOverlay(program: Program): Overlay {
  const line = (eqn: Eqn): string | null => (eqn.span === null ? null : `line ${eqn.span.line}`);
  return ofEqns(program, "lines", "Line of the paste", line, "What has no line comes from a library or from JAX itself.");
}

export function scopesOverlay(program: Program): Overlay {
  const scope = (eqn: Eqn): string | null => {
    const names = eqn.stack.filter(({ kind }) => kind === "scope").map(({ name }) => name);
    return names.length === 0 ? null : names.join("/");
  };
  return ofEqns(
    program,
    "scopes",
    "Name scope",
    scope,
    "Scopes come from jax.named_scope, flax and equinox modules, and jitted functions.",
  );
}

function ofEqns(program: Program, kind: OverlayKind, title: string, of: (eqn: Eqn) => string | null, note: string): Overlay {
  const sites = sitesOf(program);
  const nameOf = (path: string): string | null => {
    const site = siteOf(sites, path);
    return site === null ? null : of(site.eqn);
  };
  return kinds(paths(program, MOST), kind, title, nameOf, note, "equation");
}

/** `all` are the paths in program order, `nameOf` what is at one. */
export function kinds(
  all: Iterable<string>,
  kind: OverlayKind,
  title: string,
  nameOf: (path: string) => string | null,
  note: string,
  unit: "equation" | "op",
): Overlay {
  const order = new Map<string, number>();
  let without = false;
  for (const path of all) {
    const found = nameOf(path);
    if (found === null) without = true;
    else if (!order.has(found)) order.set(found, order.size);
  }
  const fill = (name: string): Fill => `tint${((order.get(name) ?? 0) % TINTS) as 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7}`;
  const mark = (name: string | null): Mark | null => (name === null ? null : { text: name, fill: fill(name), peak: false });
  const swatches = [...order.keys()].slice(0, TINTS).map((text): Swatch => ({ fill: fill(text), text }));
  const notes = [
    ...(order.size === 0 ? [`No ${unit} has one. ${note}`] : without ? [note] : []),
    ...(order.size > TINTS ? [`${order.size - TINTS} more; the colours begin again.`] : []),
  ];
  return {
    legend: { kind, title, swatches, notes },
    eqn: (path) => mark(nameOf(path)),
    group: (paths) => {
      const names = new Set(paths.map(nameOf));
      return names.size === 1 ? mark([...names][0]!) : null;
    },
    value: () => null,
  };
}
