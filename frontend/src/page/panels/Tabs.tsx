// A row of tabs after the ARIA pattern: one tab stop, arrows and Home/End move and choose.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

export interface TabItem<Id extends string> {
  readonly id: Id;
  readonly title: ComponentChildren;
  readonly hint?: string | undefined;
  readonly disabled?: boolean;
}

interface Props<Id extends string> {
  readonly label: string;
  readonly items: readonly TabItem<Id>[];
  readonly chosen: Id | null;
  /** The id of the panel that the tabs control. */
  readonly panel: string;
  choose(id: Id): void;
  /** What the Delete key does to the chosen tab. */
  remove?(id: Id): void;
}

export function Tabs<Id extends string>({ label, items, chosen, panel, choose, remove }: Props<Id>) {
  function onKeyDown(event: KeyboardEvent): void {
    // Alt with an arrow goes through the views, from here too.
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Delete" && chosen !== null && remove !== undefined) {
      remove(chosen);
      focusChosen(event.currentTarget as HTMLElement);
      return;
    }
    const able = items.filter((item) => item.disabled !== true);
    const at = able.findIndex((item) => item.id === chosen);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: able.length - 1 }[event.key];
    const next = to === undefined ? undefined : able[(to + able.length) % able.length];
    if (next === undefined) return;
    event.preventDefault();
    choose(next.id);
    focusChosen(event.currentTarget as HTMLElement);
  }
  const row = useRef<HTMLDivElement>(null);
  // A row that does not fit scrolls: what was chosen from elsewhere must be seen in it.
  useEffect(() => row.current?.querySelector("[aria-selected='true']")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [chosen]);
  return (
    <div class="tabs" ref={row} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {items.map((item) => (
        <button
          key={item.id}
          type="button"
          role="tab"
          class="tab"
          data-tab={item.id}
          aria-selected={item.id === chosen}
          aria-controls={panel}
          tabIndex={item.id === chosen ? 0 : -1}
          disabled={item.disabled}
          title={item.hint}
          onClick={() => choose(item.id)}
        >
          {item.title}
        </button>
      ))}
    </div>
  );
}

function focusChosen(row: HTMLElement): void {
  requestAnimationFrame(() => row.querySelector<HTMLElement>("[aria-selected='true']")?.focus());
}
