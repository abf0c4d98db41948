// Links of this page: what one that was opened does to the code that was here, and how one is made. The packing itself is loaded when needed.
import type { Linked } from "./state/links/format.ts";
import { earlier, hasSaved, keepEarlier, savedOf } from "./state/saved.ts";
import { keepShared, pathOf, rootOf, type Shared } from "./state/shared.ts";
import { type Spot, spotOf } from "./state/spot.ts";
import type { Store } from "./state/store.ts";
import type { Arrival, Saved, State } from "./state/types.ts";

export function isLink(hash: string): boolean {
  return hash.startsWith("#v");
}

export interface Opened {
  readonly saved: Saved;
  readonly spot: Spot | null;
  readonly arrival: Arrival | null;
  readonly shared?: Shared;
}

const CAME: Arrival = { kind: "link", kept: false, back: false };

/** What a short link brings, where the page was served as one. A reload of it finds what the tab saved, edited or not. */
export async function openedShared(shared: Shared, before: Saved, reloaded: boolean): Promise<Opened> {
  if (!reloaded) {
    const found = await opened(`#${shared.state}`, before);
    return found.arrival?.kind === "refused" ? found : { ...found, shared, arrival: found.arrival ?? CAME };
  }
  const { unpack } = await import("./state/links/pack.ts");
  const linked = await unpack(`#${shared.state}`).catch(() => null);
  const forked = linked === null || linked.source !== before.source;
  return { saved: before, spot: null, arrival: kept(before) ?? CAME, shared: { ...shared, forked } };
}

/** What an address brings, over what was here. One that cannot be opened takes nothing away. */
export async function opened(hash: string, before: Saved): Promise<Opened> {
  try {
    const { unpack } = await import("./state/links/pack.ts");
    const linked = await unpack(hash);
    if (linked.source === before.source) return { saved: over(before, linked), spot: linked.spot, arrival: kept(before) };
    const { isFresh } = await import("./examples.ts");
    // What nobody wrote need not be kept.
    if (hasSaved() && before.source.trim() !== "" && !isFresh(before.source)) keepEarlier(before);
    return { saved: over(before, linked), spot: linked.spot, arrival: kept(before) ?? CAME };
  } catch (error) {
    // Anything else than a refusal says nothing to whoever opened a link: the part of the page that reads them did not come.
    const why =
      error instanceof Error && error.name === "LinkError" ? error.message : "The page could not load what reads links: reload it.";
    return { saved: before, spot: null, arrival: { kind: "refused", why } };
  }
}

/** Of code that is still put aside there is something to say, after a reload too. */
export function kept(saved: Saved): Arrival | null {
  return earlier(saved) === null ? null : { kind: "link", kept: true, back: false };
}

function over(before: Saved, { source, staticNumbers, asked, wishes, compile, jax }: Linked): Saved {
  const typed =
    asked?.signature == null ? before.typed : { ...before.typed, [asked.fun]: { ...before.typed[asked.fun], ...asked.signature } };
  return { ...before, source, staticNumbers, asked, wishes, typed, compile, jax, file: null };
}

export interface Links {
  /** The fragment for the state: "" where it says nothing that a plain address does not, or is too long. */
  address(state: State): Promise<string>;
  /** The path that the address of a state has: that of its short link, as long as it is that, else the page's own. */
  path(state: State): string;
  /** What a link says of a state, `v1:...`, or null where that is too long for one, or a file is open. */
  said(state: State, spot?: Spot): Promise<string | null>;
  /** The whole link, or null where the code is too long for one. */
  link(): Promise<string | null>;
  /** The address of a page that holds what a link says. */
  addressOf(said: string): string;
  /** The code as it was shared comes back, and what was made of it is put aside. */
  original(): Promise<void>;
  /** The code that was put aside comes back, and what is here is put aside in its place. */
  swap(): void;
  /** Enough of it: the code put aside may go. */
  dismiss(): void;
  /** Someone put another link into the address of the open page. */
  open(hash: string): Promise<void>;
}

/** `first` is the code that a plain address brings. */
export function createLinks(store: Store, run: () => void, first: string): Links {
  const root = rootOf(location.pathname);
  const fragment = async (state: State, spot = spotOf(state)): Promise<string | null> => {
    const { source, staticNumbers, asked, wishes, compile, jax } = state;
    const { pack } = await import("./state/links/pack.ts");
    return pack({ source, staticNumbers, asked, wishes, compile, jax, spot });
  };
  const open = async (hash: string, shared: Shared | null): Promise<void> => {
    const { saved, spot, arrival } = await opened(hash, savedOf(store.state.peek()));
    if (arrival?.kind === "refused") store.dispatch({ type: "arrival", arrival });
    else {
      store.dispatch({ type: "code", saved, spot, arrival, shared });
      run();
    }
  };
  const said = async (state: State, spot?: Spot): Promise<string | null> =>
    state.file === null ? ((await fragment(state, spot))?.slice(1) ?? null) : null;
  const addressOf = (what: string): string => `${location.origin}${root}#${what}`;
  store.listen((_, before, now) => {
    if (before.shared !== now.shared) keepShared(now.shared);
  });
  return {
    path: (state) => pathOf(root, state.shared),
    said,
    addressOf,
    async original() {
      const { shared } = store.state.peek();
      if (shared !== null) await open(`#${shared.state}`, { ...shared, forked: false });
    },
    async address(state) {
      // The bytes of a file have no place in an address; that of the code would bring something else.
      if (state.file !== null) return "";
      // A short link is the address as long as the code is that of the link.
      if (state.shared?.forked === false) return "";
      const { view, open, alone, selection, levels, direction } = spotOf(state);
      const { source, staticNumbers, compile, jax, asked, wishes } = state;
      const plain = source === first && !staticNumbers && !compile && jax === null && asked === null && wishes.length === 0;
      const asFirst = open === null && alone === null && selection === null && levels === undefined && direction === undefined;
      if (plain && view === "jaxpr" && asFirst) return "";
      return (await fragment(state)) ?? "";
    },
    async link() {
      const made = await said(store.state.peek());
      return made === null ? null : addressOf(made);
    },
    swap() {
      const now = savedOf(store.state.peek());
      const { arrival } = store.state.peek();
      const other = earlier(now);
      if (other === null || arrival?.kind !== "link" || !keepEarlier(now)) return;
      const { source, staticNumbers, asked, typed, wishes, compile, jax } = other;
      store.dispatch({
        type: "code",
        saved: { ...now, source, staticNumbers, asked, typed, wishes, compile, jax, file: other.file },
        spot: null,
        arrival: { ...arrival, back: !arrival.back },
      });
      run();
    },
    dismiss() {
      const { arrival, shared } = store.state.peek();
      if (arrival?.kind === "link") keepEarlier(null);
      if (shared?.forked === true) keepShared(null);
      store.dispatch({ type: "arrival", arrival: null });
    },
    open: (hash) => open(hash, null),
  };
}
