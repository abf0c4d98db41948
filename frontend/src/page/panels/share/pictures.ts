// What is shared of a program, as pictures and pages: drawn by the worker as the graph on screen is, written down a few milliseconds at a time.
// Loaded with the share dialog.
import greek from "@fontsource-variable/inter/files/inter-greek-wght-normal.woff2?url";
import latin from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import mono from "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?url";
import { leftOut } from "../../../drawing/graph/left.ts";
import { opPlacesOf } from "../../../drawing/graph/located.ts";
import type { Scene } from "../../../drawing/scene.ts";
import { svgWritten } from "../../../drawing/svg/written.ts";
import { inTurns } from "../../../model/slices.ts";
import type { Program, Trace } from "../../../model/types.ts";
import { type Drawing, LayoutClient, type Subject, startWorker } from "../../../viewer/index.ts";
import type { Drawn as OnScreen } from "../../app.ts";
import { wholeOf } from "../../files/save.ts";
import { shownOf, standalone, template } from "../../files/standalone.ts";
import { moduleAt } from "../../program/links.ts";
import { currentProgram } from "../../state/current.ts";
import { type Sharing, wantedShared } from "../../state/sharing.ts";
import type { Answer, Level, State, Theme } from "../../state/types.ts";
import { levelOf } from "../../state/update.ts";

/** A drawing with what it is of. */
export interface Drawn {
  readonly program: Program;
  readonly level: Level;
  readonly drawing: Drawing;
  readonly title: string;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Svg extends Size {
  readonly text: string;
}

/** Larger ones take a browser a gigabyte and more. */
const MOST_PIXELS = 100_000_000;
const MOST_SIDE = 16_000;
const SCALE = 2;

export class Studio {
  readonly #client = new LayoutClient(startWorker);
  /** The newest drawing: another format, title or colour is made of the same one. */
  #last: OnScreen | null = null;
  #whole: { readonly of: object; readonly trace: Promise<Trace> } | null = null;

  readonly #onScreen: () => OnScreen | null;

  /** `onScreen` is what the graph shows. */
  constructor(onScreen: () => OnScreen | null) {
    this.#onScreen = onScreen;
  }

