// Where a card stands: beside what it is about, never over it, inside of the window. Pure.

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

interface Size {
  readonly w: number;
  readonly h: number;
}

const GAP = 10;
const MARGIN = 8;

/** Its top left corner, and the height that is left for it where the window has less than it needs. */
export function placeCard(about: Rect, size: Size, window: Size): { readonly x: number; readonly y: number; readonly height: number } {
  const [right, left] = [about.x + about.w + GAP, about.x - GAP - size.w];
  const beside = right + size.w <= window.w - MARGIN ? right : left >= MARGIN ? left : null;
  const y = clamp(about.y + about.h / 2 - size.h / 3, MARGIN, window.h - MARGIN - size.h);
  if (beside !== null) return { x: beside, y, height: Math.min(size.h, window.h - 2 * MARGIN) };
  const x = clamp(about.x + about.w / 2 - size.w / 2, MARGIN, window.w - MARGIN - size.w);
  const above = about.y - GAP - MARGIN;
  const below = window.h - MARGIN - (about.y + about.h + GAP);
  if (below >= size.h || below >= above) return { x, y: about.y + about.h + GAP, height: Math.min(size.h, Math.max(0, below)) };
  const height = Math.min(size.h, Math.max(0, above));
  return { x, y: about.y - GAP - height, height };
}

function clamp(at: number, from: number, to: number): number {
  return Math.max(from, Math.min(to, at));
}
