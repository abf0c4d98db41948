// The formats, in three groups: one tab stop, the arrows walk and choose.
import { FORMATS, type Format } from "../../program/share/formats.ts";

const GROUPS = [...new Set(FORMATS.map(({ group }) => group))];

export function Formats({ chosen, choose }: { readonly chosen: Format; choose(id: Format): void }) {
  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = FORMATS.findIndex(({ id }) => id === chosen);
    const last = FORMATS.length - 1;
    const to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: last }[event.key];
    const next = to === undefined ? undefined : FORMATS[(to + FORMATS.length) % FORMATS.length];
    if (next === undefined) return;
    event.preventDefault();
    choose(next.id);
    const list = event.currentTarget as HTMLElement;
    requestAnimationFrame(() => list.querySelector<HTMLElement>("[aria-selected='true']")?.focus());
  }

  return (
    <div class="share-formats" role="tablist" aria-label="Format" aria-orientation="vertical" onKeyDown={onKeyDown}>
      {GROUPS.map((group) => (
        <div key={group} role="presentation" class="share-group">
          <span class="share-heading" aria-hidden="true">
            {group}
          </span>
          {FORMATS.filter((each) => each.group === group).map(({ id, name }) => (
            <button
              key={id}
              type="button"
              role="tab"
              data-format={id}
              aria-selected={id === chosen}
              aria-controls="share-what"
              tabIndex={id === chosen ? 0 : -1}
              onClick={() => choose(id)}
            >
              {name}
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}