  /** What is shared of the program in front. Null where it has no such level. Throws Cancelled when another is asked for. */
  async draw(state: State): Promise<Drawn | null> {
    const program = currentProgram(state);
    if (program === null || state.shown === null) return null;
    const level = levelOf(state.view);
    const drawn = await this.#drawn(program, level, state);
    if (drawn === null || leftOut(drawn.drawing.scene).length === 0) return drawn;
    // Parts that the answer left out are in it: they are fetched, for a picture is not drawn on.
    const whole = (await this.#wholeOf(state.shown, state)).programs.find(({ id }) => id === program.id);
    return whole === undefined ? drawn : this.#drawn(whole, level, state);
  }

  async #drawn(program: Program, level: Level, state: State): Promise<Drawn | null> {
    const subject = subjectOf(program, level);
    if (subject === null) return null;
    const { title } = state.sharing;
    // As the command calls them.
    const named = title?.trim() || (level === "jaxpr" ? program.name : `${program.name}: ${level}`);
    const of = subject.kind === "program" ? subject.program.jaxprs : subject.module;
    const wanted = JSON.stringify(wantedShared(state));
    const known = [this.#last, this.#onScreen()].find((each) => each?.of === of && each.wanted === wanted);
    this.#last = known ?? { of, wanted, drawing: await this.#client.draw(subject, wantedShared(state), named) };
    return { program, level, drawing: this.#last.drawing, title: named };
  }

  /** What the server left out of an answer is asked for once. */
  #wholeOf(answer: Answer, state: State): Promise<Trace> {
    if (this.#whole?.of !== answer) {
      const trace = wholeOf(answer, state);
      this.#whole = { of: answer, trace };
      trace.catch(() => {
        this.#whole = null;
      });
    }
    return this.#whole.trace;
  }

  /** The page of its own that holds all levels of the program. */
  async page(drawn: Drawn, state: State): Promise<string> {
    const { level, drawing, title } = drawn;
    const [made, whole] = await Promise.all([template(), state.shown === null ? null : this.#wholeOf(state.shown, state)]);
    const program = whole?.programs.find(({ id }) => id === drawn.program.id) ?? drawn.program;
    const { open, levels = { by: "auto", depth: null } as const, overlay = null, direction = "TB" } = wantedShared(state);
    const subject = subjectOf(program, level) as Subject;
    const outline = await this.#client.outline(subject, { open: drawing.open, by: levels.by, title });
    const data = {
      program: shownOf(program),
      title: state.sharing.title?.trim() || program.name,
      level,
      open,
      levels,
      overlay,
      framed: null,
      direction,
    };
    return standalone(made, data, { theme: state.sharing.theme, outline });
  }

  stop(): void {
    this.#client.cancel();
  }
}

function subjectOf(program: Program, level: Level): Subject | null {
  if (level === "jaxpr") return program.entry === null ? null : { kind: "program", program };
  const module = moduleAt(program, level);
  return module === undefined || module === null ? null : { kind: "module", module, places: opPlacesOf(program, level) };
}

export async function svgOf({ drawing, title }: Drawn, { width }: Pick<Sharing, "width">, theme: Theme): Promise<Svg> {
  const text = await inTurns(svgWritten(drawing.scene, { theme, title, legend: true, width }));
  return { text: `${text}\n`, ...sizeOf(text) };
}

function sizeOf(svg: string): Size {
  const found = /^<svg [^>]*?\bwidth="([\d.]+)" height="([\d.]+)"/.exec(svg);
  return { width: Number(found?.[1]), height: Number(found?.[2]) };
}

/** The words of a picture, as they stand in it. */
export function altOf(svg: string): string {
  const found = /^<svg [^>]*?\baria-label="([^"]*)"/.exec(svg)?.[1] ?? "";
  return found.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => PLAIN[entity] ?? entity);
}

const PLAIN: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };

/** Things that a page can build at once. */
export function itemsOf(scene: Scene): number {
  return scene.nodes.length + scene.frames.length + scene.wires.length + scene.chips.length;
}

export interface Png extends Size {
  readonly blob: Blob;
  /** Pixels for each of the drawing. */
  readonly scale: number;
}

/** With the fonts of the page in it, for a picture sees none of those. Null where it would be too large. */
export async function pngOf(svg: Svg): Promise<Png | null> {
  const { width, height } = svg;
  const scale = Math.min(SCALE, MOST_SIDE / Math.max(width, height), Math.sqrt(MOST_PIXELS / (width * height)));
  if (!(scale > 0.2)) return null;
  const sheet = `<style>${(await faces(svg.text)).join("")}</style>`;
  const image = new Image();
  const address = URL.createObjectURL(new Blob([svg.text.replace(/^<svg [^>]*>/, (tag) => tag + sheet)], { type: "image/svg+xml" }));
  try {
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    return blob === null ? null : { blob, scale, width: canvas.width, height: canvas.height };
  } finally {
    URL.revokeObjectURL(address);
  }
}

async function faces(text: string): Promise<string[]> {
  const wanted = [
    { family: "Inter", address: latin },
    { family: "'JetBrains Mono'", address: mono },
    ...(/[\u0370-\u03ff]/.test(text) ? [{ family: "Inter", address: greek, range: "unicode-range:U+0370-03FF;" }] : []),
  ];
  return Promise.all(
    wanted.map(async ({ family, address, range = "" }) => {
      const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer());
      let binary = "";
      for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
      return `@font-face{font-family:${family};font-weight:100 900;${range}src:url(data:font/woff2;base64,${btoa(binary)}) format("woff2")}`;
    }),
  );
}
