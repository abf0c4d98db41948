// What the share dialog shows: made anew whenever the choice changes, the newest one winning.
import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Cancelled } from "../../../viewer/index.ts";
import { ServerError } from "../../api/client.ts";
import type { Pictured } from "../../api/pictures.ts";
import { type AppContext, useApp } from "../../app.ts";
import type { Format } from "../../program/share/formats.ts";
import { fileName, iframe, markdown, pictureOf, rest } from "../../program/share/markup.ts";
import { pictured } from "../../state/pictured.ts";
import { type Sharing, spotShared, wantedShared } from "../../state/sharing.ts";
import { spotOf } from "../../state/spot.ts";
import type { State } from "../../state/types.ts";
import { altOf, type Drawn, itemsOf, type Png, pngOf, Studio, type Svg, svgOf } from "./pictures.ts";
import type { Short, Shortening } from "./short.ts";

export type Made =
  | { readonly kind: "waiting" }
  /** `offer`: a short link is what it needs. */
  | { readonly kind: "none"; readonly why: string; readonly advice: string; readonly offer?: true }
  | {
      readonly kind: "text";
      readonly format: Format;
      readonly text: string;
      readonly picture?: { readonly svg: Svg; readonly name: string };
    }
  | {
      readonly kind: "picture";
      readonly svg: Svg;
      readonly name: string;
      readonly drawn: Drawn;
      readonly png?: Png;
      readonly pdf?: Pdf;
      readonly note: string;
    }
  /** Of a large program it is made when it is saved: all that the server left out of its answer is in it. */
  | { readonly kind: "page"; readonly text: string | null; make(): Promise<string>; readonly svg: Svg; readonly name: string };

/** Who can make one: the server of what is asked, the browser by its print dialog. One of them can. */
export interface Pdf {
  readonly asked: Pictured | null;
  readonly prints: boolean;
}

export interface Making {
  readonly made: Signal<Made>;
  /** What a link says of what is shared; null where there is none. */
  readonly said: Signal<string | null>;
}

const WAITING: Made = { kind: "waiting" };
/** So many boxes and wires are more than a page builds, or a browser prints, in good time. */
const MOST_PRINTED = 6_000;

export function useMade(short: Shortening): Making {
  const app = useApp();
  const { store } = app;
  const made = useSignal<Made>(WAITING);
  const said = useSignal<string | null>(null);
  const studio = useRef<Studio | null>(null);
  const turn = useRef(0);
  useEffect(
    () => () => {
      turn.current += 1;
      studio.current?.stop();
    },
    [],
  );
  useSignalEffect(() => {
    const sharing = store.sharing.value;
    // Another program, or a level that has come.
    void store.program.value;
    const link = short.now.value;
    const mine = ++turn.current;
    if (!sharing.open) return;
    made.value = WAITING;
    studio.current ??= new Studio(() => app.commands.drawn());
    void make(app, studio.current, sharing, link, (found) => {
      if (mine !== turn.current) return false;
      said.value = found;
      short.look(found);
      return short.now.peek() === link;
    }).then(
      (found) => {
        if (mine === turn.current && found !== null) made.value = found;
      },
      (error: unknown) => {
        if (mine !== turn.current || error instanceof Cancelled) return;
        const { message, advice } =
          error instanceof ServerError
            ? error.failure
            : { message: "It could not be made.", advice: error instanceof Error ? error.message : "" };
        made.value = { kind: "none", why: message, advice };
      },
    );
  });
  return { made, said };
}

