// The history of this browser: what was traced here, kept here and sent nowhere. Loaded when the first program has been traced.
import type { Linked } from "../links/format.ts";
import {
  continues,
  ENTRY_PREFIX,
  ENTRY_VERSION,
  type Entry,
  entryOf,
  type Kept,
  OFF_KEY,
  ordered,
  readEntry,
  sameProgram,
  tooMany,
} from "./entries.ts";
import { newId, type Store, shelf } from "./shelf.ts";

/** Edits of one program are one entry; after this pause the next one is a new one, so that the text of yesterday is still there. */
export const SITTING_MS = 30 * 60_000;

export interface Past {
  readonly entries: readonly Kept[];
  readonly dropped: number;
  readonly able: boolean;
  readonly on: boolean;
}

export interface History {
  /** What could not be read since the last time is told of once. */
  list(): Past;
  /** Keeps a program. Answers whether it is kept now. */
  record(linked: Linked, name: string, now: number): boolean;
  pin(id: string, pinned: boolean): void;
  remove(id: string): void;
  /** All that is not pinned. */
  clear(): void;
  /** Switched off, nothing more is kept; what is there stays until it is deleted. */
  turn(on: boolean): void;
}

/** `sitting` is that of this tab: the entry that its edits go to. */
export function createHistory(local: () => Store, sitting: { id: string | null }): History {
  const kept = shelf<Entry>(local, ENTRY_PREFIX, ENTRY_VERSION, readEntry);
  /** Taken away, and nobody has been told yet. */
  let untold = 0;

  function look(): ReturnType<typeof kept.list> {
    const found = kept.list();
    untold += found.dropped;
    return found;
  }

  function isOn(): boolean {
    try {
      return local().getItem(OFF_KEY) === null;
    } catch {
      return false;
    }
  }

  /** Of a browser that is full, the oldest makes room. Where all of them would not be enough, none goes, and the new one is not kept. */
  function put(id: string, entry: Entry, others: readonly Kept[]): boolean {
    const going = new Set(tooMany(others, entry.link.source.length));
    for (const gone of going) kept.remove(gone);
    const oldest = ordered(others).filter((other) => !other.value.pinned && !going.has(other.id));
    const gone: Kept[] = [];
    while (!kept.put(id, entry)) {
      const last = oldest.pop();
      if (last === undefined) {
        for (const back of gone) kept.put(back.id, back.value);
        return false;
      }
      kept.remove(last.id);
      gone.push(last);
    }
    return true;
  }

  return {
    list() {
      const { entries, able } = look();
      const dropped = untold;
      untold = 0;
      return { entries: ordered(entries), dropped, able, on: isOn() };
    },
    record(linked, name, now) {
      if (!isOn() || linked.source.trim() === "") return false;
      const { entries } = look();
      const entry = entryOf(linked, name, now);
      const same = entries.find(({ value }) => sameProgram(value.link, entry.link));
      const mine = entries.find(({ id }) => id === sitting.id);
      const goesOn =
        mine !== undefined &&
        !mine.value.pinned &&
        now - mine.value.at < SITTING_MS &&
        continues(mine.value.link.source, entry.link.source);
      const into = same ?? (goesOn ? mine : undefined);
      const id = into?.id ?? newId(now);
      // An edit that came back to what another entry holds: one of the two is enough.
      if (same !== undefined && goesOn && mine !== undefined && mine.id !== same.id) kept.remove(mine.id);
      const others = entries.filter((other) => other.id !== id);
      const done = put(id, { ...entry, pinned: into?.value.pinned ?? false, name: name || (into?.value.name ?? "") }, others);
      sitting.id = done ? id : null;
      return done;
    },
    pin(id, pinned) {
      const found = look().entries.find((entry) => entry.id === id);
      if (found !== undefined) kept.put(id, { ...found.value, pinned });
    },
    remove: (id) => void kept.remove(id),
    clear() {
      for (const { id, value } of look().entries) if (!value.pinned) kept.remove(id);
    },
    turn(on) {
      try {
        if (on) local().removeItem(OFF_KEY);
        else local().setItem(OFF_KEY, "1");
      } catch {}
    },
  };
}
