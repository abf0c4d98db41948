// Short links: made and deleted on the server. Loaded with the share dialog; nothing is sent before somebody asks for one.
import type { Failure } from "../state/types.ts";
import { at } from "./address.ts";
import { failureOf, ServerError, unreachable } from "./client.ts";

export interface Shortened {
  readonly id: string;
  readonly url: string;
  readonly embed: string;
  readonly token: string;
  /** Why it has no picture, where it has none. */
  readonly note: string;
}

const without: Failure = {
  code: "no-links",
  message: "This server keeps no short links.",
  advice: "The long link needs no server that remembers it.",
};

/** Sends what a link says (`v1:...`) to be kept. Throws ServerError. */
export async function shorten(state: string, fetcher: typeof fetch = fetch): Promise<Shortened> {
  const response = await asked(fetcher, "api/v1/links", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify({ state }),
  });
  if (!response.ok) throw new ServerError(await refusal(response));
  const said = (await response.json()) as Partial<Record<"id" | "url" | "embed" | "delete_token" | "note", unknown>>;
  const { id, url, embed, delete_token: token, note } = said;
  if (typeof id !== "string" || typeof url !== "string" || typeof embed !== "string" || typeof token !== "string")
    throw new ServerError({ code: "page", message: "The server made no link that this page understands.", advice: "Reload the page." });
  return { id, url, embed, token, note: typeof note === "string" ? note : "" };
}

/** Whether the server keeps links at all. */
export async function linksKept(fetcher: typeof fetch = fetch): Promise<boolean> {
  const response = await asked(fetcher, "api/v1/links", { headers: { Accept: "application/json" } });
  const said: unknown = response.ok ? await response.json() : null;
  return typeof said === "object" && said !== null && "links" in said && said.links === true;
}

/** Gives up a link. One that is gone already, or whose token was used up in another tab, counts as given up. Throws ServerError. */
export async function unshorten(id: string, token: string, fetcher: typeof fetch = fetch): Promise<void> {
  const response = await asked(fetcher, `api/v1/links/${encodeURIComponent(id)}`, {
    method: "DELETE",
    headers: { Accept: "application/json", Authorization: `Bearer ${token}` },
  });
  if (!response.ok && ![403, 404, 410].includes(response.status)) throw new ServerError(await failureOf(response));
}

async function asked(fetcher: typeof fetch, path: string, how: RequestInit): Promise<Response> {
  try {
    return await fetcher(at(path), how);
  } catch {
    throw new ServerError(unreachable);
  }
}

/** A server that has no such path has no links. */
async function refusal(response: Response): Promise<Failure> {
  const failure = await failureOf(response);
  return response.status === 404 || response.status === 405 || response.status === 501 ? { ...without, code: failure.code } : failure;
}
