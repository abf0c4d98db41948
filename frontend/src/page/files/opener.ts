// Opening a file: what a person chose or dropped takes the place of what is in the editor. What cannot be opened takes nothing away.
import type { Runner } from "../state/runner.ts";
import type { Store } from "../state/store.ts";
import type { Readable } from "./read.ts";

export interface Opener {
  /** One file at a time: of several the first, and that is said. */
  open(files: readonly Readable[]): Promise<void>;
}

export function createOpener(store: Store, runner: Pick<Runner, "run">): Opener {
  let newest = 0;
  return {
    async open(files) {
      const [file] = files;
      if (file === undefined) return;
      const mine = ++newest;
      const { read } = await import("./read.ts");
      const opened = await read(file);
      // Another was opened meanwhile.
      if (mine !== newest) return;
      if (opened.kind === "refused") {
        store.dispatch({ type: "arrival", arrival: { kind: "unread", why: opened.why } });
        return;
      }
      const notes = [
        opened.kind === "text" ? opened.note : "",
        files.length > 1 ? `Of ${files.length} files ${file.name} was opened: one at a time.` : "",
      ];
      const note = notes.filter(Boolean).join(" ");
      if (opened.kind === "text") store.dispatch({ type: "load", source: opened.source, input: opened.input, note });
      else store.dispatch({ type: "file", file: { name: file.name, size: file.size, data: opened.data }, note });
      runner.run();
    },
  };
}
