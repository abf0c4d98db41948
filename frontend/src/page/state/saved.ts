// What a browser tab keeps of the page over a reload. What comes back from the storage is looked at field by field: a stranger's page, an
// older version or a half-written value may have left anything there.
import type { Step } from "../../model/types.ts";
import type { Asked, OpenFile, Saved, Typed, Wish } from "./types.ts";

const STORE = "jaxpr-visualizer/1";
/** Characters that no browser keeps for a tab: five million and some are the most. */
const ROOM = 5_300_000;
const EARLIER = "jaxpr-visualizer/1/earlier";

/** A page that nobody has changed anything in yet. */
export function fresh(source: string): Saved {
  return {
    source,
    auto: true,
    staticNumbers: false,
    theme: "auto",
    contrast: "auto",
    hints: true,
    asked: null,
    typed: {},
    wishes: [],
    compile: false,
    file: null,
    jax: null,
  };
}

export function savedOf({ source, auto, staticNumbers, theme, contrast, hints, asked, typed, wishes, compile, file, jax }: Saved): Saved {
  return { source, auto, staticNumbers, theme, contrast, hints, asked, typed, wishes, compile, file, jax };
}

export function sameSaved(a: Saved, b: Saved): boolean {
  return (
    a.source === b.source &&
    a.auto === b.auto &&
    a.staticNumbers === b.staticNumbers &&
    a.compile === b.compile &&
    a.jax === b.jax &&
    a.theme === b.theme &&
    a.contrast === b.contrast &&
    a.hints === b.hints &&
    a.asked === b.asked &&
    a.typed === b.typed &&
    a.wishes === b.wishes &&
    a.file === b.file
  );
}

/** Whether this browser tab has been here before. */
export function hasSaved(): boolean {
  try {
    return sessionStorage.getItem(STORE) !== null;
  } catch {
    return false;
  }
}

/** What a link put aside, until the person lets it go. */
export function earlier(defaults: Saved): Saved | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(EARLIER) ?? "null");
    return isRecord(kept) && typeof kept.source === "string" ? savedFrom(kept, defaults) : null;
  } catch {
    return null;
  }
}

/** Null forgets it. Answers whether it is kept. */
export function keepEarlier(settings: Saved | null): boolean {
  try {
    if (settings === null) sessionStorage.removeItem(EARLIER);
    else sessionStorage.setItem(EARLIER, JSON.stringify(settings));
    return settings !== null;
  } catch {
    return false;
  }
}

/** What the last visit of this browser tab left, laid over `defaults`. Storage may be forbidden: then the defaults. */
export function restore(defaults: Saved): Saved {
  try {
    return savedFrom(JSON.parse(sessionStorage.getItem(STORE) ?? "null"), defaults);
  } catch {
    return defaults;
  }
}

export function keep(settings: Saved): void {
  // Full or forbidden storage costs the autosave, nothing else; what a large file leaves no room for is kept without it.
  const without = { ...settings, file: null };
  const all = settings.file === null || settings.file.data.length > ROOM ? [without] : [settings, without];
  for (const kept of all) {
    try {
      sessionStorage.setItem(STORE, JSON.stringify(kept));
      return;
    } catch {}
  }
}

export function savedFrom(kept: unknown, defaults: Saved): Saved {
  if (!isRecord(kept)) return defaults;
  const { source, auto, staticNumbers, theme, hints } = kept;
  return {
    source: typeof source === "string" ? source : defaults.source,
    auto: typeof auto === "boolean" ? auto : defaults.auto,
    staticNumbers: typeof staticNumbers === "boolean" ? staticNumbers : defaults.staticNumbers,
    theme: theme === "light" || theme === "dark" || theme === "auto" ? theme : defaults.theme,
    contrast: kept.contrast === "more" || kept.contrast === "auto" ? kept.contrast : defaults.contrast,
    hints: typeof hints === "boolean" ? hints : defaults.hints,
    asked: askedFrom(kept.asked),
    typed: isRecord(kept.typed) && Object.values(kept.typed).every(isTexts) ? (kept.typed as Typed) : defaults.typed,
    wishes: Array.isArray(kept.wishes) && kept.wishes.every(isWish) ? kept.wishes : defaults.wishes,
    compile: kept.compile === true,
    file: fileFrom(kept.file),
    jax: jaxFrom(kept.jax),
  };
}

function fileFrom(value: unknown): OpenFile | null {
  if (!isRecord(value) || typeof value.name !== "string" || typeof value.size !== "number" || typeof value.data !== "string") return null;
  const { as } = value;
  const opens = as === "saved" || as === "files" || as === "told" ? { as } : {};
  return { name: value.name, size: value.size, data: value.data, ...opens } as OpenFile;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A version of JAX by its number; null for the server's own. */
export function jaxFrom(value: unknown): string | null {
  return typeof value === "string" && /^\d{1,4}(\.\w{1,16}){1,4}$/.test(value) ? value : null;
}

function isTexts(value: unknown): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every((text) => typeof text === "string");
}

export function askedFrom(value: unknown): Asked | null {
  if (!isRecord(value) || typeof value.fun !== "string" || typeof value.args !== "string") return null;
  if (value.signature !== null && !isTexts(value.signature)) return null;
  return { fun: value.fun, signature: value.signature, args: value.args };
}

const NAMES: ReadonlySet<unknown> = new Set<Step["name"]>(["grad", "value_and_grad", "jvp", "vmap", "jit", "checkpoint", "x64"]);

export function isWish(value: unknown): value is Wish {
  if (!isRecord(value) || !isRecord(value.base) || typeof value.base.id !== "string" || typeof value.base.name !== "string") return false;
  return Array.isArray(value.steps) && value.steps.length > 0 && value.steps.every(isStep);
}

function isStep(value: unknown): value is Step {
  if (!isRecord(value) || !NAMES.has(value.name)) return false;
  const whole = (list: unknown, empty: boolean): boolean =>
    list === null || (Array.isArray(list) && list.every((item) => Number.isInteger(item) || (empty && item === null)));
  const sized = value.size === null || Number.isInteger(value.size);
  return whole(value.argnums, false) && whole(value.in_axes, true) && sized && typeof value.has_aux === "boolean";
}
