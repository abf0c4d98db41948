// Cards over places of the paste: what is there, and what can be done with it. By hovering, by a key, by a touch.
import { type Extension, Prec, StateEffect, StateField } from "@codemirror/state";
import { closeHoverTooltips, EditorView, hoverTooltip, keymap, showTooltip, type Tooltip, ViewPlugin } from "@codemirror/view";
import type { Span } from "../../model/types.ts";
import { placeAt, rangeOf } from "./places.ts";

/** What is to be shown of a place: the range that it is about, and how to fill the card. */
export interface Card {
  readonly span: Span;
  /** `focus`: it was asked for by key, so that the keyboard goes into it. Answers how to empty it. */
  mount(host: HTMLElement, close: () => void, focus: boolean): () => void;
}

export type CardOf = (place: { line: number; col: number }) => Card | null;

const REST_MS = 380;

const put = StateEffect.define<Tooltip | null>();

const shown = StateField.define<Tooltip | null>({
  create: () => null,
  update(tooltip, transaction) {
    for (const effect of transaction.effects) if (effect.is(put)) return effect.value;
    return transaction.docChanged || transaction.isUserEvent("select") ? null : tooltip;
  },
  provide: (field) => showTooltip.from(field),
});

function tooltip(view: EditorView, card: Card, focus: boolean): Tooltip {
  const [from, to] = rangeOf(view.state.doc, card.span);
  return {
    pos: from,
    end: to,
    above: true,
    create() {
      const dom = document.createElement("div");
      dom.className = "cm-card";
      const close = (): void => {
        view.dispatch({ effects: [put.of(null), closeHoverTooltips] });
        view.focus();
      };
      dom.addEventListener("keydown", (event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
      });
      return { dom, mount: () => void 0, destroy: card.mount(dom, close, focus) };
    },
  };
}

function open(view: EditorView, at: number, cardOf: CardOf, focus: boolean): boolean {
  const card = cardOf(placeAt(view.state.doc, at));
  // One card at a time: the one that was asked for.
  view.dispatch({ effects: [closeHoverTooltips, put.of(card === null ? null : tooltip(view, card, focus))] });
  return card !== null;
}

export function cards(cardOf: CardOf): Extension {
  // A card that closes under a pointer at rest looks to the browser like a pointer that came: only a hand that moves brings the next.
  let moved = false;
  let last = "";
  return [
    shown,
    ViewPlugin.define(() => ({}), {
      eventHandlers: {
        mousemove(event: MouseEvent) {
          const at = `${event.clientX} ${event.clientY}`;
          moved = moved || at !== last;
          last = at;
        },
      },
    }),
    EditorView.updateListener.of((update) => {
      if (update.startState.field(shown) !== null && update.state.field(shown) === null) moved = false;
    }),
    hoverTooltip(
      (view, pos) => {
        if (!moved || view.state.field(shown) !== null) return null;
        const card = cardOf(placeAt(view.state.doc, pos));
        return card === null ? null : tooltip(view, card, false);
      },
      { hoverTime: REST_MS, hideOnChange: true },
    ),
    Prec.high(
      keymap.of([
        { key: "Mod-.", preventDefault: true, run: (view) => open(view, view.state.selection.main.head, cardOf, true) },
        {
          key: "Escape",
          run(view) {
            if (view.state.field(shown) === null) return false;
            view.dispatch({ effects: put.of(null) });
            return true;
          },
        },
      ]),
    ),
    ViewPlugin.define(() => ({}), {
      eventHandlers: {
        // A finger cannot hover: what it touches says what it is.
        pointerup(event: PointerEvent, view: EditorView) {
          if (event.pointerType !== "touch") return;
          const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
          if (at !== null) setTimeout(() => open(view, at, cardOf, false));
        },
      },
    }),
  ];
}
