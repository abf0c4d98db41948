// Sharing: a press copies the long link at once; all other formats are in a dialog, which is loaded when it is first wanted.
import { useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useApp } from "../app.ts";
import { CopyLink } from "./CopyLink.tsx";
import { onProgram } from "./Find.tsx";
import { Export } from "./Icons.tsx";
import { useLater } from "./later.ts";

export function Share() {
  const { store, commands } = useApp();
  useEffect(() => {
    commands.register({ share: () => store.dispatch({ type: "share", change: { open: true } }) });
    // As the other keys of the program: on the graph and on the texts.
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !onProgram(event.target)) return;
      if (event.key !== "s" && event.key !== "h") return;
      event.preventDefault();
      if (event.key === "s") commands.share();
      else commands.recall();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <CopyLink />
      <button
        type="button"
        class="button quiet share-button"
        aria-label="Share…"
        aria-haspopup="dialog"
        title="Links, documents, pictures and files (s)"
        onClick={() => commands.share()}
      >
        <Export /> <span>Share…</span>
      </button>
    </>
  );
}

/** No part of the bar: it has a heading of its own. */
export function ShareDialog() {
  const { store } = useApp();
  const open = useComputed(() => store.sharing.value.open);
  const part = useLater(() => import("./share/Dialog.tsx"), open.value);
  return part === null ? null : <part.Dialog />;
}
