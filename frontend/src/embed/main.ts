// A diagram in a file of its own: the drawing and the viewer, and of the page only what a reader needs. No network, no storage, no framework.
// Must never: take anything of the program for markup.
import { pictured } from "../drawing/svg/picture.ts";
import { atOnce } from "../model/slices.ts";
import { draw } from "../viewer/draw.ts";
import { GraphViewer, type Pointed } from "../viewer/index.ts";
import { NO_MARKS } from "../viewer/marks.ts";
import type { Paintable } from "../viewer/protocol.ts";
import { StopIndex } from "../viewer/stops.ts";
import { type EmbedData, type LevelName, levelsOf, subjectOf, unpacked } from "./data.ts";
import "./embed.css";
import { leadOut, leaveScrolling } from "./framed.ts";
import { wordsOf } from "./words.ts";

const LEVEL_WORDS: Record<LevelName, string> = { jaxpr: "Jaxpr", stablehlo: "StableHLO", hlo: "Optimised HLO" };

const ZOOMS = [
  ["−", "Zoom out", 0.8],
  ["+", "Zoom in", 1.25],
] as const;

class Embedded {
  readonly #data: EmbedData;
  readonly #viewer: GraphViewer;
  readonly #say: HTMLElement;
  readonly #tabs = new Map<LevelName, HTMLButtonElement>();
  readonly #open = new Map<LevelName, readonly string[] | null>();
  #level: LevelName;
  #drawing: Paintable | null = null;

  constructor(root: HTMLElement, data: EmbedData) {
    this.#data = data;
    this.#level = data.level;
    this.#open.set(data.level, data.open);
    const bar = add(root, "div", "embed-bar");
    add(bar, "strong", "embed-title").textContent = data.title;
    const levels = levelsOf(data.program);
    if (levels.length > 1) {
      const tabs = add(bar, "div", "embed-levels");
      tabs.setAttribute("role", "group");
      tabs.setAttribute("aria-label", "Level");
      for (const level of levels)
        this.#tabs.set(
          level,
          button(tabs, LEVEL_WORDS[level], () => this.#choose(level)),
        );
    }
    const tools = add(bar, "div", "embed-tools");
    button(tools, "Open all", () => this.#all());
    button(tools, "Close all", () => this.#show([], null, true));
    for (const [sign, words, factor] of ZOOMS) {
      const zoom = button(tools, sign, () => this.#viewer.zoomBy(factor));
      zoom.className = "zoom";
      zoom.setAttribute("aria-label", words);
    }
    button(tools, "Fit", () => this.#viewer.fit());
    if (data.framed) leadOut(bar, data.framed);
    const host = add(root, "div", "viewer");
    host.tabIndex = -1;
    host.setAttribute("role", "application");
    host.setAttribute("aria-label", `${data.title}: graph. Arrow keys walk, Enter opens and closes.`);
    this.#say = add(root, "p", "embed-words");
    this.#say.setAttribute("role", "status");
    this.#viewer = new GraphViewer(host, {
      select: (pointed) => this.#select(pointed),
      hover: (pointed) => this.#hover(pointed),
      toggle: (path) => this.#toggle(path),
      enter: (path) => this.#toggle(path),
      command: (name) => {
        if (name === "expand-all") this.#all();
        else if (name === "collapse-all") this.#show([], null, true);
        else if (name === "let-go") this.#select(null);
      },
      looked: () => undefined,
      rested: () => undefined,
      describe: (stop) => [stop.title, stop.hint].filter(Boolean).join(", "),
    });
    this.#show(data.open, null, true);
    if (data.framed) leaveScrolling(root, host, (words) => this.#say.replaceChildren(words));
  }

  #choose(level: LevelName): void {
    this.#level = level;
    this.#show(this.#open.get(level) ?? null, null, true);
  }

  #toggle(path: string): void {
    const open = new Set(this.#drawing?.open ?? []);
    if (!open.delete(path)) open.add(path);
    this.#show([...open], path, false);
  }

  #all(): void {
    this.#show(this.#drawing?.foldable ?? null, null, true);
  }

  #show(open: readonly string[] | null, anchor: string | null, refit: boolean): void {
    const { program, title, overlay, levels, direction = "TB" } = this.#data;
    const subject = subjectOf(program, this.#level);
    if (subject === null) return;
    const wanted = { open, levels, overlay, direction };
    const drawn = draw(subject, wanted, title);
    const picture = atOnce(pictured(drawn.scene, { theme: "light", title, interactive: true }));
    const shown: Paintable = { ...drawn, picture, stops: StopIndex.of(drawn.scene) };
    this.#drawing = shown;
    this.#open.set(this.#level, drawn.open);
    for (const [level, tab] of this.#tabs) tab.setAttribute("aria-pressed", String(level === this.#level));
    this.#viewer.show(shown, { anchor, refit });
  }

  #select(pointed: Pointed | null): void {
    this.#viewer.select(marks(pointed));
    this.#tell(pointed);
  }

  #hover(pointed: Pointed | null): void {
    this.#viewer.light(marks(pointed));
    if (pointed !== null) this.#tell(pointed);
  }

  #tell(pointed: Pointed | null): void {
    const words = pointed === null || this.#drawing === null ? null : wordsOf(this.#drawing.scene, pointed);
    this.#say.replaceChildren();
    if (words === null) return;
    add(this.#say, "b", "").textContent = words.title;
    this.#say.append(` ${words.more.replace(/\s+/g, " ")}`);
  }
}

function marks(pointed: Pointed | null): typeof NO_MARKS {
  if (pointed === null) return NO_MARKS;
  const { eqn, value } = pointed;
  const ids = eqn === null ? [] : [eqn.slice(eqn.lastIndexOf("/") + 1)];
  return { ids: new Set(ids), path: eqn, values: new Set(value === null ? [] : [value]) };
}

function add<K extends keyof HTMLElementTagNameMap>(parent: HTMLElement, tag: K, name: string): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (name !== "") made.className = name;
  parent.append(made);
  return made;
}

function button(parent: HTMLElement, words: string, press: () => void): HTMLButtonElement {
  const made = add(parent, "button", "");
  made.type = "button";
  made.textContent = words;
  made.addEventListener("click", press);
  return made;
}

const root = document.querySelector<HTMLElement>(".embed");
const data = document.querySelector("script.data")?.textContent;
if (root !== null && data) {
  void unpacked(data).then((found) => {
    root.replaceChildren();
    new Embedded(root, found);
  });
}
