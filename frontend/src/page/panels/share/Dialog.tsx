// The share dialog: a format on the left, its choices, what it gives and what can be done with that on the right. A native dialog: it holds the
// focus, and Escape closes it.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useApp } from "../../app.ts";
import { aboutOf } from "../../program/share/formats.ts";
import { Close } from "../Icons.tsx";
import "../../styles/share.css";
import { Actions } from "./Actions.tsx";
import { Formats } from "./Formats.tsx";
import { useMade } from "./made.ts";
import { Options } from "./Options.tsx";
import { Preview } from "./Preview.tsx";
import { areKept, useShort } from "./short.ts";

export function Dialog() {
  const { store } = useApp();
  const dialog = useRef<HTMLDialogElement>(null);
  const { open, format } = store.sharing.value;
  const short = useShort();
  const making = useMade(short);
  const kept = useSignal(true);
  const about = aboutOf(format);

  useEffect(() => {
    if (!open) return dialog.current?.close();
    dialog.current?.showModal();
    // What is most often wanted takes one more key.
    dialog.current?.querySelector<HTMLElement>("[data-main]")?.focus();
    void areKept().then((are) => {
      kept.value = are;
    });
  }, [open]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click on the backdrop closes it; by keyboard Escape does, natively
    <dialog
      class="sheet share"
      ref={dialog}
      aria-labelledby="share-title"
      onClose={() => store.dispatch({ type: "share", change: { open: false } })}
      onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}
    >
      <header>
        <h2 id="share-title">Share</h2>
        <button type="button" class="button quiet icon" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Close />
        </button>
      </header>
      <div class="share-body">
        <Formats chosen={format} choose={(id) => store.dispatch({ type: "share", change: { format: id } })} />
        <section class="share-what" id="share-what" role="tabpanel" aria-label={about.name}>
          <p class="share-where">{about.where}</p>
          <Options about={about} />
          <Preview made={making.made.value} short={short} kept={kept.value} />
          <Actions made={making.made.value} said={making.said.value} short={short} kept={kept.value} />
        </section>
      </div>
    </dialog>
  );
}
