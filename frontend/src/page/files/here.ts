// A saved trace that is opened: read, checked and drawn by the page itself, as one that the server sends, and sent nowhere. What the page
// does not take goes to the server, which says what is wrong with it. Loaded when one is opened.
import { type Filed, rememberFiled, type SavedFile } from "../../model/filed.ts";
import { putPiece } from "../../model/pieces.ts";
import { sitesInTurns } from "../../model/sites.ts";
import { byMessage, inTurns } from "../../model/slices.ts";
import type { LevelMessage, Trace } from "../../model/types.ts";
import { Cancelled, type LayoutClient } from "../../viewer/index.ts";
import { applyMessage } from "../api/merge.ts";

type Level = Filed["level"];

let newest = 0;
/** How often a worker may be ended under our hands, by other drawings that nobody waits for. */
const TRIES = 3;

interface Begun {
  readonly id: number;
  readonly text: string;
  readonly levels: Promise<readonly Level[] | null>;
}

/** What the worker was given before it was known to be a trace. */
let before: Begun | null = null;

/** Has the worker begin with a file that may be a trace. What it gives back is to be told its text, or null where it is none. */
export function begin(layout: LayoutClient, bytes: Uint8Array): (text: string | null) => void {
  const id = newest++;
  const levels = asked(layout, id, bytes);
  levels.catch(() => undefined);
  return (text) => {
    taken(layout, null);
    before = { id, text: text ?? "", levels };
    if (text === null) taken(layout, null);
  };
}

/** What was begun with a text; of any other the worker lets go. */
function taken(layout: LayoutClient, text: string | null): Begun | null {
  const begun = before;
  before = null;
  if (begun === null || (begun.text === text && layout.holds(begun.id))) return begun;
  const close = (): void => layout.close(begun.id);
  begun.levels.then(close, close);
  return null;
}

/** Whether it was taken; calls back as `trace` of the client does. */
export async function openedHere(
  layout: LayoutClient,
  text: string,
  onTrace: (trace: Trace) => void,
  signal: AbortSignal,
  onComing: (trace: Trace) => void,
): Promise<boolean> {
  const begun = taken(layout, text);
  const file: SavedFile = { id: begun?.id ?? newest++, text };
  const levels = await (begun?.levels.catch(() => read(layout, file)) ?? read(layout, file));
  if (levels === null) return false;
  let answer: Trace | null = null;
  for (const level of levels) {
    signal.throwIfAborted();
    const message = await given(layout, file, level, onComing, signal);
    rememberModules(message, answer?.programs.map(({ id }) => id) ?? [], file, level);
    for (const { jaxprs } of message.trace?.programs ?? []) await inTurns(sitesInTurns({ jaxprs }), signal);
    signal.throwIfAborted();
    answer = applyMessage(answer, message);
    if (answer !== null) onTrace(answer);
    // Its drawing is asked for before the next level.
    await byMessage();
  }
  return true;
}

async function read(layout: LayoutClient, file: SavedFile): Promise<readonly Level[] | null> {
  return again(() => asked(layout, file.id, file.text));
}

async function asked(layout: LayoutClient, file: number, text: string | Uint8Array): Promise<readonly Level[] | null> {
  // An answer that is null is one, too.
  const { levels } = await layout.ask(
    (id) => ({ type: "file", id, file, text }),
    (said) => (said.type === "read" ? said : undefined),
  );
  return levels;
}

/** One level as a message. `onComing` hears of its programs as soon as they can be asked for, long before they are all here. */
async function given(
  layout: LayoutClient,
  file: SavedFile,
  level: Level,
  onComing: (trace: Trace) => void,
  signal: AbortSignal,
): Promise<LevelMessage> {
  let tried = 0;
  return again(async () => {
    if (tried++ > 0) await read(layout, file);
    const message: Partial<LevelMessage> = {};
    let told = false;
    await layout.ask(
      (id) => ({ type: "give", id, file: file.id, level }),
      (said) => {
        if (said.type !== "given") return undefined;
        if (said.piece === null) return true;
        putPiece(message, JSON.parse(said.piece));
        const programs = message.trace?.programs ?? [];
        if (told || programs[0]?.jaxprs === undefined || programs.some(({ jaxprs }) => jaxprs === undefined)) return undefined;
        told = true;
        for (const [program, { jaxprs }] of programs.entries()) rememberFiled(jaxprs, { file, program, level });
        if (!signal.aborted) onComing(message.trace as Trace);
        return undefined;
      },
    );
    return message as LevelMessage;
  });
}

/** Modules that can be drawn without being sent back. */
function rememberModules({ patch }: LevelMessage, ids: readonly string[], file: SavedFile, level: Level): void {
  for (const [id, { modules }] of Object.entries(patch?.programs ?? {}))
    for (const module of Object.values(modules)) rememberFiled(module, { file, program: ids.indexOf(id), level });
}

async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Cancelled) || left === 0) throw error;
    }
  }
}
