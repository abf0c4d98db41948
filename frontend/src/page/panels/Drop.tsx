// Over the whole page while a file is dragged: it can be dropped anywhere. Text that is dragged is the editor's own affair.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useApp } from "../app.ts";

export function Drop() {
  const { opener } = useApp();
  const over = useSignal(false);
  useEffect(() => {
    const holdsFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") === true;
    const enter = (event: DragEvent): void => {
      if (!holdsFile(event)) return;
      // Without this the browser would leave the page and show the file.
      event.preventDefault();
      event.stopPropagation();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = "copy";
      over.value = true;
      opener.prepare();
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) over.value = false;
    };
    const drop = (event: DragEvent): void => {
      over.value = false;
      if (!holdsFile(event)) return;
      event.preventDefault();
      event.stopPropagation();
      // What was dropped can be asked for its folders only now.
      const { items, files } = event.dataTransfer ?? { items: [], files: [] };
      const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
      if (!entries.some(({ isDirectory }) => isDirectory)) return void opener.open([...files]);
      void import("../files/folders.ts").then(({ filesIn }) => filesIn(entries)).then(opener.open);
    };
    // Before the editor, which would put the bytes into its text.
    const before = { capture: true };
    window.addEventListener("dragenter", enter, before);
    window.addEventListener("dragover", enter, before);
    window.addEventListener("dragleave", leave, before);
    window.addEventListener("drop", drop, before);
    return () => {
      window.removeEventListener("dragenter", enter, before);
      window.removeEventListener("dragover", enter, before);
      window.removeEventListener("dragleave", leave, before);
      window.removeEventListener("drop", drop, before);
    };
  }, []);
  if (!over.value) return null;
  return (
    <div class="drop" role="status">
      <div>
        <strong>Drop the file to open it</strong>
        <p>Python, a notebook, StableHLO or other MLIR (text or bytecode), HLO, a printed jaxpr, a saved trace, or a folder of dumps</p>
      </div>
    </div>
  );
}
