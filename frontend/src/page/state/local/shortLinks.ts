// The short links that were made in this browser, each with what deletes it again. Kept here alone: the server has only a hash of the token.
import { isTime, type Store, shelf } from "./shelf.ts";

export interface MadeLink {
  readonly url: string;
  readonly embed: string;
  readonly token: string;
  /** What was shared: `v1:...`. */
  readonly state: string;
  readonly name: string;
  readonly at: number;
}

export const LINK_PREFIX = "jaxpr-visualizer/links/";
const VERSION = 1;

export interface ShortLinks {
  list(): readonly { readonly id: string; readonly value: MadeLink }[];
  /** The one that shares just this, if there is one. */
  of(state: string): { readonly id: string; readonly value: MadeLink } | null;
  put(id: string, link: MadeLink): boolean;
  remove(id: string): void;
}

export function createShortLinks(local: () => Store): ShortLinks {
  const kept = shelf<MadeLink>(local, LINK_PREFIX, VERSION, readLink);
  const list = (): readonly { id: string; value: MadeLink }[] => [...kept.list().entries].sort((a, b) => b.value.at - a.value.at);
  return {
    list,
    of: (state) => list().find(({ value }) => value.state === state) ?? null,
    put: (id, link) => kept.put(id, link),
    remove: (id) => void kept.remove(id),
  };
}

export function readLink(value: Record<string, unknown>): MadeLink | null {
  const { url, embed, token, state, name, at } = value;
  const texts = [url, embed, token, state].every((text) => typeof text === "string" && text !== "");
  if (!texts || !isWeb(url as string) || !isWeb(embed as string)) return null;
  if (!isTime(at)) return null;
  return {
    url: url as string,
    embed: embed as string,
    token: token as string,
    state: state as string,
    name: typeof name === "string" ? name : "",
    at,
  };
}

/** What stands in the storage becomes the address of a link on the page: no other kind of address may. */
function isWeb(address: string): boolean {
  return /^https?:\/\//.test(address);
}
