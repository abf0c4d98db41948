// What every component gets: the store, the runner and the few commands that reach across panes.
import { type Signal, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Scene } from "../drawing/scene.ts";
import type { Span, Trace } from "../model/types.ts";
import type { Drawing, LayoutClient, Pointed } from "../viewer/index.ts";
import type { Opener } from "./files/opener.ts";
import type { Links } from "./links.ts";
import type { Rect } from "./panels/card/place.ts";
import type { Past } from "./past.ts";
import type { Cone } from "./program/follow/index.ts";
import type { Hits } from "./program/search/hits.ts";
import type { Way } from "./state/finding.ts";
import type { Journey } from "./state/journey.ts";
import type { Loader } from "./state/loader.ts";
import type { Runner } from "./state/runner.ts";
import type { Store } from "./state/store.ts";

export interface Commands {
  /** Shows a place of the paste in the editor and puts the caret there. */
  goTo(span: Span): void;
  /** Selects an instance and brings it into view, opening what encloses it. */
  show(path: string): void;
  /** Brings an instance, or the pill of a value, into view, opening what encloses it. */
  reveal(key: string): void;
  focusGraph(): void;
  /** Goes to the outline of the program. */
  outline(): void;
  help(): void;
  /** Opens the share dialog. */
  share(): void;
  /** Opens the history of this browser. */
  recall(): void;
  /** Prints a picture alone, on a page of its size. */
  paper(sheet: Paper): void;
  /** Opens the search field and goes to it. */
  find(): void;
  /** To the next hit of the search, or the one before. */
  step(by: 1 | -1): void;
  /** Follows what is selected; the same way again lets go. */
  follow(way: Way): void;
  /** Pins an equation, or the program (null), or lets it go. */
  pin(path: string | null): void;
  /** Shows the card of what has the keyboard in the graph. */
  card(pointed: Pointed): void;
  /** The pointer is over this item of the graph, or over none. */
  hovered(pointed: Pointed | null): void;
  hideCard(): void;
  /** Where an item of the graph is on screen: of a wire, the pointer; of an open body its title, and nothing where the pointer is not on it. */
  boxOf(key: string, pointer: { readonly x: number; readonly y: number } | null): Rect | null;
  /** Says a line to screen readers; `seen`: for a moment on screen, too. */
  announce(text: string, seen?: boolean): void;
  /** The drawing that is shown, or null. */
  scene(): Scene | null;
  /** The same, with what it is of and how it was wanted, as JSON. */
  drawn(): Drawn | null;
}

export interface Drawn {
  readonly of: object;
  readonly wanted: string;
  readonly drawing: Drawing;
}

export interface Paper {
  readonly picture: Element;
  readonly width: number;
  readonly height: number;
  readonly title: string;
}

/** What panes tell each other beside the state: made from it by work that takes a while. */
export interface Lights {
  /** A large answer, as it came: it can be drawn while the page unpacks it. */
  readonly coming: Signal<Trace | null>;
  /** What draws the graph, and reads files; there when the pane is. */
  readonly layout: Signal<LayoutClient | null>;
  readonly hits: Signal<Hits | null>;
  readonly cone: Signal<Cone | null>;
}

export function createLights(): Lights {
  return { coming: signal(null), layout: signal(null), hits: signal(null), cone: signal(null) };
}

export interface AppContext {
  readonly store: Store;
  readonly runner: Runner;
  readonly loader: Loader;
  readonly journey: Journey;
  readonly links: Links;
  readonly past: Past;
  readonly opener: Opener;
  readonly commands: CommandTable;
  readonly lights: Lights;
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
    outline: () => parts.outline?.(),
    help: () => parts.help?.(),
    share: () => parts.share?.(),
    recall: () => parts.recall?.(),
    paper: (sheet) => parts.paper?.(sheet),
    reveal: (key) => parts.reveal?.(key),
    find: () => parts.find?.(),
    follow: (way) => parts.follow?.(way),
    pin: (path) => parts.pin?.(path),
    step: (by) => parts.step?.(by),
    card: (pointed) => parts.card?.(pointed),
    hovered: (pointed) => parts.hovered?.(pointed),
    hideCard: () => parts.hideCard?.(),
    boxOf: (key, pointer) => parts.boxOf?.(key, pointer) ?? null,
    announce: (text, seen) => parts.announce?.(text, seen),
    scene: () => parts.scene?.() ?? null,
    drawn: () => parts.drawn?.() ?? null,
  };
}
