// What was traced in this browser, newest first, and the short links that were made in it. A native dialog, as the one for sharing.
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useApp } from "../../app.ts";
import { fromV1 } from "../../state/links/read.ts";
import { matching } from "../../state/local/entries.ts";
import type { History, Past } from "../../state/local/history.ts";
import { Close, Search } from "../Icons.tsx";
import { shortLinks } from "../share/short.ts";
import "../../styles/history.css";
import { Links } from "./Links.tsx";
import { Row } from "./Row.tsx";

const NOTHING: Past = { entries: [], dropped: 0, able: true, on: true };

export function Dialog() {
  const { store, past } = useApp();
  const dialog = useRef<HTMLDialogElement>(null);
  const history = useRef<History | null>(null);
  const listed = useSignal<Past>(NOTHING);
  const dropped = useSignal(0);
  const links = useSignal(shortLinks.list());
  const clearing = useSignal(false);
  const { open, query } = store.recalling.value;

  function refresh(): void {
    const found = history.current?.list();
    if (found === undefined) return;
    listed.value = found;
    dropped.value += found.dropped;
    links.value = shortLinks.list();
  }

  useEffect(() => {
    if (!open) return dialog.current?.close();
    clearing.value = false;
    dropped.value = 0;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>("input[type='search']")?.focus();
    void past.history().then((found) => {
      history.current = found;
      refresh();
    });
    // Another tab keeps something, or lets it go.
    addEventListener("storage", refresh);
    return () => removeEventListener("storage", refresh);
  }, [open]);

  useSignalEffect(() => {
    // Read here, so that whatever is recorded while the list is open appears in it.
    if (past.recorded.value > 0) refresh();
  });

  function change(what: (history: History) => void): void {
    if (history.current !== null) what(history.current);
    refresh();
  }

  function sure(asked: boolean): void {
    clearing.value = asked;
  }

  /** The arrows walk from entry to entry, from the field on. */
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const all = [...(dialog.current?.querySelectorAll<HTMLElement>(".past-open") ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (all.length === 0 || (at < 0 && !(event.target as Element).matches("input[type='search']"))) return;
    event.preventDefault();
    if (event.key === "ArrowUp" && at <= 0) dialog.current?.querySelector<HTMLElement>("input[type='search']")?.focus();
    else all[Math.min(all.length - 1, event.key === "ArrowDown" ? at + 1 : at - 1)]?.focus();
  }

  const { entries, able, on } = listed.value;
  const found = matching(entries, query);
  const loose = entries.filter(({ value }) => !value.pinned).length;
  return (
    <dialog
      class="sheet past"
      ref={dialog}
      aria-labelledby="past-title"
      onClose={() => store.dispatch({ type: "recall", change: { open: false } })}
      onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}
      onKeyDown={onKeyDown}
    >
      <header>
        <h2 id="past-title">History</h2>
        <button type="button" class="button quiet icon" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Close />
        </button>
      </header>
      <p class="past-about">What was traced in this browser. It is kept here only and sent nowhere.</p>
      <label class="past-find">
        <Search />
        <input
          type="search"
          aria-label="Find in the history"
          placeholder="Name or code"
          autocomplete="off"
          spellcheck={false}
          value={query}
          onInput={(event) => store.dispatch({ type: "recall", change: { query: event.currentTarget.value } })}
        />
        <span class="past-count" role="status">
          {query.trim() === "" ? entries.length : `${found.length} of ${entries.length}`}
        </span>
      </label>
      {dropped.value > 0 && (
        <p class="past-note" role="status">
          {dropped.value === 1 ? "One entry" : `${dropped.value} entries`} could not be read and {dropped.value === 1 ? "was" : "were"}{" "}
          taken away.
        </p>
      )}
      {found.length === 0 ? (
        <p class="past-empty">{emptyWords(able, on, entries.length)}</p>
      ) : (
        <ul class="past-list">
          {found.map(({ id, value }) => (
            <Row
              key={id}
              entry={value}
              open={() => {
                const linked = fromV1(value.link);
                dialog.current?.close();
                if (linked !== null) void past.open(linked);
              }}
              pin={() => change((all) => all.pin(id, !value.pinned))}
              remove={() => change((all) => all.remove(id))}
            />
          ))}
        </ul>
      )}
      <Links links={links.value} refresh={refresh} />
      <footer>
        <label class="past-switch">
          <input type="checkbox" checked={on} disabled={!able} onChange={() => change((all) => all.turn(!on))} />
          Keep a history
        </label>
        {clearing.value ? (
          <span class="past-sure">
            Delete {loose === 1 ? "one entry" : `${loose} entries`}? Pinned ones stay.
            <button
              type="button"
              class="button danger"
              onClick={() => {
                clearing.value = false;
                change((all) => all.clear());
              }}
            >
              Delete
            </button>
            <button type="button" class="button" onClick={() => sure(false)}>
              Keep
            </button>
          </span>
        ) : (
          <button type="button" class="button" disabled={loose === 0} onClick={() => sure(true)}>
            Clear all…
          </button>
        )}
      </footer>
    </dialog>
  );
}

function emptyWords(able: boolean, on: boolean, all: number): string {
  if (!able)
    return "This browser keeps nothing for this page: a private window, or storage is switched off. Work as usual; a link brings everything back.";
  if (all > 0) return "Nothing here has all of these words.";
  return on ? "Nothing yet: what you write and trace appears here, examples do not." : "The history is switched off, and nothing is in it.";
}
