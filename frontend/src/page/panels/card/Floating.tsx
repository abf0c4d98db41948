// A card on screen: measured, then placed beside what it is about.
import { useLayoutEffect, useRef } from "preact/hooks";
import type { CardFacts } from "../../program/card.ts";
import { Content } from "./Content.tsx";
import { placeCard, type Rect } from "./place.ts";

export { cardOf, cardText } from "../../program/card.ts";

/** Of what is left of a turned page. */
const KEPT = 20;

/** Whether a key is for a card that has not all of its height: the next or the last page of it. */
export function scrolled(event: KeyboardEvent): boolean {
  const card = document.getElementById("card");
  const way = event.key === "PageDown" ? 1 : event.key === "PageUp" ? -1 : 0;
  if (card === null || way === 0 || card.scrollHeight <= card.clientHeight) return false;
  card.scrollBy({ top: way * Math.max(KEPT, card.clientHeight - KEPT) });
  event.preventDefault();
  event.stopPropagation();
  return true;
}

export function Floating({ card, about, stay, leave }: { card: CardFacts; about: Rect; stay(): void; leave(): void }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    element.style.maxHeight = "none";
    const size = { w: element.offsetWidth, h: element.offsetHeight };
    const { x, y, height } = placeCard(about, size, { w: innerWidth, h: innerHeight });
    element.style.left = `${Math.round(x)}px`;
    element.style.top = `${Math.round(y)}px`;
    element.style.maxHeight = height < size.h ? `${Math.floor(height)}px` : "none";
    element.classList.add("placed");
  }, [card, about]);
  return (
    // A tooltip that the pointer may enter, to read it or to copy from it.
    <div class="card" role="tooltip" id="card" ref={box} onPointerEnter={stay} onPointerLeave={leave}>
      <Content card={card} />
    </div>
  );
}
