// In place of the code while a file is open: which one, and the way back to the code. Over the text that an opened trace is of.
import { useComputed } from "@preact/signals";
import { useApp } from "../app.ts";
import { sizeOf } from "../files/read.ts";
import { Close, File } from "../panels/Icons.tsx";

export function FileChip() {
  const { store, runner } = useApp();
  const file = useComputed(() => store.state.value.file).value;
  const trace = useComputed(() => (store.state.value.shown?.file === file ? (store.state.value.shown?.trace ?? null) : null)).value;
  const text = textOf(trace?.programs[0]?.modules.stablehlo?.text);
  const refused = useComputed(() => store.state.value.latest?.file === file && store.state.value.shown?.file !== file).value;
  if (file === null) return null;
  const opened = file.as !== undefined;
  const name = file.name || trace?.title || "…";
  return (
    <div class="file">
      <div class="file-chip">
        <File />
        <span class="mono" title={opened && trace !== null && trace.title !== "" ? `Of ${trace.title}` : name}>
          {name}
        </span>
        {file.size > 0 && <span class="size">{sizeOf(file.size)}</span>}
        <button
          type="button"
          class="button quiet icon"
          aria-label={`Close ${name}`}
          title="Close the file; the code comes back"
          onClick={() => {
            // The address named what the command opened.
            if (file.as === "told") history.replaceState(history.state, "", location.pathname);
            store.dispatch({ type: "file", file: null, note: "" });
            runner.run();
          }}
        >
          <Close />
        </button>
      </div>
      {!opened && !refused && <p>This file is not text. What is in it is drawn, and printed under the tabs on the right.</p>}
      {refused && <p>This file cannot be read. The code comes back when it is closed.</p>}
      {opened && trace !== null && (
        <p>
          {trace.programs.length === 1 ? "One program" : `${trace.programs.length.toLocaleString("en")} programs`}
          {trace.text === null ? ", drawn and printed on the right." : " of this code, which is not run here."}
        </p>
      )}
      {!opened && text !== null && (
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
