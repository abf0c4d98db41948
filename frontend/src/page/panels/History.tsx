// The history of this browser: kept when something has been traced, shown by a button and a key. Both parts are loaded when they are first wanted.
import { useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useApp } from "../app.ts";
import { Clock } from "./Icons.tsx";
import { useLater } from "./later.ts";

export function History() {
  const { store, commands } = useApp();
  useEffect(() => commands.register({ recall: () => store.dispatch({ type: "recall", change: { open: true } }) }), []);
  return (
    <button
      type="button"
      class="button quiet icon history-button"
      aria-haspopup="dialog"
      aria-label="History"
      title="What was traced in this browser (h)"
      onClick={() => commands.recall()}
    >
      <Clock />
    </button>
  );
}

export function HistoryDialog() {
  const { store } = useApp();
  const open = useComputed(() => store.recalling.value.open);
  const part = useLater(() => import("./history/Dialog.tsx"), open.value);
  return part === null ? null : <part.Dialog />;
}
