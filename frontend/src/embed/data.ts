// What a file of its own holds: one program, and how it is to be seen at first.
import type { Direction, Levels, OverlayKind } from "../drawing/scene.ts";
import type { Program } from "../model/types.ts";
import type { Subject } from "../viewer/protocol.ts";

export type LevelName = "jaxpr" | "stablehlo" | "hlo";

export interface EmbedData {
  readonly program: Program;
  readonly title: string;
  readonly level: LevelName;
  /** Open bodies, or null for what the levels say. */
  readonly open: readonly string[] | null;
  readonly levels: Levels;
  readonly overlay: OverlayKind | null;
  /** Where the program is opened, and what its reader is told first, where it stands in a frame of another page. */
  readonly framed: { readonly link: string; readonly note: string } | null;
  /** Absent in files of before it could be chosen. */
  readonly direction?: Direction;
}

const NAMES: readonly LevelName[] = ["jaxpr", "stablehlo", "hlo"];

/** The levels that a program has, in the order in which it is lowered. */
export function levelsOf(program: Program): LevelName[] {
  return NAMES.filter((level) => (level === "jaxpr" ? program.entry !== null : program.modules[level as "stablehlo"] !== undefined));
}

/** What is drawn of a level; null where the program has none such. */
export function subjectOf(program: Program, level: LevelName): Subject | null {
  if (level === "jaxpr") return program.entry === null ? null : { kind: "program", program };
  const module = program.modules[level as "stablehlo"];
  return module === undefined ? null : { kind: "module", module };
}

/** From JSON in gzip in base64, which is a tenth of the JSON. */
export async function unpacked(text: string): Promise<EmbedData> {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).json()) as EmbedData;
}
