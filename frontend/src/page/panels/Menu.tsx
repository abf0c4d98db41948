// A button that opens a menu: arrows walk, Escape and a click elsewhere close, the focus goes back to the button.
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { usePopover } from "./popover.ts";

export interface MenuItem {
  readonly id: string;
  readonly title: string;
  readonly about?: string;
  /** Present on items that are switched on and off. */
  readonly checked?: boolean;
  /** One of several of which one is chosen: the menu closes with the choice. */
  readonly radio?: true;
  choose(): void;
}

export function Menu({
  label,
  icon,
  items,
  quiet = false,
  hideLabel = false,
}: {
  label: string;
  icon?: ComponentChildren;
  items: readonly MenuItem[];
  quiet?: boolean;
  hideLabel?: boolean;
}) {
  const { open, root, button, toggle, close, onKeyDown } = usePopover("[role^='menuitem']");
  const id = useId();

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only catches the keys of the menu inside
    <div class="menu-anchor" ref={root} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        class={`button ${quiet ? "quiet" : ""} ${hideLabel ? "icon" : ""}`}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={hideLabel ? label : undefined}
        title={hideLabel ? label : undefined}
        onClick={toggle}
      >
        {!hideLabel && label}
        {icon}
      </button>
      {open && (
        <div class="menu" role="menu" id={id} aria-label={label}>
          {items.map((item) => (
            // biome-ignore lint/a11y/useAriaPropsSupportedByRole: aria-checked is set on items that can be checked only
            <button
              key={item.id}
              type="button"
              tabIndex={-1}
              role={item.checked === undefined ? "menuitem" : item.radio ? "menuitemradio" : "menuitemcheckbox"}
              aria-checked={item.checked}
              onClick={() => {
                item.choose();
                if (item.checked === undefined || item.radio) close();
              }}
            >
              <b>{item.title}</b>
              {item.about !== undefined && <small>{withCode(item.about)}</small>}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

/** Text in which what stands between backquotes is code. */
function withCode(text: string): ComponentChildren {
  return text.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
