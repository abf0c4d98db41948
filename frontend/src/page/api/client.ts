// The only place that speaks to the server. Promises a `Failure` a person can read for whatever goes wrong on the way;
// never throws anything else but the AbortError of its own signal.
import { rememberModule, rememberProgram } from "../../model/packed.ts";
import { inTurns } from "../../model/slices.ts";
import type { LevelMessage, Part, Program, Trace } from "../../model/types.ts";
import { isPacked, wholePart, wholeProgram } from "../../model/unpack.ts";
import type { TraceBody } from "../state/request.ts";
import type { Failure } from "../state/types.ts";
import { lines } from "./lines.ts";
import { applyMessage } from "./merge.ts";

export class ServerError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/**
 * Sends a paste and calls `onTrace` with the whole trace so far, once for each level that arrives, and with the id under which the server
 * keeps what it left out.
 */
export async function trace(
  body: TraceBody,
  onTrace: (trace: Trace, run?: string) => void,
  signal: AbortSignal,
  fetcher: typeof fetch = fetch,
): Promise<void> {
  let response: Response;
  try {
    response = await fetcher("api/v1/trace", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/x-ndjson" },
      body: JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ServerError(unreachable);
  }
  if (!response.ok || response.body === null) throw new ServerError(await failureOf(response));
  const run = response.headers.get("X-Trace") ?? undefined;
  let answer: Trace | null = null;
  try {
    for await (const line of lines(response.body)) {
      const message = JSON.parse(line) as LevelMessage | { error: Failure };
      if ("error" in message) throw new ServerError(message.error);
      answer = applyMessage(answer, await whole(message, signal));
      if (answer !== null) onTrace(answer, run);
    }
  } catch (error) {
    if (signal.aborted || error instanceof ServerError) throw error;
    throw new ServerError(brokenOff);
  }
  if (answer === null) throw new ServerError(brokenOff);
}

/** The message with every program whole, a few milliseconds of work at a time. */
async function whole(message: LevelMessage, signal: AbortSignal): Promise<LevelMessage> {
  if (message.trace === null || !message.trace.programs.some(isPacked)) return message;
  const programs: Program[] = [];
  for (const program of message.trace.programs) {
    const made = await inTurns(wholeProgram(program), signal);
    if (made !== program) rememberProgram(made.jaxprs, { outline: program, parts: [] });
    programs.push(made);
  }
  return { ...message, trace: { ...message.trace, programs } };
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
    response = await fetcher(`api/v1/traces/${encodeURIComponent(run)}/parts/${encodeURIComponent(name)}`, { signal });
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

const unreachable: Failure = {
  code: "unreachable",
  message: "The server does not answer.",
  advice: "Check that it is running and that this machine is online, then run again. What you wrote is kept.",
};

const brokenOff: Failure = {
  code: "broken-off",
  message: "The answer broke off before it was complete.",
  advice: "Run again. If it happens every time, the program is probably too large for this server.",
};

async function failureOf(response: Response): Promise<Failure> {
  try {
    const body = (await response.json()) as { error?: Partial<Failure> };
    if (typeof body.error?.message === "string") {
      return { code: body.error.code ?? String(response.status), message: body.error.message, advice: body.error.advice ?? "" };
    }
  } catch {
    // Not our server's own shape: a proxy's page, say. The status has to do.
  }
  return {
    code: String(response.status),
    message: `The server answered with status ${response.status}.`,
    advice: "Try again in a moment.",
  };
}