/** Null where something newer is on its way. */
async function make(
  { store, links }: AppContext,
  studio: Studio,
  sharing: Sharing,
  short: Short | null,
  goOn: (said: string | null) => boolean,
): Promise<Made | null> {
  const state = store.state.peek();
  const said = await links.said(state, spotShared(spotOf(state), sharing));
  if (!goOn(said)) return null;
  const { format } = sharing;
  const address = short?.link.url ?? (said === null ? null : links.addressOf(said));
  if (format === "link" || format === "short" || format === "iframe") {
    if (said === null) return notLinked(state.file !== null);
    if (format === "link") return { kind: "text", format, text: links.addressOf(said) };
    if (short === null) return { kind: "none", why: "", advice: "", offer: true };
    if (format === "short") return { kind: "text", format, text: short.link.url };
    const title = sharing.title?.trim() || short.link.name || "JAX program";
    return { kind: "text", format, text: iframe(short.link.embed, { ...sharing, title }) };
  }
  const drawn = await studio.draw(state);
  if (drawn === null) return notDrawn(state.shown !== null);
  const svg = await svgOf(drawn, sharing, themeOf(format, sharing));
  const name = fileName(drawn.title, format === "html" ? "html" : format === "png" || format === "pdf" ? format : "svg");
  if (format === "markdown" || format === "rest") {
    const image = short === null ? name : pictureOf(short.link.url, sharing.theme);
    const shown = { title: drawn.title, alt: altOf(svg.text), image, link: address, width: sharing.width };
    const text = format === "markdown" ? markdown(shown) : rest(shown);
    return { kind: "text", format, text, ...(short === null && { picture: { svg, name } }) };
  }
  if (format === "html") {
    const page = (): Promise<string> => studio.page(drawn, state);
    const large = state.shown?.trace.programs.some(({ left_out }) => (left_out ?? []).length > 0) === true;
    return { kind: "page", text: large ? null : await page(), make: page, svg, name };
  }
  if (format === "pdf") return pdfOf(state, drawn, sharing, { links, svg, name });
  if (format !== "png") return { kind: "picture", svg, name, drawn, note: "" };
  const png = await pngOf(svg);
  if (png === null)
    return {
      kind: "none",
      why: "The picture would have too many pixels.",
      advice: "Close some bodies, choose a smaller width, or take the SVG.",
    };
  const note = png.scale < 1.99 ? `At ${png.scale.toFixed(1)} pixels for each of the drawing: it is very large.` : "";
  return { kind: "picture", svg, name, drawn, png, note };
}

/** The server draws it of the program that is shown: code that was edited since has another one. */
async function pdfOf(
  state: State,
  drawn: Drawn,
  sharing: Sharing,
  { links, svg, name }: Pick<AppContext, "links"> & { readonly svg: Svg; readonly name: string },
): Promise<Made> {
  const told = await links.said(...pictured(state));
  const { overlay = null } = wantedShared(state);
  const theme = themeOf("pdf", sharing);
  const asked = told === null ? null : { state: told, format: "pdf" as const, theme, title: drawn.title, overlay };
  const prints = itemsOf(drawn.drawing.scene) <= MOST_PRINTED;
  if (asked === null && !prints)
    return {
      kind: "none",
      why: "The drawing is too large for one page.",
      advice: "Close some bodies, or take the SVG, which has no limit.",
    };
  const why = state.shown?.file == null ? "The code is too long for the server to make it" : "The server makes no PDF of a file";
  return { kind: "picture", svg, name, drawn, pdf: { asked, prints }, note: asked === null ? `${why}: print it, as “Save as PDF”.` : "" };
}

/** A picture of pixels and paper cannot follow the reader's system. */
function themeOf(format: Format, { theme }: Sharing): Sharing["theme"] {
  return (format === "png" || format === "pdf") && theme === "auto" ? "light" : theme;
}

function notLinked(file: boolean): Made {
  return file
    ? { kind: "none", why: "A link cannot carry a file.", advice: "SVG, PNG, PDF and the web page can be saved as they are." }
    : { kind: "none", why: "The code is too long for a link.", advice: "SVG, PNG, PDF and the web page have no such limit." };
}

function notDrawn(traced: boolean): Made {
  return traced
    ? { kind: "none", why: "This level of the program is not there yet.", advice: "Wait for it, or go to the jaxpr." }
    : {
        kind: "none",
        why: "Nothing has been traced, so there is nothing to draw.",
        advice: "Run the code first; its link can be shared as it is.",
      };
}
