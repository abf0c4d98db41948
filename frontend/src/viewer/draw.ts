// One drawing from a subject and the open bodies. Runs in the worker; pure, so tests and the embedded viewer call it directly.
import { drawModule, drawProgram, foldable, foldableOps, initialOpen, initialOpenOps } from "../drawing/index.ts";
import type { OverlayKind, Tell } from "../drawing/scene.ts";
import type { Drawing, Subject } from "./protocol.ts";

export function draw(
  subject: Subject,
  wanted: readonly string[] | null,
  title: string,
  overlay: OverlayKind | null = null,
  tell: Tell = () => undefined,
): Drawing {
  const all = subject.kind === "program" ? foldable(subject.program) : foldableOps(subject.module);
  const initially = (): Set<string> => (subject.kind === "program" ? initialOpen(subject.program) : initialOpenOps(subject.module));
  const open = wanted === null ? initially() : new Set(wanted);
  const scene =
    subject.kind === "program" ? drawProgram(subject.program, { open, overlay, tell }) : drawModule(subject.module, { open, tell });
  return { scene, title, open: [...open], foldable: all };
}
