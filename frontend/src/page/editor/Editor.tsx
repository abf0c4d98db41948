// The paste. A plain textarea until CodeMirror has arrived, so that nobody waits for it; and for good when it cannot be loaded.
import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useApp } from "../app.ts";
import { useLater } from "../panels/later.ts";
import { NOTHING } from "../program/lit.ts";
import { kindOf } from "../state/kind.ts";
import type { EditorHandle } from "./code.ts";

export function Editor() {
  const app = useApp();
  const { store, runner, commands, nonce } = app;
  const host = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const handle = useSignal<EditorHandle | null>(null);
  const file = useComputed(() => store.state.value.file);
  /** An opened trace has the text that it is of, to be read. */
  const text = useComputed(() => file.value !== null && store.source.value !== "" && file.value.as !== undefined);
  const chip = useLater(() => import("./FileChip.tsx"), file.value !== null);
  const input = useComputed(() => store.state.value.input ?? kindOf(store.source.value));

  useEffect(() => {
    let gone = false;
    let unwatch = (): void => undefined;
    Promise.all([import("./code.ts"), import("./live.tsx")]).then(
      ([{ createEditor }, { createLive }]) => {
        if (gone || host.current === null) return;
        const focused = document.activeElement === area.current;
        const live = createLive(app);
        const editor = createEditor(host.current, {
          text: store.source.peek(),
          nonce,
          edit: (source) => store.dispatch({ type: "edit", source }),
          run: () => runner.run(),
          point: (place) => store.dispatch({ type: "hover", target: place === null ? null : { kind: "place", ...place } }),
          caret: (place) => store.dispatch({ type: "select", target: { kind: "place", ...place } }),
          card: live.card,
        });
        handle.value = editor;
        unwatch = live.watch(editor.setHints);
        if (focused) editor.focus();
        commands.register({
          goTo(span) {
            store.dispatch({ type: "pane", pane: "code" });
            requestAnimationFrame(() => editor.goTo(span));
          },
        });
      },
      () => undefined,
    );
    return () => {
      gone = true;
      unwatch();
      handle.peek()?.destroy();
    };
  }, []);

  useSignalEffect(() => handle.value?.setText(store.source.value));
  useSignalEffect(() => handle.value?.setReadOnly(file.value !== null));
  useSignalEffect(() => handle.value?.setLanguage(input.value));
  useSignalEffect(() => handle.value?.setProblems(store.problems.value));
  useSignalEffect(() => {
    const { spans, callers } = store.current.value ? store.lit.value : NOTHING;
    handle.value?.setLit(spans, callers);
  });

  return (
    <div class={`editor ${text.value ? "opened" : ""}`}>
      <div class="cm-host" ref={host} hidden={file.value !== null && !text.value} />
      {file.value !== null && chip !== null && <chip.FileChip />}
      {handle.value === null && file.value === null && (
        <textarea
          ref={area}
          aria-label="Code to trace"
          spellcheck={false}
          autocapitalize="off"
          value={store.source.value}
          onInput={(event) => store.dispatch({ type: "edit", source: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              runner.run();
            }
          }}
        />
      )}
    </div>
  );
}
