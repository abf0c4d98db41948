// Over the graph: back and forward, and the way to what is selected or looked at, from the program down. Each part of the way leads there.
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useApp } from "../app.ts";
import { type Crumb, crumbsOf, hiddenCrumbs, opPath } from "../program/crumbs.ts";
import { levelOf, openKey } from "../state/update.ts";
import { Back, Dots, Forward, Whole } from "./Icons.tsx";
import { Menu } from "./Menu.tsx";

interface Props {
  /** The open body that fills the view, or null. */
  readonly inside: string | null;
  /** Shows an instance; null shows the program. */
  show(path: string | null): void;
}

export function Crumbs({ inside, show }: Props) {
  const { store, journey } = useApp();
  const row = useRef<HTMLElement>(null);
  const width = useSignal(600);
  const level = useComputed(() => levelOf(store.state.value.view));
  const alone = useComputed(() => {
    const program = store.program.value;
    return program === null ? null : (store.state.value.alone[openKey(level.value, program.id)] ?? null);
  });
  const selected = useComputed(() => {
    const program = store.program.value;
    const target = store.selection.value;
    if (program === null) return null;
    if (level.value === "jaxpr") return store.selected.value;
    return target?.kind === "op" ? opPath(program, target.id) : null;
  });
  useEffect(() => {
    const element = row.current;
    if (element === null) return;
    const watch = new ResizeObserver(() => {
      width.value = element.clientWidth;
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const program = store.program.value;
  if (program === null) return null;
  const crumbs = crumbsOf(program, level.value, selected.value ?? inside ?? alone.value);
  const hidden = hiddenCrumbs(crumbs, width.value);
  const last = crumbs.length - 1;
  return (
    <div class="way">
      {/* Never disabled: who has come to the last view by it would lose the keyboard. */}
      <button
        type="button"
        class="button quiet icon"
        aria-label="Back"
        title="Back to the view before (Alt ←)"
        aria-disabled={!journey.back.value}
        onClick={() => journey.go(-1)}
      >
        <Back />
      </button>
      <button
        type="button"
        class="button quiet icon"
        aria-label="Forward"
        title="Forward again (Alt →)"
        aria-disabled={!journey.forward.value}
        onClick={() => journey.go(1)}
      >
        <Forward />
      </button>
      <nav class="crumbs-row" aria-label="Where this is in the program" ref={row}>
        <ol>
          {crumbs.map((crumb, at) =>
            at > 0 && at <= hidden ? (
              at === 1 && (
                <li key="hidden">
                  <Menu
                    label="Between"
                    quiet
                    hideLabel
                    icon={<Dots />}
                    items={crumbs
                      .slice(1, hidden + 1)
                      .map((each, index) => ({ id: `${index}`, title: each.text, choose: () => show(each.path) }))}
                  />
                </li>
              )
            ) : (
              <li key={`${at} ${crumb.path ?? ""}`} class={at === last ? "last" : ""}>
                <Step crumb={crumb} current={at === last} show={show} />
              </li>
            ),
          )}
        </ol>
      </nav>
      {alone.value !== null && (
        <button
          type="button"
          class="button quiet leave"
          title="Show the whole program again (Esc)"
          onClick={() => store.dispatch({ type: "alone", path: null })}
        >
          <Whole /> <span>Whole program</span>
        </button>
      )}
    </div>
  );
}

function Step({ crumb: { text, path }, current, show }: { crumb: Crumb; current: boolean; show(path: string | null): void }) {
  return (
    <button type="button" class="crumb mono" title={text} aria-current={current ? "location" : undefined} onClick={() => show(path)}>
      {text}
    </button>
  );
}
