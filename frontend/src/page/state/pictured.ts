// What the server is to draw, for a file that it makes. Pure; loaded with the share dialog.
import { levelOf } from "./current.ts";
import { type Spot, spotOf } from "./spot.ts";
import type { State } from "./types.ts";

/** What a link would say of the picture that is shared: the code that the program in front is of, and what is drawn of it. */
export function pictured(state: State): readonly [state: State, spot: Spot] {
  const { program, open, alone, levels, direction } = spotOf(state);
  const fresh = state.sharing.shown === "fresh";
  const asDrawn = { ...(levels !== undefined && { levels }), ...(direction !== undefined && { direction }) };
  // A text stands beside the graph of the same level.
  const view = levelOf(state.view);
  const spot: Spot = { program, view, selection: null, ...(fresh ? { open: null, alone: null } : { open, alone, ...asDrawn }) };
  if (state.shown === null) return [state, spot];
  const { source, file = null, asked, wishes } = state.shown;
  return [{ ...state, source, file, asked, wishes }, spot];
}
