// The keyboard is never lost: when what had the focus goes away by what it did (a pin let go, a way back that ends, a panel of another level),
// the focus goes to what is nearest to it and still there.

import type { AppContext } from "../app.ts";

const STOPS = "a[href], button, input, select, textarea, [tabindex]";
/** Some of what follows from a key is drawn by the worker. */
const WAIT_MS = 1000;

/** To the program, as graph or as text; there, too, the keyboard goes where nothing else is left. */
function enter({ commands }: Pick<AppContext, "commands">): void {
  const text = document.querySelector<HTMLElement>("#stage .cm-content");
  if (text === null) commands.focusGraph();
  else text.focus();
}

export function toProgram(app: AppContext): void {
  app.store.dispatch({ type: "pane", pane: "graph" });
  enter(app);
  // A phone shows the pane first.
  if (document.activeElement?.closest("#stage") == null) requestAnimationFrame(() => enter(app));
}

export function keepFocus(root: HTMLElement, app: AppContext): () => void {
  const abort = new AbortController();
  /** What had the focus, and what it stood in. */
  let chain: Element[] = [];
  let frame = 0;
  let until = 0;
  document.addEventListener(
    "focusin",
    ({ target }) => {
      chain = [];
      for (let at = target instanceof Element ? target : null; at !== null && at !== root; at = at.parentElement) chain.push(at);
    },
    { signal: abort.signal },
  );
  // A press on what takes no focus lets go on purpose.
  document.addEventListener(
    "pointerdown",
    () => {
      chain = [];
    },
    { signal: abort.signal, capture: true },
  );
  const look = (): void => {
    frame = 0;
    const [had] = chain;
    if (had === undefined) return;
    if (document.activeElement === document.body && (!had.isConnected || !able(had))) {
      const around = chain.slice(1).filter((each) => each.isConnected);
      chain = [];
      for (const each of around) {
        const stop = able(each) ? each : [...each.querySelectorAll(STOPS)].find(able);
        if (stop === undefined) continue;
        (stop as HTMLElement | SVGElement).focus({ preventScroll: true });
        if (document.activeElement === stop) return;
      }
      enter(app);
    } else if (performance.now() < until) frame = requestAnimationFrame(look);
  };
  const end = app.store.listen(() => {
    until = performance.now() + WAIT_MS;
    if (frame === 0 && chain.length > 0) frame = requestAnimationFrame(look);
  });
  return () => {
    end();
    abort.abort();
    cancelAnimationFrame(frame);
  };
}

/** Whether Tab can come to it. */
function able(element: Element): boolean {
  return (
    element.matches(STOPS) &&
    (element as HTMLElement | SVGElement).tabIndex >= 0 &&
    !element.matches(":disabled") &&
    element.checkVisibility({ visibilityProperty: true })
  );
}
