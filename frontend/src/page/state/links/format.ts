// What a link holds, version 1, as docs/links.md describes it for ever. Compact: what is as the page has it anyway is left out.
import type { Step } from "../../../model/types.ts";
import type { ProgramName, Spot } from "../spot.ts";
import type { Asked, Target, Wish } from "../types.ts";

export const VERSION = 1;
export const PREFIX = `#v${VERSION}:`;
/** Longer fragments are cut by mail and chat programs, and by some browsers. */
export const MOST_LETTERS = 100_000;
/** What a fragment may unpack to: more is an attack, not code. */
export const MOST_BYTES = 3_000_000;

export interface Linked {
  readonly source: string;
  readonly staticNumbers: boolean;
  readonly asked: Asked | null;
  readonly wishes: readonly Wish[];
  readonly compile: boolean;
  readonly jax: string | null;
  readonly spot: Spot;
}

/** The JSON of version 1. Fields may be added, none may change its meaning: old links open for ever, and new ones in older pages. */
export interface LinkV1 {
  readonly source: string;
  readonly static?: boolean;
  readonly compile?: boolean;
  readonly jax?: string;
  readonly asked?: { readonly fun: string; readonly signature?: Readonly<Record<string, string>>; readonly args?: string };
  readonly wishes?: readonly { readonly id: string; readonly name: string; readonly steps: readonly Step[] }[];
  readonly program?: readonly [id: string, name: string] | readonly [id: string, name: string, made: string];
  readonly view?: string;
  readonly open?: readonly string[];
  readonly alone?: string;
  /** `["eqn", "e0/e3"]`, `["op", "op7"]`, `["value", "e0|v3"]`. */
  readonly selection?: readonly [kind: string, id: string];
  /** `["calls", 2]`: what boxes are grouped by, and the depth, `"all"` or null. */
  readonly levels?: readonly [by: string, depth: number | "all" | null];
  /** `"LR"`: the values flow to the right. */
  readonly direction?: string;
}

export function toV1({ source, staticNumbers, asked, wishes, compile, jax, spot }: Linked): LinkV1 {
  const { program, view, open, alone, selection, levels, direction } = spot;
  return {
    source,
    ...(staticNumbers && { static: true }),
    ...(compile && { compile: true }),
    ...(jax !== null && { jax }),
    ...(asked !== null && { asked: askedV1(asked) }),
    ...(wishes.length > 0 && { wishes: wishes.map(({ base, steps }) => ({ ...base, steps })) }),
    ...(program !== null && { program: programV1(program) }),
    ...(view !== "jaxpr" && { view }),
    ...(open !== null && { open }),
    ...(alone !== null && { alone }),
    ...(selection !== null && selectionV1(selection)),
    ...(levels !== undefined && { levels: [levels.by, levels.depth] as const }),
    ...(direction !== undefined && { direction }),
  };
}

function askedV1({ fun, signature, args }: Asked): NonNullable<LinkV1["asked"]> {
  return { fun, ...(signature !== null && { signature }), ...(args !== "" && { args }) };
}

function programV1({ id, name, made }: ProgramName): NonNullable<LinkV1["program"]> {
  return made === "" ? [id, name] : [id, name, made];
}

function selectionV1(target: Target): Pick<LinkV1, "selection"> {
  if (target.kind === "eqn") return { selection: ["eqn", target.path] };
  if (target.kind === "op") return { selection: ["op", target.id] };
  return target.kind === "value" ? { selection: ["value", target.key] } : {};
}
