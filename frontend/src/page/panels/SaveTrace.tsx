// Saves what is shown as a file that opens again, here or with the command `open`. What makes it is loaded when it is wanted.
import { useComputed, useSignal } from "@preact/signals";
import { useApp } from "../app.ts";
import { Save } from "./Icons.tsx";

export function SaveTrace() {
  const { store, commands } = useApp();
  const able = useComputed(() => (store.state.value.shown?.trace.programs.length ?? 0) > 0);
  const busy = useSignal(false);

  async function save(): Promise<void> {
    const { shown } = store.state.peek();
    if (shown === null || busy.peek()) return;
    busy.value = true;
    try {
      const { saved, download } = await import("../files/save.ts");
      const { name, text } = await saved(shown, store.state.peek());
      download(name, text);
      commands.announce(`Saved as ${name}`, true);
    } catch (error) {
      commands.announce(error instanceof Error ? error.message : "The trace was not saved.", true);
    } finally {
      busy.value = false;
    }
  }

  return (
    <button
      type="button"
      class="button quiet icon save"
      aria-label="Save the trace"
      title="Save these programs as a file, which opens again without being traced"
      disabled={!able.value || busy.value}
      onClick={() => void save()}
    >
      <Save />
    </button>
  );
}
