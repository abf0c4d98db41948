// The only place that speaks to the server. Promises a `Failure` a person can read for whatever goes wrong on the way;
// never throws anything else but the AbortError of its own signal.
import type { LevelMessage, Trace } from "../../model/types.ts";
import type { OpenBody, TraceBody } from "../state/request.ts";
import type { Failure } from "../state/types.ts";
import { at } from "./address.ts";
import { lines } from "./lines.ts";
import { applyMessage } from "./merge.ts";

export class ServerError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Where a request goes, and what it holds. */
export function posted(body: TraceBody | OpenBody): { readonly to: string; readonly body: string } {
  if (!("opens" in body)) return { to: at("api/v1/trace"), body: JSON.stringify(body) };
  return body.opens === null ? { to: at("api/v1/opened"), body: "" } : { to: at("api/v1/open"), body: body.opens };
}

/**
 * Sends a paste and calls `onTrace` with the whole trace so far, once for each level that arrives, and with the id under which the server
 * keeps what it left out. A trace that came packed goes to `onPacked` before it is unpacked, so that it can be drawn meanwhile.
 */
export async function trace(
  wanted: TraceBody | OpenBody,
  onTrace: (trace: Trace, run?: string) => void,
  signal: AbortSignal,
  fetcher: typeof fetch = fetch,
  onPacked: (trace: Trace) => void = () => undefined,
): Promise<void> {
  let response: Response;
  try {
    const { to, body } = posted(wanted);
    response = await fetcher(to, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/x-ndjson" },
      body,
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
      answer = applyMessage(answer, await whole(message, signal, onPacked));
      if (answer !== null) onTrace(answer, run);
    }
  } catch (error) {
    if (signal.aborted || error instanceof ServerError) throw error;
    throw new ServerError(brokenOff);
  }
  if (answer === null) throw new ServerError(brokenOff);
}

/** The versions of JAX that a request may name, the server's own first; empty where the server does not say. */
export async function runtimes(fetcher: typeof fetch = fetch): Promise<readonly string[]> {
  const response = await fetcher(at("api/v1/runtimes"), { headers: { Accept: "application/json" } });
  const told: unknown = response.ok ? await response.json() : null;
  const listed = typeof told === "object" && told !== null && "runtimes" in told ? told.runtimes : null;
  return Array.isArray(listed) ? listed.flatMap((each: { jax?: unknown }) => (typeof each?.jax === "string" ? [each.jax] : [])) : [];
}

/** The message with every program whole. What can unpack one is a script of its own: small programs come as they are. */
async function whole(message: LevelMessage, signal: AbortSignal, onPacked: (trace: Trace) => void): Promise<LevelMessage> {
  if (message.trace?.programs.some(({ templates }) => (templates ?? []).length > 0) !== true) return message;
  onPacked(message.trace);
  const { wholeTrace } = await import("./parts.ts");
  return { ...message, trace: await wholeTrace(message.trace, signal) };
}

export const unreachable: Failure = {
  code: "unreachable",
  message: "The server does not answer.",
  advice: "Check that it is running and that this machine is online, then run again. What you wrote is kept.",
};

export const brokenOff: Failure = {
  code: "broken-off",
  message: "The answer broke off before it was complete.",
  advice: "Run again. If it happens every time, the program is probably too large for this server.",
};

export async function failureOf(response: Response): Promise<Failure> {
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
