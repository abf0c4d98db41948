// Opening a file: what a person chose or dropped takes the place of what is in the editor. What cannot be opened takes nothing away.
import type { LayoutClient } from "../../viewer/index.ts";
import type { Lights } from "../app.ts";
import type { Runner } from "../state/runner.ts";
import type { Store } from "../state/store.ts";
import type { Readable } from "./read.ts";
import type { Together } from "./several.ts";

export interface Opener {
  /** One file takes the place of the code; several, those of a dump say, become one trace. Of code, which runs, the first; that is said. */
  open(files: readonly Readable[]): Promise<void>;
  /** Loads what opens one, before there is one: somebody is about to choose it. */
  prepare(): void;
}

const CODE = /\.(?:py|ipynb)$/i;

async function opened(files: readonly Readable[], worker: LayoutClient | null): Promise<Together> {
  const [file] = files;
  if (files.length > 1 && !files.every(({ name }) => CODE.test(name))) return (await import("./several.ts")).together(files);
  const [{ read }, { begin }] = await Promise.all([import("./read.ts"), import("./here.ts")]);
  let told: ReturnType<typeof begin> | null = null;
  const made = await read(file as Readable, (bytes) => {
    told = worker && begin(worker, bytes);
  });
  (told as ReturnType<typeof begin> | null)?.(made.kind === "saved" ? made.data : null);
  const only = files.length > 1 ? `Of ${files.length} files ${file?.name} was opened: one at a time.` : "";
  return made.kind === "text" ? { ...made, note: [made.note, only].filter(Boolean).join(" ") } : made;
}

export function createOpener(store: Store, runner: Pick<Runner, "run">, { layout }: Pick<Lights, "layout">): Opener {
  let newest = 0;
  let prepared = false;
  function prepare(): void {
    if (prepared) return;
    prepared = true;
    layout.peek()?.prepare();
    for (const part of [import("./read.ts"), import("./sending.ts"), import("./here.ts")]) part.catch(() => undefined);
  }
  return {
    prepare,
    async open(files) {
      const [file] = files;
      if (file === undefined) return;
      prepare();
      const mine = ++newest;
      const found = await opened(files, layout.peek());
      // Another was opened meanwhile.
      if (mine !== newest) return;
      switch (found.kind) {
        case "refused":
          store.dispatch({ type: "arrival", arrival: { kind: "unread", why: found.why } });
          return;
        case "text":
          store.dispatch({ type: "load", source: found.source, input: found.input, note: found.note });
          break;
        case "files":
          store.dispatch({ type: "file", file: { name: found.name, size: found.size, data: found.data, as: "files" }, note: "" });
          break;
        case "saved":
          store.dispatch({ type: "file", file: { name: file.name, size: file.size, data: found.data, as: "saved" }, note: "" });
          break;
        case "bytes":
          store.dispatch({ type: "file", file: { name: file.name, size: file.size, data: found.data }, note: "" });
      }
      runner.run();
    },
  };
}
