// The button that opens a file from this machine. What is opened is read here; what is no saved trace goes to the server as a paste does.
import { useRef } from "preact/hooks";
import { useApp } from "../app.ts";
import { Folder } from "./Icons.tsx";

/** What the system's dialog shows first; any file can be chosen. */
const ACCEPT = ".py,.ipynb,.json,.mlir,.mlirbc,.bc,.stablehlo,.hlo,.jaxpr,.txt,text/*";

export function OpenFile() {
  const { opener } = useApp();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class="button open-file"
        title="Open a file: Python, a notebook, StableHLO or other MLIR (text or bytecode), HLO, a printed jaxpr, a saved trace. Or drop it, or a folder of dumps, anywhere"
        onPointerEnter={opener.prepare}
        onClick={() => input.current?.click()}
      >
        <Folder /> <span>Open…</span>
      </button>
      <input
        ref={input}
        type="file"
        multiple
        class="chooser"
        accept={ACCEPT}
        aria-label="File to open"
        tabIndex={-1}
        onChange={(event) => {
          const { files } = event.currentTarget;
          void opener.open([...(files ?? [])]);
          // The same file can be chosen again after it was changed.
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}
