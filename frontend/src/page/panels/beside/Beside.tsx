// The paste and the levels of the program beside each other, as text or as graph. Lines that belong together have one colour; pointing at one
// lights it in all of them.
import { useComputed, useSignal } from "@preact/signals";
import { useApp } from "../../app.ts";
import { offsetsOf } from "../../editor/places.ts";
import { groupsOf, printedBands, sourceBands, stepped } from "../../program/groups.ts";
import { eqnOf, firstPath } from "../../program/instances.ts";
import { levelOfOp, rangeAt } from "../../program/links.ts";
import { printedOf } from "../../program/printed.ts";
import {
  type ColumnId,
  columnLevel,
  columnsOf,
  columnTitle,
  FEWEST_COLUMNS,
  isGraph,
  MOST_COLUMNS,
  oneMore,
  withColumn,
  withoutColumn,
} from "../../state/columns.ts";
import { LEVEL_NAMES } from "../../state/current.ts";
import type { Level, ModuleLevel, Target } from "../../state/types.ts";
import { Tabs } from "../Tabs.tsx";
import { Column, type ColumnText } from "./Column.tsx";
import { GraphColumn } from "./GraphColumn.tsx";
import { Head, isThere, Missing } from "./Head.tsx";

const LEVELS: readonly Level[] = ["jaxpr", "stablehlo", "hlo"];
const GONE: Readonly<Record<ModuleLevel, string>> = { stablehlo: "gone after lowering", hlo: "gone after optimisation" };

const NO_TEXT: ColumnText = { text: "", bands: new Int32Array(0), names: null };
/** What was chosen by key comes so far below the top. */
const READING_Y = 120;

export function Beside() {
  const { store } = useApp();
  const front = useSignal(0);
  const aligned = useSignal<{ y: number; turn: number; from: ColumnId | null } | null>(null);
  const program = store.program;
  const source = useComputed(() => store.steady.value.shown?.source ?? "");
  const groups = useComputed(() => (program.value === null ? null : groupsOf(program.value)));
  const active = useComputed(() => {
    const first = [...store.lit.value.eqns].find((id) => groups.value?.of.has(id));
    return first === undefined ? null : (groups.value?.of.get(first) ?? null);
  });
  const columns = useComputed(() => columnsOf(program.value, store.state.value.columns));
  const texts: Readonly<Record<"source" | Level, () => ColumnText>> = {
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

  function lit(name: "source" | Level): readonly (readonly [number, number])[] {
    const { eqns, ops, spans } = store.lit.value;
    if (name === "source") return offsetsOf(source.value, spans);
    const { ranges } = printedOf(program.value, name);
    const found = [...(name === "jaxpr" ? eqns : ops)].flatMap((id) => {
      const range = ranges.get(id);
      return range === undefined ? [] : [range];
    });
    return found.sort((a, b) => a[0] - b[0]);
  }

  function aim(name: "source" | Level, at: number | null): Target | null {
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
  function align(y: number, from: ColumnId | null): void {
    aligned.value = { y, from, turn: (aligned.peek()?.turn ?? 0) + 1 };
  }

  /** To the next line of the paste that has something, or the one before. */
  function step(by: 1 | -1): void {
    const now = groups.peek();
    const traced = program.peek();
    if (now === null || traced === null) return;
    const next = stepped(now, active.peek(), by);
    const path = next === null ? null : firstPath(traced, now.eqns[next]?.[0] ?? "");
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
    if (at === null || program.value === null || groups.value === null) return "n and p walk the lines that belong together";
    const { eqns } = store.lit.value;
    const counts = LEVELS.filter((level) => columns.value.some((id) => columnLevel(id) === level)).map((level) => {
      if (level === "jaxpr") return count(eqns.size, "equation");
      const ops = [...store.lit.value.ops].filter((id) => levelOfOp(id) === level).length;
      return ops === 0 && gone([...eqns], level) ? GONE[level] : count(ops, level === "hlo" ? "instruction" : "op");
    });
    return [`line ${groups.value.lines[at]}`, ...counts].join(" \u00b7 ");
  });

  function gone(eqns: readonly string[], level: ModuleLevel): boolean {
    const links = program.value?.links[level];
    return (
      links !== undefined && Object.keys(links).length > 0 && eqns.length > 0 && eqns.every((id) => (links[eqnOf(id)] ?? []).length === 0)
    );
  }

  function shownIn(id: ColumnId) {
    const level = columnLevel(id);
    if (level !== null && !isThere(program.value, level)) return <Missing program={program.value} level={level} />;
    if (level !== null && isGraph(id)) return <GraphColumn level={level} label={columnTitle(id)} />;
    const name = level ?? "source";
    return (
      <Column
        label={level === null ? "Source that was traced" : `Printed ${LEVEL_NAMES[level]}`}
        language={level === null ? "python" : "printed"}
        text={texts[name]}
        lit={() => lit(name)}
        active={() => active.value}
        aligned={() => (aligned.value?.from === id ? null : aligned.value)}
        point={(at) => store.dispatch({ type: "hover", target: aim(name, at) })}
        choose={(at, y) => {
          store.dispatch({ type: "select", target: aim(name, at) });
          align(y, id);
        }}
      />
    );
  }

  function change(next: readonly ColumnId[]): void {
    front.value = Math.min(front.peek(), next.length - 1);
    store.dispatch({ type: "columns", columns: next });
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only catches the keys of the texts inside
    <div class="beside" onKeyDown={onKeyDown}>
      <div class="beside-switch">
        <Tabs
          label="Column"
          panel="beside-columns"
          items={columns.value.map((id) => ({ id, title: columnTitle(id) }))}
          chosen={columns.value[front.value] ?? null}
          choose={(id) => {
            front.value = columns.value.indexOf(id);
          }}
        />
      </div>
      <div class="beside-columns" id="beside-columns" data-count={columns.value.length}>
        {columns.value.map((id, at) => (
          <section key={id} class="beside-column" data-column={id} data-front={at === front.value} aria-label={columnTitle(id)}>
            <Head
              id={id}
              columns={columns.value}
              choose={(other) => change(withColumn(columns.value, at, other))}
              remove={columns.value.length > FEWEST_COLUMNS ? () => change(withoutColumn(columns.value, at)) : null}
              add={at === columns.value.length - 1 && at + 1 < MOST_COLUMNS ? () => change(oneMore(columns.value)) : null}
            />
            {shownIn(id)}
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
