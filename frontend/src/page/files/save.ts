// A trace as a file. What the server left out of a large answer is asked for again, whole. Loaded when something is saved.
import type { Trace } from "../../model/types.ts";
import { failureOf, posted, ServerError, unreachable } from "../api/client.ts";
import { bodyOf } from "../state/request.ts";
import type { Answer, State } from "../state/types.ts";

/** What an answer was asked for with. */
export type Settings = Pick<State, "staticNumbers" | "compile" | "jax">;

export interface SavedFile {
  readonly name: string;
  readonly text: string;
}

/** The trace of an answer with all that was left out of it. */
export async function wholeOf(answer: Answer, settings: Settings, fetcher: typeof fetch = fetch): Promise<Trace> {
  return answer.trace.programs.some(({ left_out }) => (left_out ?? []).length > 0) ? asked(answer, settings, fetcher) : answer.trace;
}

/** The whole trace of an answer, with the text that it is of. */
export async function saved(answer: Answer, settings: Settings, fetcher: typeof fetch = fetch): Promise<SavedFile> {
  const whole = await wholeOf(answer, settings, fetcher);
  const text = answer.file == null ? answer.source : (whole.text ?? null);
  const title = whole.title ?? "";
  return { name: nameOf(answer, title), text: `${JSON.stringify({ ...whole, text, title })}\n` };
}

/** As it was asked for, but whole. */
async function asked(answer: Answer, settings: Settings, fetcher: typeof fetch): Promise<Trace> {
  const { source, file = null, asked, wishes } = answer;
  const wanted = bodyOf({ ...settings, source, file, asked, wishes });
  const { to, body } = posted("opens" in wanted ? wanted : { ...wanted, parts: false });
  let response: Response;
  try {
    response = await fetcher(to, { method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json" }, body });
  } catch {
    throw new ServerError(unreachable);
  }
  if (!response.ok) throw new ServerError(await failureOf(response));
  const whole = (await response.json()) as Trace;
  const lost = answer.trace.programs.length - whole.programs.length;
  if (lost > 0) throw new Error("The whole trace is larger than the server sends: it was not saved.");
  return whole;
}

function nameOf({ file, trace }: Answer, title: string): string {
  const base = (file?.name || title || trace.programs[0]?.name || "trace")
    .replace(/\.trace\.json$|\.[a-z]{1,6}$|\/$/i, "")
    .replace(/[^\w.-]+/g, "_")
    .replace(/^[_.]+|_+$/g, "")
    .slice(0, 60);
  return `${base || "trace"}.trace.json`;
}

/** Hands a text or bytes to the browser's own downloads. */
export function download(name: string, content: string | Blob, type = "application/json"): void {
  const address = URL.createObjectURL(typeof content === "string" ? new Blob([content], { type }) : content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
