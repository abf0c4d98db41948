// Things that a browser keeps of a person's own, one key for each: two tabs that write at once write different keys, and what is broken is one
// thing and not all. Looked at field by field when it is read, for an older page, a newer one or another program may have left anything.
// Must never: throw because storage is forbidden or full, or touch a key of others.

/** The part of the browser's storage that is used. */
export type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

export interface Listed<T> {
  readonly entries: readonly { readonly id: string; readonly value: T }[];
  /** How many could not be read and were taken away. */
  readonly dropped: number;
  /** False where the browser lets nothing be kept. */
  readonly able: boolean;
}

export interface Shelf<T> {
  list(): Listed<T>;
  /** Whether it is kept now. */
  put(id: string, value: T): boolean;
  /** Whether it is gone. */
  remove(id: string): boolean;
}

/**
 * `read` gives what a version of a value says, null where it says nothing that can be used. `newest` is the version that is written; what a newer
 * page wrote is left alone.
 */
export function shelf<T>(
  storage: () => Store,
  prefix: string,
  newest: number,
  read: (value: Record<string, unknown>) => T | null,
): Shelf<T> {
  function keys(store: Store): string[] {
    const found: string[] = [];
    for (let at = 0; at < store.length; at++) {
      const key = store.key(at);
      if (key?.startsWith(prefix)) found.push(key);
    }
    return found;
  }

  return {
    list() {
      const entries: { id: string; value: T }[] = [];
      let dropped = 0;
      try {
        const store = storage();
        for (const key of keys(store)) {
          const found = parsed(store.getItem(key));
          if (typeof found?.version === "number" && found.version > newest) continue;
          const value = found === null ? null : read(found);
          if (value !== null) entries.push({ id: key.slice(prefix.length), value });
          else {
            store.removeItem(key);
            dropped += 1;
          }
        }
        return { entries, dropped, able: true };
      } catch {
        return { entries, dropped, able: false };
      }
    },
    put(id, value) {
      try {
        storage().setItem(prefix + id, JSON.stringify({ version: newest, ...value }));
        return true;
      } catch {
        return false;
      }
    },
    remove(id) {
      try {
        storage().removeItem(prefix + id);
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** Whether a value is a time, in milliseconds since 1970, that a Date can hold: of any other number it gives no text, but throws. */
export function isTime(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= 8.64e15;
}

function parsed(text: string | null): Record<string, unknown> | null {
  try {
    const found: unknown = JSON.parse(text ?? "null");
    return typeof found === "object" && found !== null && !Array.isArray(found) ? (found as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** A name that no other entry has. */
export function newId(now: number): string {
  const random = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  return `${now.toString(36)}-${random.toString(36)}`;
}
