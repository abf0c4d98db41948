// What every button with a panel under it does: Escape and a click elsewhere close, the focus goes back to the button, arrows walk the items.
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

export interface Popover {
  readonly open: boolean;
  readonly root: RefObject<HTMLDivElement | null>;
  readonly button: RefObject<HTMLButtonElement | null>;
  toggle(): void;
  /** Closes and gives the focus back. */
  close(): void;
  onKeyDown(event: KeyboardEvent): void;
}

/** `items` selects what the arrows walk. With `tabs` the Tab key walks inside too; without, it leaves and closes, as menus do. */
export function usePopover(items: string, tabs = false): Popover {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  // Before the next key press, not after the next paint: the first arrow must already walk.
  useLayoutEffect(() => {
    if (!open) return;
    root.current?.querySelector<HTMLElement>(items)?.focus();
    const away = (event: Event): void => {
      if (event.target instanceof Node && root.current?.contains(event.target) === false) setOpen(false);
    };
    document.addEventListener("pointerdown", away);
    if (tabs) document.addEventListener("focusin", away);
    return () => {
      document.removeEventListener("pointerdown", away);
      document.removeEventListener("focusin", away);
    };
  }, [open]);

  function close(): void {
    setOpen(false);
    button.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (!open) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      close();
      return;
    }
    if (event.key === "Tab" && !tabs) {
      setOpen(false);
      return;
    }
    const all = [...(root.current?.querySelectorAll<HTMLElement>(items) ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    // Inside of a field of the panel the arrows are the field's own.
    if (tabs && at < 0) return;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all[(to + all.length) % all.length]?.focus();
  }

  return { open, root, button, toggle: () => setOpen(!open), close, onKeyDown };
}
