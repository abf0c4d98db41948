// The search field over the program: a combobox whose list are the hits, with where each stands.
import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useApp } from "../../app.ts";
import { moduleAt } from "../../program/links.ts";
import { type Hits, search } from "../../program/search/hits.ts";
import { SEARCHED } from "../../program/search/match.ts";
import { inSlices } from "../../program/slices.ts";
import type { Level } from "../../state/types.ts";
import { levelOf } from "../../state/update.ts";
import { Close, Down, Up } from "../Icons.tsx";
import { Row } from "./Row.tsx";
import { countOf, targetOfEntry, windowOf } from "./words.ts";

const PLACEHOLDERS: Readonly<Record<Level, string>> = {
  jaxpr: "Find w, scan, f32[4, axes=0 …",
  stablehlo: "Find dot_general, tensor<4x …",
  hlo: "Find fusion, dot, f32[4 …",
};

/** `typed`: the query was begun before the field was there, and is gone on with. */
export function FindPanel({ typed }: { typed: boolean }) {
  const { store, commands, lights, loader } = useApp();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const busy = useSignal(false);
  /** A step asked for before the hits of what was typed were there. */
  const pending = useRef<1 | -1 | null>(null);
  const query = useComputed(() => store.finding.value.query);
  const at = useComputed(() => store.finding.value.at);
  const level = useComputed(() => levelOf(store.state.value.view));
  const program = store.program;
  const module = useComputed(() => moduleAt(program.value, level.value) ?? null);
  // The jaxprs stay the same object when a later level arrives.
  const of = useComputed<object | null>(() => module.value ?? program.value?.jaxprs ?? null);
  const source = useComputed(() => store.state.value.shown?.source ?? "");
  const lines = useComputed(() => source.value.split("\n"));
  const hits = useComputed<Hits | null>(() => (lights.hits.value?.of === of.value ? lights.hits.value : null));

  // Before the next key: there is no moment in which the field is there and does not have it.
  useLayoutEffect(() => {
    field.current?.focus();
    if (!typed) field.current?.select();
    commands.register({ step });
    return () => {
      commands.register({ step: () => commands.find() });
      lights.hits.value = null;
    };
  }, []);

  useSignalEffect(() => {
    const wanted = query.value;
    const searched = program.peek();
    if (of.value === null || searched === null || wanted.trim() === "") {
      lights.hits.value = null;
      busy.value = false;
      return;
    }
    const drop = new AbortController();
    pending.current = null;
    busy.value = true;
    inSlices(search(searched, module.peek(), source.value, wanted), drop.signal).then(
      (done) => {
        lights.hits.value = done;
        busy.value = false;
        // Another program has other hits; the same query stands at its first.
        if ((at.peek() ?? 0) >= done.entries.length) store.dispatch({ type: "find", change: { at: null } });
        if (pending.current !== null && done.entries.length > 0) {
          step(pending.current);
          pending.current = null;
        } else commands.announce(done.entries.length === 0 ? `Nothing found. ${searchedWords()}` : countOf(done.entries.length, at.peek()));
      },
      () => undefined,
    );
    return () => drop.abort();
  });

  function searchedWords(): string {
    return level.peek() === "jaxpr" ? `Searched: ${SEARCHED}.` : "Searched: op names, attributes, types, value names and the source.";
  }

  function step(by: 1 | -1): void {
    if (busy.peek()) {
      pending.current = by;
      return;
    }
    const count = hits.peek()?.entries.length ?? 0;
    if (count === 0) return;
    const from = at.peek();
    go(from === null ? (by === 1 ? 0 : count - 1) : (from + by + count) % count);
  }

  function go(index: number): void {
    const entry = hits.peek()?.entries[index];
    if (entry === undefined) return;
    store.dispatch({ type: "find", change: { at: index } });
    store.dispatch({ type: "select", target: targetOfEntry(entry) });
    commands.reveal(entry.key);
    const count = hits.peek()?.entries.length ?? 0;
    commands.announce(`${countOf(count, index)}: ${entry.facts.title} ${entry.facts.note}`);
  }

  function close(): void {
    store.dispatch({ type: "find", change: { open: false, at: null } });
    // Back to what was searched, the text or the graph.
    const text = document.querySelector<HTMLElement>(".reader .cm-content");
    if (text !== null) text.focus();
    else commands.focusGraph();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const back = event.shiftKey;
    if (event.key === "Escape") close();
    else if (event.key === "F3" || (event.key === "Enter" && event.target === field.current)) step(back ? -1 : 1);
    else if (event.target === field.current && event.key === "ArrowDown") step(1);
    else if (event.target === field.current && event.key === "ArrowUp") step(-1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Of a large program some bodies come only when they are asked for.
  const away = level.value === "jaxpr" ? (program.value?.left_out ?? []).filter((left) => left.kind === "bodies") : [];
  const entries = hits.value?.entries ?? [];
  const shown = windowOf(entries.length, at.value);
  useLayoutEffect(() => list.current?.querySelector("[aria-selected='true']")?.scrollIntoView({ block: "nearest" }), [at.value]);
  const none = hits.value !== null && hits.value.query === query.value && entries.length === 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: `search` is not known to every browser that we run in
    <div class="find" role="search" aria-label="Find in the program" onKeyDown={onKeyDown}>
      <div class="find-bar">
        <input
          ref={field}
          type="text"
          role="combobox"
          aria-label="Find"
          aria-expanded={entries.length > 0}
          aria-controls="find-hits"
          aria-autocomplete="list"
          aria-activedescendant={at.value === null || entries.length === 0 ? undefined : `hit-${at.value}`}
          placeholder={PLACEHOLDERS[level.value]}
          spellcheck={false}
          autocomplete="off"
          value={query.value}
          onInput={(event) => store.dispatch({ type: "find", change: { query: event.currentTarget.value } })}
        />
        <output class={`find-count ${busy.value ? "busy" : ""}`}>
          {query.value.trim() === "" || hits.value === null ? "" : countOf(entries.length, at.value)}
        </output>
        <button type="button" class="button quiet icon" aria-label="Hit before" title="Before (Shift+Enter)" onClick={() => step(-1)}>
          <Up />
        </button>
        <button type="button" class="button quiet icon" aria-label="Next hit" title="Next (Enter, F3)" onClick={() => step(1)}>
          <Down />
        </button>
        <button type="button" class="button quiet icon" aria-label="Close the search" title="Close (Esc)" onClick={close}>
          <Close />
        </button>
      </div>
      <div id="find-hits" class="hits" role="listbox" aria-label="Hits" ref={list} hidden={entries.length === 0}>
        {shown.from > 0 && (
          <div role="presentation" class="find-more">
            {shown.from.toLocaleString("en")} before these
          </div>
        )}
        {entries.slice(shown.from, shown.until).map((entry, offset) => {
          const index = shown.from + offset;
          return (
            <Row
              key={entry.key}
              id={`hit-${index}`}
              entry={entry}
              program={program.value}
              module={module.value}
              lines={lines.value}
              selected={index === at.value}
              choose={() => go(index)}
            />
          );
        })}
        {shown.until < entries.length && (
          <div role="presentation" class="find-more">
            and {(entries.length - shown.until).toLocaleString("en")} more
          </div>
        )}
      </div>
      {away.length > 0 && query.value.trim() !== "" && (
        <p class="find-none">
          Not searched: {away.reduce((sum, left) => sum + left.eqns, 0).toLocaleString("en")} equations in bodies that were not sent yet.{" "}
          <button
            type="button"
            class="link"
            onClick={() => {
              loader.searched.value = away.flatMap((left) => left.jaxprs);
            }}
          >
            Load them
          </button>
        </p>
      )}
      {none && (
        <p class="find-none">
          <b>Nothing found.</b> {searchedWords()} Words must all fit; <code>type:f32</code>, <code>prim:dot</code>,{" "}
          <code>param:axes=0</code>, <code>role:carry</code>, <code>line:12</code> look in one place.
        </p>
      )}
    </div>
  );
}
