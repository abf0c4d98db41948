// A short link to what is shared: the one that was made here before, made anew when a person asks for it, and given up again.
import { type Signal, useSignal } from "@preact/signals";
import { ServerError } from "../../api/client.ts";
import { linksKept, shorten, unshorten } from "../../api/shortLinks.ts";
import { createShortLinks, type MadeLink, type ShortLinks } from "../../state/local/shortLinks.ts";
import type { Failure } from "../../state/types.ts";

export interface Short {
  readonly id: string;
  readonly link: MadeLink;
  /** Something to be known about it, as the server says. */
  readonly note: string;
}

export interface Shortening {
  readonly now: Signal<Short | null>;
  readonly busy: Signal<boolean>;
  readonly failure: Signal<Failure | null>;
  /** Finds the one of a state. */
  look(state: string | null): void;
  make(state: string, name: string): Promise<void>;
  /** Answers whether it is gone. */
  remove(): Promise<boolean>;
}

/** What is said when a link was taken back: only one's own share of it is, and the same content has the same link. */
export const TAKEN_BACK = "Deleted. The link leads nowhere now, unless somebody else shared the same.";

export const shortLinks: ShortLinks = createShortLinks(() => localStorage);

export function useShort(): Shortening {
  const now = useSignal<Short | null>(null);
  const busy = useSignal(false);
  const failure = useSignal<Failure | null>(null);
  const tried = async (work: () => Promise<void>): Promise<boolean> => {
    busy.value = true;
    failure.value = null;
    try {
      await work();
      return true;
    } catch (error) {
      failure.value = error instanceof ServerError ? error.failure : { code: "page", message: "It did not work.", advice: String(error) };
      return false;
    } finally {
      busy.value = false;
    }
  };
  return {
    now,
    busy,
    failure,
    look(state) {
      failure.value = null;
      const made = state === null ? null : shortLinks.of(state);
      if (made === null) now.value = null;
      else if (now.peek()?.id !== made.id) now.value = { id: made.id, link: made.value, note: "" };
    },
    async make(state, name) {
      await tried(async () => {
        const { id, url, embed, token, note } = await shorten(state);
        const link: MadeLink = { url, embed, token, state, name, at: Date.now() };
        const kept = shortLinks.put(id, link);
        const lost = kept ? "" : `This browser keeps nothing: only who has the token ${token} can delete the link.`;
        now.value = { id, link, note: [note, lost].filter(Boolean).join(" ") };
      });
    },
    async remove() {
      const made = now.peek();
      if (made === null) return false;
      return tried(async () => {
        await unshorten(made.id, made.link.token);
        shortLinks.remove(made.id);
        now.value = null;
      });
    },
  };
}

/** Whether the server keeps links; true where it does not say. */
export async function areKept(): Promise<boolean> {
  return linksKept().catch(() => true);
}

/** An address that leads nowhere on other machines. */
export function isLocal(address: string): boolean {
  return /^https?:\/\/(?:[\w.-]*\.)?(?:localhost|127(?:\.\d+){3}|\[::1\])(?:[:/]|$)/.test(address);
}
