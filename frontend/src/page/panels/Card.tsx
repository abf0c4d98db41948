// Hover cards: when one comes and goes. After a short rest of the pointer, by a key, by a long press; Escape, leaving and moving send it away.
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Pointed } from "../../viewer/index.ts";
import { useApp } from "../app.ts";
import type { CardFacts, cardOf } from "../program/card.ts";
import { moduleAt } from "../program/links.ts";
import { levelOf } from "../state/update.ts";
import type { Rect } from "./card/place.ts";
import { useLater } from "./later.ts";

/** A pointer that passes by asks nothing. */
const REST_MS = 550;
/** From card to card, and on the way into one. */
const NEXT_MS = 220;

type CardOf = typeof cardOf;

interface Shown {
  readonly pointed: Pointed;
  readonly about: Rect;
}

export function Card() {
  const { store, commands } = useApp();
  const shown = useSignal<Shown | null>(null);
  const wanted = useSignal(false);
  const loaded = useLater(() => import("./card/Floating.tsx"), wanted.value);
  const parts = useRef(loaded);
  parts.current = loaded;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const pointer = useRef({ x: 0, y: 0 });
  /** Since a key was pressed the pointer has not moved: what a new picture brings under it is not pointed at. */
  const lies = useRef(false);
  const over = useRef<Pointed | null>(null);

  function later(ms: number, then: () => void): void {
    clearTimeout(timer.current);
    timer.current = setTimeout(then, ms);
  }

  function hide(): void {
    clearTimeout(timer.current);
    shown.value = null;
  }

  function show(pointed: Pointed, aloud: boolean): void {
    clearTimeout(timer.current);
    const about = commands.boxOf(pointed.key, aloud ? null : pointer.current);
    if (about === null) hide();
    else {
      wanted.value = true;
      shown.value = { pointed, about };
      if (aloud) speak(pointed);
    }
  }

  function rest(pointed: Pointed | null): void {
    const now = shown.peek();
    if (pointed !== null && pointed.key === now?.pointed.key) clearTimeout(timer.current);
    else if (pointed === null) later(NEXT_MS, hide);
    else if (!lies.current) later(now === null ? REST_MS : NEXT_MS, () => show(pointed, false));
  }

  async function speak(pointed: Pointed): Promise<void> {
    const { cardOf, cardText } = await import("./card/Floating.tsx");
    const card = factsBy(cardOf, pointed);
    if (card !== null) commands.announce(cardText(card));
  }

  function factsBy(cardOf: CardOf, pointed: Pointed): CardFacts | null {
    const program = store.program.peek();
    const { view, shown } = store.state.peek();
    if (program === null || shown === null) return null;
    const module = moduleAt(program, levelOf(view)) ?? null;
    return cardOf(program, module, commands.scene(), pointed, shown.source);
  }

  useEffect(() => {
    commands.register({
      card(pointed) {
        if (shown.peek()?.pointed.key === pointed.key) hide();
        else show(pointed, true);
      },
      hovered(pointed) {
        over.current = pointed;
        rest(pointed);
      },
      hideCard: hide,
    });
    const move = (event: PointerEvent): void => {
      const { x, y } = pointer.current;
      pointer.current = { x: event.clientX, y: event.clientY };
      if (!lies.current || (event.clientX === x && event.clientY === y)) return;
      lies.current = false;
      rest(over.current);
    };
    // Before anything else that Escape means: it is what lies on top.
    const key = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && shown.peek() !== null) {
        event.preventDefault();
        event.stopPropagation();
      }
      if (["Control", "Meta", "i", "c"].includes(event.key) || parts.current?.scrolled(event) === true) return;
      // One that is on its way, too: Escape would be for it and not for what the keyboard is at.
      lies.current = true;
      hide();
    };
    const press = (event: Event): void => {
      if (!(event.target instanceof Element) || event.target.closest("#card") === null) hide();
    };
    // Before the graph, which asks of the pointer where it is now.
    addEventListener("pointermove", move, { capture: true, passive: true });
    addEventListener("keydown", key, { capture: true });
    addEventListener("pointerdown", press, { capture: true });
    return () => {
      removeEventListener("pointermove", move, { capture: true });
      removeEventListener("keydown", key, { capture: true });
      removeEventListener("pointerdown", press, { capture: true });
      clearTimeout(timer.current);
    };
  }, []);

  // Another program has other cards.
  useSignalEffect(() => {
    if (store.program.value !== null) hide();
  });

  const card = loaded === null || shown.value === null ? null : factsBy(loaded.cardOf, shown.value.pointed);
  if (loaded === null || shown.value === null || card === null) return null;
  return (
    <loaded.Floating card={card} about={shown.value.about} stay={() => clearTimeout(timer.current)} leave={() => later(NEXT_MS, hide)} />
  );
}
