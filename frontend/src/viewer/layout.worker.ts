// The worker that lays out and draws, so that the page stays free. It keeps the subjects it is given until told to forget them, so that a toggle sends no program again.
import { embeds } from "../drawing/graph/embedded.ts";
import type { Tell } from "../drawing/scene.ts";
import type { Reading } from "../model/check/index.ts";
import { byMessage } from "../model/slices.ts";
import type { Program, Trace } from "../model/types.ts";
import { unpackModule, unpackProgram } from "../model/unpack.ts";
import { drawingOf, programDrawn } from "./drawn.ts";
import {
  type Drawing,
  type DrawMessage,
  type ExpectMessage,
  type FileMessage,
  type FromWorker,
  type GiveMessage,
  LISTS,
  type OutlineMessage,
  type Sent,
  type Subject,
  type ToWorker,
  type Wanted,
} from "./protocol.ts";

const subjects = new Map<number, Subject>();
const files = new Map<number, Trace>();
/** Of which the modules have not been looked at: they are drawn later. */
const unread = new Map<number, Reading>();
const answer = (message: FromWorker): void => self.postMessage(message);

/** Things in one message: a few milliseconds for the page. */
const PIECE = 400;
/** A drawing of up to so many labels goes in one. */
const SMALL = 2000;

function send(id: number, drawing: Drawing): void {
  if (drawing.scene.labels.length <= SMALL) {
    answer({ type: "drawn", id, drawing });
    return;
  }
  const { scene } = drawing;
  for (const list of LISTS)
    for (let at = 0; at < scene[list].length; at += PIECE) answer({ type: "piece", id, list, items: scene[list].slice(at, at + PIECE) });
  const emptied = { ...scene, frames: [], nodes: [], ports: [], wires: [], chips: [], labels: [], rules: [] };
  answer({ type: "drawn", id, drawing: { ...drawing, scene: emptied } });
}

/** The one drawing that was made before it was asked for. */
let expected: { readonly of: string; readonly drawing: Drawing } | null = null;

function keyOf(token: number, wanted: Wanted): string {
  return `${token} ${JSON.stringify(wanted)}`;
}

/** The program, where it is drawn by what is here; null of what takes the drawing of modules, which is loaded for the first that does. */
function withoutModules(subject: Subject): Program | null {
  return subject.kind === "program" && !embeds(subject.program) ? subject.program : null;
}

async function drawn(subject: Subject, wanted: Wanted, title: string, tell: Tell): Promise<Drawing> {
  const program = withoutModules(subject);
  if (program !== null) return drawingOf(programDrawn(program), wanted, title, tell);
  const { draw } = await import("./draw.ts").catch(() => {
    throw new Error("The part of the page that draws modules could not be loaded. Reload the page.");
  });
  return draw(subject, wanted, title, tell);
}

async function answerWith(subject: Subject, { token, id, wanted, title }: DrawMessage): Promise<void> {
  const known = expected;
  expected = null;
  if (known !== null && known.of === keyOf(token, wanted)) send(id, { ...known.drawing, title });
  else send(id, await drawn(subject, wanted, title, (stage) => answer({ type: "stage", id, stage })));
}

function expect({ token, wanted, title }: ExpectMessage): void {
  const subject = subjects.get(token);
  const program = subject === undefined ? null : withoutModules(subject);
  try {
    if (program !== null) expected = { of: keyOf(token, wanted), drawing: drawingOf(programDrawn(program), wanted, title) };
  } catch {
    // It is told when the drawing is asked for.
    expected = null;
  }
}

async function read({ id, file, text }: FileMessage & { readonly id: number }): Promise<void> {
  const { readingOf, levelsOf } = await import("./reading.ts");
  const reading = readingOf(text);
  if (reading !== null) {
    files.set(file, reading.trace);
    unread.set(file, reading);
  }
  answer({ type: "read", id, levels: reading === null ? null : levelsOf(reading) });
}

async function give({ id, file, level }: GiveMessage): Promise<void> {
  const { given } = await import("./reading.ts");
  if (level !== "jaxpr") {
    // The drawing of the first level goes before what comes after it.
    await byMessage();
    if (unread.get(file)?.rest() === false) throw new Error("The modules are no modules.");
    unread.delete(file);
  }
  for (const piece of given(files.get(file) as Trace, level)) {
    answer({ type: "given", id, piece: JSON.stringify(piece) });
    // The first level is waited for as a whole.
    if (level !== "jaxpr") await byMessage();
  }
  answer({ type: "given", id, piece: null });
}

async function outline(subject: Subject, { id, open, by, title }: OutlineMessage): Promise<void> {
  const { outlined } = await import("./outlined.ts");
  answer({ type: "outlined", id, text: outlined(subject, new Set(open), by, title) });
}

/** What a message began that takes its time: what goes wrong is told. */
function begun(id: number, work: Promise<void>): void {
  work.catch((error: unknown) => answer({ type: "failed", id, message: error instanceof Error ? error.message : String(error) }));
}

function unpacked(sent: Sent): Subject {
  if (sent.kind === "filed") {
    const { file, program: at, level, places } = sent;
    const program = files.get(file)?.programs[at] as Program;
    const module = level === "jaxpr" ? undefined : program.modules[level];
    return module === undefined ? { kind: "program", program } : { kind: "module", module, ...(places && { places }) };
  }
  if (sent.kind === "packed-program") return { kind: "program", program: unpackProgram(sent.packed) };
  return sent.kind === "packed-module" ? { ...sent, kind: "module", module: unpackModule(sent.packed) } : sent;
}

self.addEventListener("message", (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  if (message.type === "prepare") {
    void import("./reading.ts");
    return;
  }
  if (message.type === "file") {
    const { id, file, text } = message;
    // It was read before, by a worker that is gone.
    if (id === undefined) files.set(file, JSON.parse((text as string).replace(/^\uFEFF/, "")));
    else begun(id, read({ ...message, id }));
    return;
  }
  if (message.type === "give") {
    begun(message.id, give(message));
    return;
  }
  if (message.type === "close") {
    files.delete(message.file);
    unread.delete(message.file);
    return;
  }
  if (message.type === "load") {
    subjects.set(message.token, unpacked(message.subject));
    return;
  }
  if (message.type === "forget") {
    subjects.delete(message.token);
    return;
  }
  if (message.type === "expect") {
    expect(message);
    return;
  }
  const subject = subjects.get(message.token);
  if (subject === undefined) {
    answer({ type: "failed", id: message.id, message: "The drawing was asked for before its program." });
    return;
  }
  begun(message.id, message.type === "outline" ? outline(subject, message) : answerWith(subject, message));
});
