// The outline of the program that is shown: a tree after the ARIA pattern, one tab stop, of which only the rows in sight are mounted.
import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { useApp } from "../../app.ts";
import { aroundOf, outlineOf, type Row, rowsOf, type TreeStep, treeStep, typedRow } from "../../program/outline/index.ts";
import type { Target } from "../../state/types.ts";
import { levelOf, openKey, sameTarget } from "../../state/update.ts";
import { toProgram } from "../focus.ts";
import { OutlineRow, ROW } from "./Row.tsx";

/** Rows that are mounted above and below those in sight. */
const SPARE = 12;
/** Letters within this time are one word. */
const WORD_MS = 600;
const TOP: ReadonlySet<string> = new Set([""]);

/** `turn` counts how often the keyboard was sent here. */
export function Outline({ turn }: { turn: number }) {
  const app = useApp();
  const { store, commands, loader } = app;
  const tree = useRef<HTMLDivElement>(null);
  /** The row that the keyboard is at is to have the focus as soon as it is drawn. */
  const grab = useRef(false);
  const typed = useRef({ text: "", at: 0 });
  const first = useSignal(0);
  const height = useSignal(400);
  const level = useComputed(() => levelOf(store.state.value.view));
  const outline = useComputed(() => (store.program.value === null ? null : outlineOf(store.program.value, level.value)));
  const key = useComputed(() => openKey(level.value, store.program.value?.id ?? ""));
  const open = useComputed(() => store.state.value.outlined[key.value] ?? TOP);
  const rows = useComputed(() => (outline.value === null ? null : rowsOf(outline.value, open.value)));
  /** What is selected, in the words of this level. */
  const target = useComputed<Target | null>(() => {
    const selection = store.selection.value;
    if (level.value !== "jaxpr" || selection?.kind === "value") return selection;
    return store.selected.value === null ? null : { kind: "eqn", path: store.selected.value };
  });
  /** The item that the keyboard is at: to begin with, what is selected. */
  const begin = useMemo(() => (target.peek() === null ? null : outline.peek()?.keyOf(target.peek() as Target)) ?? "", []);
  const current = useSignal(begin);
  /** The row that the keyboard is at, or what holds it where that is closed. */
  const at = useComputed(() => {
    const all = rows.value;
    for (let key: string | null = current.value; key !== null; key = outline.value?.parentOf(key) ?? null) {
      const row = all?.rowOf(key) ?? -1;
      if (row >= 0 && all?.at(row) !== null) return row;
    }
    return 0;
  });
  const marked = useComputed(() => {
    if (target.value === null || outline.value === null) return null;
    const here = rows.value?.at(at.value)?.item;
    return here !== undefined && sameTarget(here.target, target.value) ? here.key : outline.value.keyOf(target.value);
  });

  // What was selected elsewhere is opened and gone to; what was selected here stands already.
  useSignalEffect(() => {
    const made = outline.value;
    const wanted = marked.value;
    if (made === null || wanted === null || (wanted === current.peek() && (rows.peek()?.rowOf(wanted) ?? -1) >= 0)) return;
    setOpen([...open.peek(), ...aroundOf(made, wanted)]);
    current.value = wanted;
  });
  useSignalEffect(() => {
    loader.outlined.value = rows.value?.left ?? [];
  });
  useEffect(() => {
    const element = tree.current;
    const watch = new ResizeObserver(() => {
      height.value = element?.clientHeight ?? 0;
    });
    if (element !== null) watch.observe(element);
    return () => {
      watch.disconnect();
      loader.outlined.value = [];
    };
  }, [outline.value === null]);
  useLayoutEffect(() => {
    if (turn > 0) grab.current = true;
  }, [turn]);
  useLayoutEffect(() => {
    const element = tree.current;
    if (element === null) return;
    const top = at.value * ROW;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + ROW > element.scrollTop + element.clientHeight) element.scrollTop = top + ROW - element.clientHeight;
  }, [at.value, height.value]);
  useLayoutEffect(() => {
    const focused = document.activeElement;
    // Where the keyboard is in the tree it goes with the item that it is at.
    const inside = focused !== tree.current && tree.current?.contains(focused) === true && focused?.getAttribute("tabindex") !== "0";
    if ((!grab.current && !inside) || tree.current === null) return;
    grab.current = false;
    tree.current.querySelector<HTMLElement>("[tabindex='0']")?.focus({ preventScroll: true });
  });

  function setOpen(keys: Iterable<string>): void {
    const now = new Set(keys);
    const before = open.peek();
    if (now.size !== before.size || [...now].some((each) => !before.has(each)))
      store.dispatch({ type: "outlined", key: key.peek(), open: now });
  }

  function toggle(key: string, opens: boolean): void {
    const row = rows.peek()?.at(rows.peek()?.rowOf(key) ?? -1) ?? null;
    // What closes over the item that the keyboard is at takes the keyboard.
    if (!opens && row !== null && outline.value !== null && aroundOf(outline.value, current.peek()).includes(key)) goTo(row);
    setOpen(opens ? [...open.peek(), key] : [...open.peek()].filter((each) => each !== key));
  }

  function goTo(row: Row): void {
    grab.current = true;
    current.value = row.item.key;
    if (row.item.kind !== "left") store.dispatch({ type: "select", target: row.item.target });
  }

  function reveal({ item }: Row): void {
    const target = item.target;
    if (target === null) {
      store.dispatch({ type: "select", target: null });
      store.dispatch({ type: "alone", path: null });
    } else if (target.kind === "eqn") commands.show(target.path.replace(/:\d+$/, ""));
    else {
      store.dispatch({ type: "select", target, jump: true });
      store.dispatch({ type: "pane", pane: "graph" });
      // A value that no pill stands for is shown by what makes it.
      const key = target.kind === "value" ? outline.peek()?.keyOf(target) : item.key.replace(/:\d+$/, "");
      if (key != null) commands.reveal(key);
    }
    commands.announce(`Shown in the graph: ${item.line.title}`);
  }

  function does(step: TreeStep): void {
    const row = rows.peek()?.at(step.do === "go" ? step.row : at.peek());
    if (row == null) return;
    if (step.do === "go") goTo(row);
    else if (step.do === "open" || step.do === "close") toggle(step.key, step.do === "open");
    else if (step.do === "open-all") setOpen([...open.peek(), ...step.keys]);
    else if (step.do === "reveal") reveal(row);
    else toProgram(app);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || outline.peek() === null) return;
    const all = rows.peek();
    if (all === null || outline.value === null) return;
    const step = treeStep(outline.value, all, at.peek(), event.key);
    if (step !== null) does(step);
    else if (event.key.length === 1 && event.key !== " ") {
      const word = event.timeStamp - typed.current.at < WORD_MS ? typed.current.text : "";
      typed.current = { text: word + event.key, at: event.timeStamp };
      const found = typedRow(all, at.peek(), typed.current.text);
      if (found !== null) does({ do: "go", row: found });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const all = rows.value;
  if (all === null) {
    const waits = store.program.value !== null && level.value !== "jaxpr";
    return <p class="faint outline-none">{waits ? "The module is not there yet." : "Nothing traced yet."}</p>;
  }
  const shown: Row[] = [];
  const until = Math.min(all.count, first.value + Math.ceil(height.value / ROW) + SPARE);
  const mounted = [...Array(Math.max(0, until - Math.max(0, first.value - SPARE))).keys()].map((n) => n + Math.max(0, first.value - SPARE));
  // The row with the keyboard stays, or the focus would be lost by scrolling.
  if (!mounted.includes(at.value)) mounted.push(at.value);
  const numbers: number[] = [];
  for (const number of mounted) {
    const row = all.at(number);
    if (row === null) continue;
    shown.push(row);
    numbers.push(number);
  }
  return (
    <div
      class="outline"
      ref={tree}
      role="tree"
      aria-label={`Outline of ${store.program.value?.name ?? "the program"}`}
      onKeyDown={onKeyDown}
      onScroll={(event) => {
        first.value = Math.floor(event.currentTarget.scrollTop / ROW);
      }}
    >
      <div role="presentation" style={{ height: `${all.count * ROW}px` }} />
      {shown.map((row, index) => (
        <OutlineRow
          key={row.item.key}
          row={row}
          top={(numbers[index] ?? 0) * ROW}
          current={numbers[index] === at.value}
          marked={row.item.key === marked.value}
          choose={() => goTo(row)}
          toggle={() => toggle(row.item.key, !row.open)}
          reveal={() => reveal(row)}
          hover={(on) => store.dispatch({ type: "hover", target: on ? row.item.target : null })}
        />
      ))}
    </div>
  );
}
