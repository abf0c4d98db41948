// Short movements that show where things went when a body opens. None at all for people who ask for less motion or for large drawings.

const MILLISECONDS = 160;
/** Nobody follows more than so many boxes. */
export const MOST_MOVED = 500;

export function calm(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export function slide(element: Element, dx: number, dy: number, count: number): void {
  if (calm() || count > MOST_MOVED || (Math.abs(dx) < 0.5 && Math.abs(dy) < 0.5)) return;
  element.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], { duration: MILLISECONDS, easing: "ease-out" });
}

export function fade(element: Element, count: number): void {
  if (calm() || count > MOST_MOVED) return;
  element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: MILLISECONDS, easing: "ease-out" });
}
