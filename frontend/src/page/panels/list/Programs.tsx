// The list of the programs of a trace: a field that narrows it, columns that sort it, and a row for each, walked by the arrows.
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useApp } from "../../app.ts";
import { duration, type ProgramRow, rowsOf } from "../../program/listing.ts";
import type { Listing } from "../../state/types.ts";

/** Rows that are there at once; the rest is said to be there. */
const MOST = 300;
const ORDERS: readonly { readonly by: Listing["by"]; readonly title: string }[] = [
  { by: "order", title: "as they came" },
  { by: "time", title: "longest first" },
  { by: "calls", title: "most called first" },
  { by: "name", title: "by name" },
];

export function Programs({ close }: { close(): void }) {
  const { store } = useApp();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const programs = useComputed(() => store.state.value.shown?.trace.programs ?? []);
  const listing = useComputed(() => store.state.value.listing);
  const rows = useComputed(() => rowsOf(programs.value, listing.value));
  const ran = useComputed(() => programs.value.some((program) => program.ran !== null));
  const at = useSignal(
    Math.max(
      0,
      rows.peek().findIndex(({ id }) => id === store.state.peek().program),
    ),
  );
  const longest = Math.max(1, ...programs.value.map(({ ran }) => (ran === null ? 0 : ran.trace_ms + ran.lower_ms + ran.compile_ms)));
  const shown = rows.value.slice(0, MOST);
  const chosen = Math.min(at.value, shown.length - 1);

  useEffect(() => field.current?.focus(), []);
  useLayoutEffect(
    () => list.current?.querySelector("[aria-selected='true']")?.scrollIntoView({ block: "nearest" }),
    [chosen, shown.length],
  );

  function choose(row: ProgramRow | undefined): void {
    if (row === undefined) return;
    store.dispatch({ type: "program", id: row.id });
    close();
  }

  function change(wanted: Partial<Listing>): void {
    at.value = 0;
    store.dispatch({ type: "list", change: wanted });
  }

  function onKeyDown(event: KeyboardEvent): void {
    const to = { ArrowDown: chosen + 1, ArrowUp: chosen - 1, PageDown: chosen + 10, PageUp: chosen - 10 }[event.key];
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && event.target === field.current) choose(shown[chosen]);
    else if (to !== undefined && event.target === field.current) at.value = Math.max(0, Math.min(shown.length - 1, to));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const count = rows.value.length === programs.value.length ? `${rows.value.length}` : `${rows.value.length} of ${programs.value.length}`;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only catches the keys of the panel inside
    <div class={`menu program-list ${ran.value ? "ran" : ""}`} role="dialog" aria-label="Programs" onKeyDown={onKeyDown}>
      <div class="list-bar">
        <input
          ref={field}
          type="text"
          role="combobox"
          aria-label="Find a program"
          aria-expanded={shown.length > 0}
          aria-controls="program-rows"
          aria-autocomplete="list"
          aria-activedescendant={shown.length === 0 ? undefined : `program-${chosen}`}
          placeholder="Name, type, file …"
          spellcheck={false}
          autocomplete="off"
          value={listing.value.query}
          onInput={(event) => change({ query: event.currentTarget.value })}
        />
        <output class="faint">{count}</output>
        {ran.value && (
          <select
            aria-label="Order"
            value={listing.value.by}
            onChange={(event) => change({ by: event.currentTarget.value as Listing["by"] })}
          >
            {ORDERS.map(({ by, title }) => (
              <option key={by} value={by}>
                {title}
              </option>
            ))}
          </select>
        )}
      </div>
      {ran.value && (
        <div class="program-row heads" aria-hidden="true">
          <span>Program</span>
          <span class="types">Types</span>
          <span class="number">Calls</span>
          <span class="number">Traced</span>
          <span class="number">Compiled</span>
          <span class="number">Time</span>
        </div>
      )}
      <div class="program-rows" id="program-rows" role="listbox" aria-label="Programs" ref={list}>
        {shown.map((row, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys of the list
          <div
            key={row.id}
            id={`program-${index}`}
            class={`program-row ${row.empty ? "empty" : ""}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            aria-label={spoken(row)}
            onClick={() => choose(row)}
          >
            <span class="mono name">{row.name}</span>
            <span class="mono types">{row.types}</span>
            {ran.value ? (
              <>
                <span class="number">{row.calls}</span>
                <span class="number">{row.traces}</span>
                <span class="number">{row.compiles}</span>
                <span class="number time">
                  <i style={{ inlineSize: `${(100 * row.milliseconds) / longest}%` }} />
                  {duration(row.milliseconds)}
                </span>
              </>
            ) : (
              <span class="faint place">{row.place}</span>
            )}
            {(row.why !== "" || (ran.value && row.place !== "") || row.empty) && (
              <small class="about">
                {ran.value && row.place !== "" && <span>{row.place}</span>}
                {row.why !== "" && <span>traced again: {row.why}</span>}
                {row.empty && <span>only its numbers are in this trace</span>}
              </small>
            )}
          </div>
        ))}
      </div>
      {rows.value.length === 0 && <p class="faint none">No program has all of these words in its name, types, file or reason.</p>}
      {rows.value.length > MOST && <p class="faint none">and {(rows.value.length - MOST).toLocaleString("en")} more: narrow the list.</p>}
    </div>
  );
}

function spoken(row: ProgramRow): string {
  const counts =
    row.calls === null ? "" : `, ${row.calls} calls, traced ${row.traces}, compiled ${row.compiles}, ${duration(row.milliseconds)}`;
  return `${row.name}, ${row.types}${counts}${row.why === "" ? "" : `, ${row.why}`}`;
}
