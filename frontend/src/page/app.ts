// What every component gets: the store, the runner and the few commands that reach across panes.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Span } from "../model/types.ts";
import type { Runner } from "./state/runner.ts";
import type { Store } from "./state/store.ts";

export interface Commands {
  /** Shows a place of the paste in the editor and puts the caret there. */
  goTo(span: Span): void;
  /** Selects an instance and brings it into view, opening what encloses it. */
  show(path: string): void;
  focusGraph(): void;
  help(): void;
}

export interface AppContext {
  readonly store: Store;
  readonly runner: Runner;
  readonly commands: CommandTable;
  readonly nonce: string;
}

const Context = createContext<AppContext | null>(null);
export const AppProvider = Context.Provider;

export function useApp(): AppContext {
  const app = useContext(Context);
  if (app === null) throw new Error("a component was rendered outside of the app");
  return app;
}

/** Set by the panes that can do it, called by anyone: the graph and the editor register themselves here. */
export type CommandTable = Commands & { register(part: Partial<Commands>): void };

export function createCommands(): CommandTable {
  const parts: Partial<Commands> = {};
  return {
    register: (part) => void Object.assign(parts, part),
    goTo: (span) => parts.goTo?.(span),
    show: (path) => parts.show?.(path),
    focusGraph: () => parts.focusGraph?.(),
    help: () => parts.help?.(),
  };
}
