// Source, jaxpr and StableHLO beside each other. Lines that belong together have one colour; pointing at one lights it in all three.
import { useComputed, useSignal } from "@preact/signals";
import { useApp } from "../../app.ts";
import { offsetsOf } from "../../editor/places.ts";
import { groupsOf, printedBands, sourceBands, stepped } from "../../program/groups.ts";
import { eqnOf, firstPath } from "../../program/instances.ts";
import { rangeAt } from "../../program/links.ts";
import { printedOf } from "../../program/printed.ts";
import type { Level, Target } from "../../state/types.ts";
import { Tabs } from "../Tabs.tsx";
import { Column, type ColumnText } from "./Column.tsx";

type Name = "source" | Level;

const COLUMNS: readonly { id: Name; title: string }[] = [
  { id: "source", title: "Source" },
  { id: "jaxpr", title: "Jaxpr" },
  { id: "stablehlo", title: "StableHLO" },
  { id: "hlo", title: "HLO" },
];
const NO_TEXT: ColumnText = { text: "", bands: new Int32Array(0), names: null };
/** What was chosen by key comes so far below the top. */
const READING_Y = 120;

export function Beside() {
  const { store } = useApp();
  const shown = useSignal<Name>("source");
  const aligned = useSignal<{ y: number; turn: number; from: Name | null } | null>(null);
  const program = store.program;
  const source = useComputed(() => store.steady.value.shown?.source ?? "");
  const groups = useComputed(() => (program.value === null ? null : groupsOf(program.value)));
  const active = useComputed(() => {
    const first = [...store.lit.value.eqns].find((id) => groups.value?.of.has(id));
    return first === undefined ? null : (groups.value?.of.get(first) ?? null);
  });
  const texts: Readonly<Record<Name, () => ColumnText>> = {
    source: useText(() =>
      program.value === null ? null : { text: source.value, bands: sourceBands(program.value, source.value), names: null },
    ),
    jaxpr: useText(() => printedText("jaxpr")),
    stablehlo: useText(() => printedText("stablehlo")),
    hlo: useText(() => printedText("hlo")),
  };

  function useText(make: () => ColumnText | null): () => ColumnText {
    const text = useComputed(() => make() ?? NO_TEXT);
    return () => text.value;
  }

  function printedText(level: Level): ColumnText | null {
    if (program.value === null || groups.value === null) return null;
    return { text: printedOf(program.value, level).text, bands: printedBands(program.value, level), names: groups.value.lines };
  }

  function lit(name: Name): readonly (readonly [number, number])[] {
    const { eqns, ops, spans } = store.lit.value;
    if (name === "source") return offsetsOf(source.value, spans);
    const { ranges } = printedOf(program.value, name);
    const found = [...(name === "jaxpr" ? eqns : ops)].flatMap((id) => {
      const range = ranges.get(id);
      return range === undefined ? [] : [range];
    });
    return found.sort((a, b) => a[0] - b[0]);
  }

  function aim(name: Name, at: number | null): Target | null {
    const now = program.peek();
    if (now === null || at === null) return null;
    if (name === "source") {
      const before = source.peek().slice(0, at);
      const line = before.split("\n").length;
      return { kind: "place", line, col: at - (before.lastIndexOf("\n") + 1) };
    }
    const id = rangeAt(printedOf(now, name).ranges, at);
    if (id === null) return null;
    if (name !== "jaxpr") return { kind: "op", id };
    const path = firstPath(now, id);
    return path === null ? null : { kind: "eqn", path };
  }

  /** `from`: the column that it was chosen in, which stays as it is. */
  function align(y: number, from: Name | null): void {
    aligned.value = { y, from, turn: (aligned.peek()?.turn ?? 0) + 1 };
  }

  /** To the next line of the paste that has something, or the one before. */
  function step(by: 1 | -1): void {
    const now = groups.peek();
    const front = program.peek();
    if (now === null || front === null) return;
    const next = stepped(now, active.peek(), by);
    const path = next === null ? null : firstPath(front, now.eqns[next]?.[0] ?? "");
    const line = next === null ? undefined : now.lines[next];
    if (path === null || line === undefined) return;
    // The whole line, while the text in the editor is the one that was traced.
    store.dispatch({ type: "hover", target: null });
    store.dispatch({ type: "select", target: store.current.peek() ? { kind: "place", line, col: 0 } : { kind: "eqn", path } });
    align(READING_Y, null);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.target as Element).closest("input, [role=tab]") !== null) return;
    const by = { n: 1, p: -1 }[event.key] as 1 | -1 | undefined;
    if (by === undefined) return;
    event.preventDefault();
    step(by);
  }

  const said = useComputed(() => {
    const at = active.value;
    const front = program.value;
    if (at === null || front === null || groups.value === null) return "n and p walk the lines that belong together";
    const { eqns, ops } = store.lit.value;
    return `line ${groups.value.lines[at]} · ${count(eqns.size, "equation")} · ${count(ops.size, "op")}${gone([...eqns]) ? " · gone after lowering" : ""}`;
  });

  function gone(eqns: readonly string[]): boolean {
    const links = program.value?.links.stablehlo;
    return (
      links !== undefined && Object.keys(links).length > 0 && eqns.length > 0 && eqns.every((id) => (links[eqnOf(id)] ?? []).length === 0)
    );
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only catches the keys of the texts inside
    <div class="beside" data-shown={shown.value} onKeyDown={onKeyDown}>
      <div class="beside-switch">
        <Tabs
          label="Text"
          panel="beside-columns"
          items={COLUMNS}
          chosen={shown.value}
          choose={(id) => {
            shown.value = id;
          }}
        />
      </div>
      <div class="beside-columns" id="beside-columns">
        {COLUMNS.map(({ id, title }) => (
          <section key={id} class="beside-column" data-column={id} aria-label={title}>
            <h2>{title}</h2>
            <Column
              label={id === "source" ? "Source that was traced" : `Printed ${title}`}
              language={id === "source" ? "python" : "printed"}
              text={texts[id]}
              lit={() => lit(id)}
              active={() => active.value}
              aligned={() => (aligned.value?.from === id ? null : aligned.value)}
              point={(at) => store.dispatch({ type: "hover", target: aim(id, at) })}
              choose={(at, y) => {
                store.dispatch({ type: "select", target: aim(id, at) });
                align(y, id);
              }}
            />
          </section>
        ))}
      </div>
      <footer class="beside-foot">
        <span role="status">{said.value}</span>
        <span class="steps">
          <button type="button" class="button quiet" aria-keyshortcuts="p" onClick={() => step(-1)}>
            Previous <kbd>p</kbd>
          </button>
          <button type="button" class="button quiet" aria-keyshortcuts="n" onClick={() => step(1)}>
            Next <kbd>n</kbd>
          </button>
        </span>
      </footer>
    </div>
  );
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
