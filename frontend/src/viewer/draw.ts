// One drawing from a subject and the open bodies. Runs in the worker; pure, so tests and the embedded viewer call it directly.
import {
  AS_FITS,
  drawModule,
  drawProgram,
  foldable,
  foldableOps,
  initialOpen,
  initialOpenOps,
  openModuleTo,
  openProgramTo,
  type Scene,
} from "../drawing/index.ts";
import type { Tell } from "../drawing/scene.ts";
import type { Drawing, Subject, Wanted } from "./protocol.ts";

export function draw(subject: Subject, wanted: Wanted, title: string, tell: Tell = () => undefined): Drawing {
  const { open, left } = openOf(subject, wanted);
  const scene = sceneOf(subject, wanted, open, tell);
  const all = subject.kind === "program" ? foldable(subject.program) : foldableOps(subject.module);
  const alone = wanted.alone ?? null;
  return { scene, title, open: [...open], foldable: all, left, alone: alone !== null && holdsAll(alone, scene) ? alone : null };
}

function openOf(subject: Subject, { open, levels = AS_FITS }: Wanted): { open: Set<string>; left: number } {
  if (open !== null) return { open: new Set(open), left: 0 };
  const { by, depth } = levels;
  const deep = depth === "all" ? Number.POSITIVE_INFINITY : depth;
  if (subject.kind === "program")
    return deep === null ? { open: initialOpen(subject.program), left: 0 } : openProgramTo(subject.program, deep, by);
  return deep === null ? { open: initialOpenOps(subject.module), left: 0 } : openModuleTo(subject.module, deep, by, subject.places);
}

function sceneOf(
  subject: Subject,
  { levels = AS_FITS, overlay = null, alone = null, direction = "TB" }: Wanted,
  open: ReadonlySet<string>,
  tell: Tell,
): Scene {
  const { by } = levels;
  if (subject.kind === "program") return drawProgram(subject.program, { open, by, overlay, alone, direction, tell });
  return drawModule(subject.module, { open, by, places: subject.places, overlay, alone, direction, tell });
}

/** Whether all that is drawn stands in one body: an unknown path draws everything. */
function holdsAll(alone: string, { frames, nodes }: Scene): boolean {
  return [...frames, ...nodes].every(
    ({ eqn }) => eqn === null || eqn === alone || eqn.startsWith(`${alone}/`) || eqn.startsWith(`${alone}:`),
  );
}
