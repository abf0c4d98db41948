// In place of the code while a file of bytes is open: which one, and the way back to the code.
import { useComputed } from "@preact/signals";
import { useApp } from "../app.ts";
import { sizeOf } from "../files/read.ts";
import { Close, File } from "../panels/Icons.tsx";

export function FileChip() {
  const { store, runner } = useApp();
  const file = useComputed(() => store.state.value.file).value;
  const text = useComputed(() => textOf(store.state.value.shown?.trace.programs[0]?.modules.stablehlo?.text)).value;
  if (file === null) return null;
  return (
    <div class="file">
      <div class="file-chip">
        <File />
        <span class="mono">{file.name}</span>
        <span class="size">{sizeOf(file.size)}</span>
        <button
          type="button"
          class="button quiet icon"
          aria-label={`Close ${file.name}`}
          title="Close the file; the code comes back"
          onClick={() => {
            store.dispatch({ type: "file", file: null, note: "" });
            runner.run();
          }}
        >
          <Close />
        </button>
      </div>
      <p>This file is not text. What is in it is drawn, and printed under the tabs on the right.</p>
      {text !== null && (
        <button
          type="button"
          class="button"
          onClick={() => {
            store.dispatch({ type: "load", source: text });
            runner.run();
          }}
        >
          Edit its text instead
        </button>
      )}
    </div>
  );
}

/** What was elided cannot be read again. */
function textOf(text: string | undefined): string | null {
  return text === undefined || text === "" || text.includes("__elided__") ? null : text;
}
