// A saved trace, which anyone may have written, read and checked here: what passes can be walked and drawn, and is what the server's gate
// (visualizer/web/opening/_saved.py) makes of the file. What does not pass is the server's to judge, which says in words what is wrong.
import type { Trace } from "../types.ts";
import { isTrace } from "./shapes.ts";
import { isSound } from "./sound.ts";

/** Half a character cannot be written as UTF-8, and one name is not a name like any other in JavaScript. */
const UNSAFE = /\\u[dD][89a-fA-F]|__proto__|\\u005[fF]/;

/** The trace of a file, or null. */
export function readTrace(text: string): Trace | null {
  try {
    if (UNSAFE.test(text)) return null;
    const found: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isTrace(found) && isSound(found as Trace) ? (found as Trace) : null;
  } catch {
    // No JSON, or nested more deeply than anyone can walk.
    return null;
  }
}
