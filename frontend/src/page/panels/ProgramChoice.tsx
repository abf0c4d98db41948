// Where a trace has too many programs for a row of tabs: which one is shown, its neighbours, and the list of all of them.
import { useComputed } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useApp } from "../app.ts";
import { rowOf } from "../program/listing.ts";
import { Down, Up } from "./Icons.tsx";
import { useLater } from "./later.ts";

export function ProgramChoice() {
  const { store } = useApp();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const programs = useComputed(() => store.state.value.shown?.trace.programs ?? []);
  const open = useComputed(() => store.state.value.listing.open);
  const list = useLater(() => import("./list/Programs.tsx"), open.value);
  const at = programs.value.findIndex(({ id }) => id === store.state.value.program);
  const program = programs.value[at];

  useEffect(() => {
    if (!open.value) return;
    const away = (event: Event): void => {
      if (event.target instanceof Node && root.current?.contains(event.target) === false) toggle(false);
    };
    document.addEventListener("pointerdown", away);
    return () => document.removeEventListener("pointerdown", away);
  }, [open.value]);

  function toggle(wanted: boolean): void {
    store.dispatch({ type: "list", change: { open: wanted } });
  }

  function close(): void {
    toggle(false);
    button.current?.focus();
  }

  function go(by: 1 | -1): void {
    const next = programs.value[at + by];
    if (next !== undefined) store.dispatch({ type: "program", id: next.id });
  }

  if (program === undefined) return null;
  const { name, types } = rowOf(program);
  return (
    <div class="menu-anchor program-choice" ref={root}>
      <button
        ref={button}
        type="button"
        class="button quiet choice"
        aria-haspopup="dialog"
        aria-expanded={open.value}
        aria-label={`Programs: ${name}, ${at + 1} of ${programs.value.length}`}
        title="All programs of this trace"
        onClick={() => toggle(!open.value)}
      >
        <span class="mono program-name">{name}</span>
        <span class="mono types">{types}</span>
        <span class="count">
          {at + 1}/{programs.value.length}
        </span>
        <Down />
      </button>
      <button type="button" class="button quiet icon" aria-label="Program before" disabled={at === 0} onClick={() => go(-1)}>
        <Up />
      </button>
      <button
        type="button"
        class="button quiet icon"
        aria-label="Next program"
        disabled={at === programs.value.length - 1}
        onClick={() => go(1)}
      >
        <Down />
      </button>
      {open.value && list !== null && <list.Programs close={close} />}
    </div>
  );
}
