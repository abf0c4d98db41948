// A level as a graph beside other levels: what is pointed at in any of them lights here, and the other way round.
import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { opPlacesOf } from "../../../drawing/graph/located.ts";
import { Cancelled, type Drawing, GraphViewer, LayoutClient, type Pointed, type Subject, startWorker } from "../../../viewer/index.ts";
import { useApp } from "../../app.ts";
import { hiding } from "../../program/hiding.ts";
import { firstPath } from "../../program/instances.ts";
import { levelOfOp, moduleAt } from "../../program/links.ts";
import { marksOf, targetOf } from "../../program/marks.ts";
import { calledPath } from "../../program/outline/module.ts";
import { spokenStop } from "../../program/speak.ts";
import { openKey } from "../../state/current.ts";
import type { Level } from "../../state/types.ts";

/** Bodies in bodies that are opened for what was chosen elsewhere. */
const MOST_STEPS = 12;

export function GraphColumn({ level, label }: { level: Level; label: string }) {
  const { store, nonce } = useApp();
  const host = useRef<HTMLDivElement>(null);
  const viewer = useRef<GraphViewer | null>(null);
  const client = useRef<LayoutClient | null>(null);
  const drawing = useSignal<Drawing | null>(null);
  const failure = useSignal<string | null>(null);
  const afterwards = useRef<(() => void) | null>(null);
  const shown = useRef<object | null>(null);
  const identity = useComputed<object | null>(() => {
    const program = store.program.value;
    if (program === null) return null;
    return level === "jaxpr" ? (program.entry === null ? null : program.jaxprs) : (moduleAt(program, level) ?? null);
  });
  const key = useComputed(() => openKey(level, store.program.value?.id ?? ""));
  const open = useComputed(() => store.state.value.open[key.value]);
  const levels = useComputed(() => store.state.value.levels);

  function setOpen(paths: ReadonlySet<string>): void {
    store.dispatch({ type: "open", key: key.peek(), open: paths });
  }

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const aim = (pointed: Pointed | null) => targetOf(level, pointed);
    const graph = new GraphViewer(element, {
      select: (pointed) => store.dispatch({ type: "select", target: aim(pointed) }),
      hover: (pointed) => store.dispatch({ type: "hover", target: aim(pointed) }),
      toggle(path) {
        const now = new Set(drawing.peek()?.open ?? []);
        if (!now.delete(path)) now.add(path);
        setOpen(now);
      },
      enter: () => undefined,
      looked: () => undefined,
      rested: () => undefined,
      describe: (stop) => spokenStop(level === "jaxpr" ? store.program.peek() : null, stop),
      command(name) {
        if (name === "let-go") store.dispatch({ type: "select", target: null });
      },
    });
    viewer.current = graph;
    client.current = new LayoutClient(startWorker);
    return () => {
      graph.dispose();
      client.current?.cancel();
      store.dispatch({ type: "hover", target: null });
    };
  }, []);

  useSignalEffect(() => {
    const wanted = open.value;
    const chosen = levels.value;
    const way = store.state.value.direction;
    const of = identity.value;
    const program = store.program.peek();
    if (of === null || program === null) {
      viewer.current?.clear();
      drawing.value = null;
      return;
    }
    const module = moduleAt(program, level);
    const subject: Subject =
      level !== "jaxpr" && module !== undefined
        ? { kind: "module", module, places: opPlacesOf(program, level) }
        : { kind: "program", program };
    failure.value = null;
    client.current
      ?.draw(
        subject,
        { open: wanted === undefined ? null : [...wanted], levels: chosen, direction: way, overlay: null, alone: null },
        label,
        () => undefined,
      )
      .then((done) => {
        drawing.value = done;
        viewer.current?.show(done, { anchor: null, refit: shown.current !== of, nonce });
        shown.current = of;
        viewer.current?.select(marksOf(level, store.selectionLit.peek()));
        afterwards.current?.();
        afterwards.current = null;
      })
      .catch((error: unknown) => {
        if (!(error instanceof Cancelled)) failure.value = error instanceof Error ? error.message : String(error);
      });
  });

  /** Opens what hides it, body by body, and brings it into sight. */
  function reveal(path: string, steps: number): void {
    const now = drawing.peek();
    const missing = now === null ? [] : hiding(now, path);
    if (missing.length === 0 || steps === 0) {
      requestAnimationFrame(() => void viewer.current?.reveal(path));
      return;
    }
    afterwards.current = () => reveal(path, steps - 1);
    setOpen(new Set([...(now?.open ?? []), ...missing]));
  }

  /** Where what is selected stands in this level. */
  function pathOfSelection(): string | null {
    const program = store.program.peek();
    const lit = store.selectionLit.value;
    if (program === null) return null;
    if (level === "jaxpr") return lit.path ?? [...lit.eqns].map((id) => firstPath(program, id)).find((path) => path !== null) ?? null;
    const module = moduleAt(program, level);
    const first = [...lit.ops].find((id) => levelOfOp(id) === level);
    return module === undefined || first === undefined ? null : calledPath(program, module, first);
  }

  useSignalEffect(() => {
    viewer.current?.select(marksOf(level, store.selectionLit.value));
    const path = pathOfSelection();
    if (path !== null && drawing.value !== null && host.current?.matches(":hover") !== true) reveal(path, MOST_STEPS);
  });
  useSignalEffect(() => viewer.current?.light(marksOf(level, store.hoverLit.value)));

  return (
    <>
      <div class="viewer" ref={host} role="application" aria-roledescription="program graph" aria-label={label} />
      {failure.value !== null && (
        <p class="banner" role="alert">
          {failure.value}
        </p>
      )}
    </>
  );
}
