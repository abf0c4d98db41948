// Answers in parts: what came packed is made whole, what was left out is fetched. Loaded when the first large program comes.
import { rememberModule, rememberProgram } from "../../model/packed.ts";
import { sitesInTurns } from "../../model/sites.ts";
import { inTurns } from "../../model/slices.ts";
import type { LevelMessage, Part, Program, Trace } from "../../model/types.ts";
import { wholePart, wholeProgram } from "../../model/unpack.ts";
import { at } from "./address.ts";
import { brokenOff, failureOf, ServerError, unreachable } from "./client.ts";

/** A trace with every program whole, a few milliseconds of work at a time. */
export async function wholeTrace(trace: Trace, signal: AbortSignal): Promise<Trace> {
  const programs: Program[] = [];
  for (const program of trace.programs) {
    const made = await inTurns(wholeProgram(program), signal);
    if (made !== program) {
      rememberProgram(made.jaxprs, { outline: program, parts: [] });
      // Whoever is told of the program asks for this first.
      await inTurns(sitesInTurns(made), signal);
    }
    programs.push(made);
  }
  return { ...trace, programs };
}

/** A part that an answer left out: as it came, and whole. `onBytes` hears how much of it is there. */
export async function part(
  run: string,
  name: string,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
  fetcher: typeof fetch = fetch,
): Promise<{ readonly packed: Part; readonly whole: Part }> {
  let response: Response;
  try {
    response = await fetcher(at(`api/v1/traces/${encodeURIComponent(run)}/parts/${encodeURIComponent(name)}`), { signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ServerError(unreachable);
  }
  if (!response.ok || response.body === null) throw new ServerError(await failureOf(response));
  try {
    const packed = (JSON.parse(await textOf(response.body, onBytes)) as LevelMessage).part;
    if (packed === null) throw new ServerError(brokenOff);
    const made = await inTurns(wholePart(packed), signal);
    for (const [level, module] of Object.entries(packed.modules)) {
      const same = made.modules[level as keyof Part["modules"]];
      if (same !== undefined) rememberModule(same, module);
    }
    return { packed, whole: made };
  } catch (error) {
    if (signal.aborted || error instanceof ServerError) throw error;
    throw new ServerError(brokenOff);
  }
}

async function textOf(stream: ReadableStream<Uint8Array>, onBytes: (bytes: number) => void): Promise<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const text: string[] = [];
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    text.push(decoder.decode(value, { stream: true }));
    bytes += value.length;
    onBytes(bytes);
  }
  text.push(decoder.decode());
  return text.join("");
}
