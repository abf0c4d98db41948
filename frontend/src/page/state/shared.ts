// A short link that was opened: whether the code is still that of the link, or somebody's own by now. Pure, but for what a tab keeps of it.
import { isRecord } from "./saved.ts";
import type { State } from "./types.ts";

/** A link of `/s/<id>`, as the page that the server made of it says. */
export interface Shared {
  readonly id: string;
  /** What it holds: `v1:...`, as the fragment of a long link without its #. */
  readonly state: string;
  /** It was edited, or made one's own by a button: the address is that of the page itself again. */
  readonly forked: boolean;
}

const ID = /^[\w-]{1,64}$/;
const STATE = /^v\d{1,6}:[\w-]*$/;
const STORE = "jaxpr-visualizer/1/shared";

/** What the data block of a served link says, where the address is that of the link; null where there is none. */
export function sharedIn(block: string | null, path: string): Shared | null {
  const id = /\/s\/([\w-]{1,64})\/?$/.exec(path)?.[1];
  if (block === null || id === undefined) return null;
  try {
    const said: unknown = JSON.parse(block);
    const state = isRecord(said) ? said.state : said;
    return typeof state === "string" && STATE.test(state) ? { id, state, forked: false } : null;
  } catch {
    return null;
  }
}

/** The address of a link and that of the page, as paths, from whichever of the two one is at. */
export function rootOf(path: string): string {
  return path.replace(/\/s\/[\w-]{1,64}\/?$/, "/");
}

export function pathOf(root: string, shared: Shared | null): string {
  return shared === null || shared.forked ? root : `${root}s/${shared.id}`;
}

/** Whether a person changed what the link holds; where they look, and what an answer gave up, is no change of it. */
export function changed(before: State, now: State): boolean {
  return (
    before.source !== now.source ||
    before.staticNumbers !== now.staticNumbers ||
    before.compile !== now.compile ||
    before.jax !== now.jax ||
    before.asked !== now.asked ||
    before.wishes !== now.wishes
  );
}

/** What this tab keeps of the link that its code came from. */
export function keptShared(): Shared | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORE) ?? "null");
    if (!isRecord(kept) || typeof kept.id !== "string" || typeof kept.state !== "string") return null;
    return ID.test(kept.id) && STATE.test(kept.state) ? { id: kept.id, state: kept.state, forked: true } : null;
  } catch {
    return null;
  }
}

export function keepShared(shared: Shared | null): void {
  try {
    if (shared === null) sessionStorage.removeItem(STORE);
    else sessionStorage.setItem(STORE, JSON.stringify({ id: shared.id, state: shared.state }));
  } catch {}
}
