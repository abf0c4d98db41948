// The level chooser: down to where the graph is open, and what the boxes of a large level are grouped by.
import { useComputed } from "@preact/signals";
import type { Direction, Grouping } from "../../drawing/scene.ts";
import { useApp } from "../app.ts";
import { DEPTHS, knownOf, missing, spokenDepth } from "../state/levels.ts";
import { Stack } from "./Icons.tsx";
import { usePopover } from "./popover.ts";

const GROUPINGS: readonly { by: Grouping; title: string; about: string }[] = [
  { by: "auto", title: "As fits", about: "What is too large to read, by scopes or by functions" },
  { by: "calls", title: "Functions", about: "The calls of your own functions" },
  { by: "modules", title: "Modules", about: "Those of flax and equinox" },
  { by: "scopes", title: "Name scopes", about: "jax.named_scope and what libraries name" },
  { by: "repeats", title: "Repetitions only", about: "What a loop made, as one with \u00d7n" },
  { by: "none", title: "Nothing", about: "Every equation stands by itself" },
];

const DIRECTIONS: readonly { direction: Direction; title: string }[] = [
  { direction: "TB", title: "Down" },
  { direction: "LR", title: "Right" },
];

export function Levels() {
  const { store } = useApp();
  const { open, root, button, toggle, close, onKeyDown } = usePopover("[role='menuitemradio']");
  const known = useComputed(() => (store.program.value === null ? null : knownOf(store.program.value)));
  const { levels, direction: way } = store.state.value;
  const chosen = levels.by !== "auto" || levels.depth !== null || way !== "TB";

  function choose(change: Partial<typeof levels>): void {
    store.dispatch({ type: "levels", levels: { ...levels, ...change } });
    close();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only catches the keys of the menu inside
    <div class={`menu-anchor levels ${chosen ? "on" : ""}`} ref={root} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        class="button quiet icon"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label="Levels"
        title="Levels: how deep, grouped by what, which way (l)"
        onClick={toggle}
      >
        <Stack />
      </button>
      {open && (
        <div class="menu" role="menu" aria-label="Levels">
          <fieldset class="depths">
            <legend>Open down to</legend>
            {DEPTHS.map((depth) => (
              <button
                key={spokenDepth(depth)}
                type="button"
                tabIndex={-1}
                role="menuitemradio"
                aria-checked={levels.depth === depth}
                onClick={() => choose({ depth })}
              >
                {spokenDepth(depth)}
              </button>
            ))}
          </fieldset>
          <fieldset class="depths">
            <legend>Values flow</legend>
            {DIRECTIONS.map(({ direction, title }) => (
              <button
                key={direction}
                type="button"
                tabIndex={-1}
                role="menuitemradio"
                aria-checked={way === direction}
                onClick={() => {
                  store.dispatch({ type: "direction", direction });
                  close();
                }}
              >
                {title}
              </button>
            ))}
          </fieldset>
          <fieldset>
            <legend>Group boxes by</legend>
            {GROUPINGS.map(({ by, title, about }) => {
              const lacks = known.value === null ? null : missing(by, known.value);
              return (
                <button
                  key={by}
                  type="button"
                  tabIndex={-1}
                  role="menuitemradio"
                  aria-checked={levels.by === by}
                  aria-disabled={lacks !== null}
                  onClick={() => lacks === null && choose({ by })}
                >
                  <b>{title}</b>
                  <small>{lacks ?? about}</small>
                </button>
              );
            })}
          </fieldset>
        </div>
      )}
    </div>
  );
}

/** What the levels ask for and the drawing does not show, and why. */
export function Held({ left }: { left: number }) {
  if (left === 0) return null;
  return (
    <p class="held" role="status">
      {left === 1 ? "1 box stays" : `${left} boxes stay`} closed: with more than 4,000 at once nothing could be read. Open what you want to
      see by itself.
    </p>
  );
}
