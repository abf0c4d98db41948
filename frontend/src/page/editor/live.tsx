// What the program tells the editor: types beside the code, and the card of each place. Loaded with CodeMirror, after the first paint.
import { computed, effect, signal } from "@preact/signals";
import { render } from "preact";
import type { Span } from "../../model/types.ts";
import { type AppContext, AppProvider } from "../app.ts";
import { functionAt } from "../program/hints/functions.ts";
import { type Hint, hintAt, hintsInTurns, hintsOf, inline, standing, unhinted } from "../program/hints/index.ts";
import { inSlices } from "../program/slices.ts";
import { Card } from "./Card.tsx";
import type { Card as PlaceCard } from "./cards.ts";
import type { PlacedHint } from "./code.ts";

export function createLive(app: AppContext) {
  const { store } = app;
  const programs = computed(() => store.steady.value.shown?.trace.programs ?? []);
  /** How many large programs were made ready: their hints take a while, and nobody waits for them. */
  const made = signal(0);
  const missing = computed(() => {
    void made.value;
    return unhinted(store.program.value, programs.value);
  });
  const hints = computed(() => (missing.value.length > 0 ? [] : hintsOf(store.program.value, programs.value)));

  function make(): () => void {
    const [next] = missing.value;
    if (next === undefined || !store.steady.value.hints) return () => undefined;
    const abort = new AbortController();
    inSlices(hintsInTurns(next), abort.signal).then(
      () => {
        made.value += 1;
      },
      () => undefined,
    );
    return () => abort.abort();
  }

  return {
    /** Tells the hints whenever they change. Of older text they stay as they are until the next answer. Answers how to stop. */
    watch(setHints: (hints: readonly PlacedHint[]) => void): () => void {
      const making = effect(make);
      const telling = effect(() => {
        if (!store.steady.value.hints || store.program.value === null) setHints([]);
        else if (store.current.value && missing.value.length === 0) setHints(standing(hints.value).flatMap(placed));
      });
      return () => {
        making();
        telling();
      };
    },
    /** What is known of a place; of older text its functions alone. */
    card(place: { line: number; col: number }): PlaceCard | null {
      const { source } = store.state.peek();
      const known = store.current.peek() ? hints.peek() : [];
      const hint = hintAt(known, place.line, place.col);
      const named = functionAt(source, place, programs.peek(), known);
      if (hint === null && named === null) return null;
      const span = hint?.span ?? { ...place, end_line: place.line, end_col: place.col };
      return {
        span,
        mount(host, close, focus) {
          render(
            <AppProvider value={app}>
              <Card hint={hint} text={excerpt(source, span)} named={named} close={close} />
            </AppProvider>,
            host,
          );
          if (focus)
            requestAnimationFrame(() =>
              (host.querySelector<HTMLElement>("button:not(:disabled)") ?? host.querySelector<HTMLElement>("[role=dialog]"))?.focus(),
            );
          return () => render(null, host);
        },
      };
    },
  };
}

function placed(hint: Hint): PlacedHint[] {
  const said = inline(hint);
  return said === null ? [] : [{ line: hint.span.end_line, col: hint.span.end_col, ...said }];
}

/** The text of a span, in one line. */
function excerpt(source: string, span: Span): string {
  const lines = source.split("\n").slice(span.line - 1, span.end_line);
  if (lines.length === 0) return "";
  lines[lines.length - 1] = lines.at(-1)?.slice(0, span.end_col) ?? "";
  lines[0] = lines[0]?.slice(span.col) ?? "";
  const text = lines.map((line) => line.trim()).join(" ");
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
