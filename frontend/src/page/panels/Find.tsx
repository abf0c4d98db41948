// Finding things: the keys that open the search, and the field itself once it is wanted.
import { useComputed } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useApp } from "../app.ts";
import { Search } from "./Icons.tsx";
import { useLater } from "./later.ts";

const mac = navigator.platform.startsWith("Mac");
export const FIND_KEYS = mac ? "⌘K" : "Ctrl+K";

export function Find() {
  const { store, commands } = useApp();
  const open = useComputed(() => store.finding.value.open);
  const panel = useLater(() => import("./find/Panel.tsx"), open.value);
  const early = useRef("");

  useEffect(() => {
    commands.register({
      find() {
        store.dispatch({ type: "pane", pane: "graph" });
        store.dispatch({ type: "find", change: { open: true } });
        // Open already: back to the field.
        const field = document.querySelector<HTMLInputElement>(".find input");
        field?.focus();
        field?.select();
      },
    });
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || event.shiftKey) return;
      const wanted = event.key.toLowerCase() === "k" && (event.metaKey || (event.ctrlKey && !mac));
      // A letter alone is a key only where nothing is typed, and only on the program.
      const slash = event.key === "/" && !event.ctrlKey && !event.metaKey && onProgram(event.target);
      if (!wanted && !slash) return;
      event.preventDefault();
      commands.find();
    };
    // What is typed while the field is on its way is meant for it, and no keys of the graph.
    const onEarly = (event: KeyboardEvent): void => {
      if (!store.finding.peek().open || document.querySelector(".find input") !== null) {
        early.current = "";
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || !onProgram(event.target)) return;
      if (event.key === "Escape") store.dispatch({ type: "find", change: { open: false } });
      else if (event.key.length !== 1 && event.key !== "Backspace") return;
      else {
        early.current = event.key === "Backspace" ? early.current.slice(0, -1) : early.current + event.key;
        store.dispatch({ type: "find", change: { query: early.current } });
      }
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener("keydown", onEarly, true);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("keydown", onEarly, true);
      document.removeEventListener("keydown", onKey);
    };
  }, []);

  if (!open.value || panel === null) return null;
  return <panel.FindPanel typed={early.current !== ""} />;
}

/** On the program, at any level, and in no field. */
export function onProgram(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("#stage") !== null && target.closest("input, textarea, select") === null;
}

export function FindButton() {
  const { store, commands } = useApp();
  const able = useComputed(() => store.program.value !== null);
  return (
    <button
      type="button"
      class="button quiet icon"
      aria-label="Find in the program"
      title={`Find names, primitives, types, params (/ or ${FIND_KEYS})`}
      aria-keyshortcuts="/ Control+K Meta+K"
      disabled={!able.value}
      onClick={() => commands.find()}
    >
      <Search />
    </button>
  );
}
