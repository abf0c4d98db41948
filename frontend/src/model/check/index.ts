// A saved trace, which anyone may have written, read and checked here: what passes can be walked and drawn, and is what the server's gate
// (visualizer/web/opening/_saved.py) makes of the file. What does not pass is the server's to judge, which says in words what is wrong.
import type { Trace } from "../types.ts";
import { cutOf, putBack, WORTH, withoutModules } from "./later.ts";
import { isTrace } from "./shapes.ts";
import { isSound } from "./sound.ts";

/** Half a character cannot be written as UTF-8, and one name is not a name like any other in JavaScript. */
const UNSAFE = /\\u[dD][89a-fA-F]|__proto__|\\u005[fF]/;

/** A trace that can be walked and drawn, but has no modules before `rest` was asked and said yes. */
export interface Reading {
  readonly trace: Trace;
  /** Whether there is a level of this name, or may be. */
  has(level: string): boolean;
  rest(): boolean;
}

/** The trace of a file, or null. `worth` is the length of modules from which on they are read by themselves. */
export function readTrace(text: string, worth = WORTH): Trace | null {
  const reading = begin(text, worth);
  return reading?.rest() === true ? reading.trace : null;
}

/** The same in two steps. */
export function begin(text: string, worth = WORTH): Reading | null {
  try {
    if (UNSAFE.test(text)) return null;
    const json = text.replace(/^\uFEFF/, "");
    return halved(json, worth) ?? whole(json);
  } catch {
    // No JSON, or nested more deeply than anyone can walk.
    return null;
  }
}

const levelIn = ({ programs }: Trace, level: string): boolean => programs.some(({ texts, modules }) => level in texts || level in modules);

function whole(json: string): Reading | null {
  const found: unknown = JSON.parse(json);
  if (!isTrace(found) || !isSound(found as Trace)) return null;
  const trace = found as Trace;
  return { trace, has: (level) => levelIn(trace, level), rest: () => true };
}

/** Null where it has to be read as a whole to be judged. */
function halved(json: string, worth: number): Reading | null {
  const cut = withoutModules(json, worth);
  if (cut === null) return null;
  const found: unknown = JSON.parse(cut.text);
  const texts = cutOf(found, cut);
  if (texts === null || !isTrace(found) || !isSound(found as Trace)) return null;
  const trace = found as Trace;
  return {
    trace,
    // One of them is asked for in any case, so that nothing is left unread.
    has: (level) => level === "stablehlo" || levelIn(trace, level) || texts.some((each) => each.includes(`"${level}":{`)),
    rest(): boolean {
      try {
        putBack(trace.programs, texts);
        return isTrace(trace) && isSound(trace);
      } catch {
        return false;
      }
    },
  };
}
