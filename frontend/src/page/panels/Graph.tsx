// The graph pane: asks the worker for drawings and hands them to the viewer; turns what the viewer reports into actions of the page.
import { effect, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { leftOut } from "../../drawing/graph/left.ts";
import { opPlacesOf } from "../../drawing/graph/located.ts";
import type { Levels } from "../../drawing/scene.ts";
import { filedOf } from "../../model/filed.ts";
import { isPacked } from "../../model/packed.ts";
import type { Program } from "../../model/types.ts";
import {
  Cancelled,
  type Drawing,
  GraphViewer,
  LayoutClient,
  type Pointed,
  type Subject,
  startWorker,
  type Wanted,
} from "../../viewer/index.ts";
import { type Drawn, useApp } from "../app.ts";
import { copyOf } from "../program/copied.ts";
import { type Edits, editWords, movedPath } from "../program/edits.ts";
import { hiding } from "../program/hiding.ts";
import { moduleAt } from "../program/links.ts";
import { marksOf, targetOf } from "../program/marks.ts";
import { spokenStop, spokenToggle } from "../program/speak.ts";
import { twinsOf } from "../program/twins.ts";
import { followable } from "../state/finding.ts";
import { deeper, shallower } from "../state/levels.ts";
import type { State } from "../state/types.ts";
import { levelOf, openKey } from "../state/update.ts";
import { stepsKey } from "../state/wishes.ts";
import { Crumbs } from "./Crumbs.tsx";
import type { Rect } from "./card/place.ts";
import { GraphTools } from "./GraphTools.tsx";
import { Standing } from "./graph/standing.ts";
import { Legend } from "./Legend.tsx";
import { Held } from "./Levels.tsx";
import { type Look, Minimap } from "./Minimap.tsx";
import { Working } from "./Placeholders.tsx";

const FOLLOWED = { upstream: "up", downstream: "down", around: "both", path: "path" } as const;

const DEEP = {
  "expand-all": ({ by }: Levels): Levels => ({ by, depth: "all" }),
  "collapse-all": ({ by }: Levels): Levels => ({ by, depth: 0 }),
  deeper,
  shallower,
} as const;

/** As deep as anyone nests by hand. */
const MOST_STEPS = 24;

type Looked = Pick<State, "levels" | "overlay" | "direction">;

function wantedOf(open: ReadonlySet<string> | undefined, { levels, overlay, direction }: Looked, alone: string | null): Wanted & Looked {
  return { open: open === undefined ? null : [...open], levels, overlay, direction, alone };
}

function titleOf({ name }: Program): string {
  return `Graph of ${name}`;
}

export function Graph() {
  const { store, commands, lights, loader, journey, nonce } = useApp();
  const host = useRef<HTMLDivElement>(null);
  const client = useRef<LayoutClient | null>(null);
  const viewer = useRef<GraphViewer | null>(null);
  const drawing = useSignal<Drawing | null>(null);
  const working = useSignal(false);
  const stage = useSignal("Laying out");
  const failure = useSignal<string | null>(null);
  const scale = useSignal(1);
  const look = useSignal<Look>({ camera: { x: 0, y: 0, k: 1 }, view: { w: 1, h: 1 } });
  const mapped = useSignal(true);
  const inside = useSignal<string | null>(null);
  const anchor = useRef<string | null>(null);
  const standing = useMemo(() => new Standing(), []);
  const drawn = useRef<Drawn | null>(null);
  const turns = useRef(0);
  const afterwards = useRef<(() => void) | null>(null);

  const level = useComputed(() => levelOf(store.state.value.view));
  const key = useComputed(() => (store.program.value === null ? null : openKey(level.value, store.program.value.id)));
  // The jaxprs stay the same object when a later level arrives, so the jaxpr graph is not drawn again for it.
  const identity = useComputed<object | null>(() => {
    const program = store.program.value;
    if (program === null) return null;
    return level.value === "jaxpr" ? (program.entry === null ? null : program.jaxprs) : (moduleAt(program, level.value) ?? null);
  });
  const overlay = useComputed(() => store.state.value.overlay);
  const levels = useComputed(() => store.state.value.levels);
  const direction = useComputed(() => store.state.value.direction);
  const open = useComputed(() => (key.value === null ? undefined : store.state.value.open[key.value]));

  const alone = useComputed(() => (key.value === null ? null : (store.state.value.alone[key.value] ?? null)));

  /** All that the picture depends on: another object when any of it has changed. */
  const asked = useComputed(() => ({
    of: identity.value,
    at: key.value,
    wanted: wantedOf(open.value, { levels: levels.value, overlay: overlay.value, direction: direction.value }, alone.value),
  }));
  const answered = useSignal<object | null>(null);
  // True from the very change on, for effects run a frame later than what they follow from.
  const busy = useComputed(() => asked.value.of !== null && asked.value !== answered.value);

  function toggle(path: string): void {
    // Closing the only body there is leads out of it.
    if (path === drawing.peek()?.alone) {
      enter(path);
      return;
    }
    const now = new Set(drawing.peek()?.open ?? []);
    if (!now.delete(path)) now.add(path);
    anchor.current = path;
    setOpen(now);
    const { nodes = [], frames = [] } = drawing.peek()?.scene ?? {};
    const title = [...nodes, ...frames].find((each) => each.toggle === path)?.title ?? "";
    commands.announce(spokenToggle(title, now.has(path)));
  }

  function setOpen(paths: ReadonlySet<string>): void {
    const at = key.peek();
    if (at !== null) store.dispatch({ type: "open", key: at, open: paths });
  }

  function chooseLevels(change: (levels: Levels) => Levels): void {
    store.dispatch({ type: "levels", levels: change(store.state.peek().levels) });
    viewer.current?.focus();
  }

  /** Shows a body alone; the one that is, among all the others again, where it was on screen. */
  function enter(path: string): void {
    const leaves = alone.peek() === path;
    anchor.current = leaves ? path : null;
    store.dispatch({ type: "alone", path: leaves ? null : path });
    commands.announce(leaves ? "The whole program" : "Shown alone");
  }

  function showPath(path: string): void {
    store.dispatch({ type: "select", target: { kind: "eqn", path }, jump: true });
    store.dispatch({ type: "pane", pane: "graph" });
    const around = alone.peek();
    if (around === null || path === around || /^[/:]/.test(path.slice(around.length))) reveal(path, MOST_STEPS);
    else {
      afterwards.current = () => reveal(path, MOST_STEPS);
      store.dispatch({ type: "alone", path: null });
    }
  }

  /** A crumb: the program, an equation, an op. */
  function showCrumb(path: string | null): void {
    if (path === null) {
      letGo();
      if (alone.peek() === null) viewer.current?.fit();
      else store.dispatch({ type: "alone", path: null });
    } else if (level.peek() === "jaxpr") showPath(path);
    else {
      store.dispatch({ type: "select", target: { kind: "op", id: path.slice(path.lastIndexOf("/") + 1) }, jump: true });
      viewer.current?.reveal(path);
    }
  }

  /** Opens what hides an equation, body by body, for a body may be folded itself; then brings it into sight. */
  function reveal(path: string, steps: number): void {
    const shown = drawing.peek();
    const missing = shown === null ? [] : hiding(shown, path);
    if (missing.length === 0 || steps === 0) {
      // The search field lies over the graph: what it finds must not be under it.
      requestAnimationFrame(() => void viewer.current?.reveal(path, document.querySelector(".find")?.getBoundingClientRect()));
      return;
    }
    afterwards.current = () => reveal(path, steps - 1);
    setOpen(new Set([...(shown?.open ?? []), ...missing]));
  }

  /** With Shift beside what is selected: the path between the two is asked for. */
  function select(pointed: Pointed | null, further: boolean): void {
    const target = targetOf(level.peek(), pointed);
    const [from, to] = [followable(store.selection.peek()), followable(target)];
    if (further && from !== null && to !== null && from !== to)
      store.dispatch({ type: "follow", following: { way: "path", from, to, level: level.peek() } });
    else store.dispatch({ type: "select", target });
  }

  function showCard(stop: Pointed | null): void {
    if (stop !== null) commands.card({ key: stop.key, eqn: stop.eqn, value: stop.value });
  }

  function boxOf(key: string, pointer: { x: number; y: number } | null): Rect | null {
    const box = viewer.current?.boxOnScreen(key) ?? null;
    const scene = drawing.peek()?.scene;
    if (box === null || scene === undefined) return null;
    const rect = { x: box.x, y: box.y, w: box.width, h: box.height };
    if (pointer === null) return rect;
    const named = ({ key: other }: { key: string }): boolean => other === key;
    // Of a wire the box says nothing: it may reach across the whole window. On the ground of an open body nobody asks for it.
    if (scene.wires.some(named)) return { x: pointer.x - 12, y: pointer.y - 12, w: 24, h: 24 };
    const on = pointer.x >= box.left - 4 && pointer.x <= box.right + 4 && pointer.y >= box.top - 4 && pointer.y <= box.bottom + 4;
    return scene.frames.some(named) && !on ? null : rect;
  }

  /** Ctrl-C on the graph, where no text is marked. */
  function copy(event: ClipboardEvent): void {
    const program = store.program.peek();
    if (program === null || host.current?.contains(document.activeElement) !== true || getSelection()?.isCollapsed === false) return;
    const copied = copyOf(program, level.peek(), store.selection.peek(), store.selected.peek());
    if (copied === null) return;
    event.clipboardData?.setData("text/plain", copied.text);
    event.preventDefault();
    commands.announce(`Copied ${copied.what}.`, true);
  }

  /** Escape: of the selection first, then of a body that is shown alone. */
  function stepBack(): void {
    const around = alone.peek();
    if (store.following.peek() === null && store.selection.peek() === null && around !== null) enter(around);
    letGo();
  }

  function letGo(): void {
    if (store.following.peek() !== null) {
      store.dispatch({ type: "follow", following: null });
      return;
    }
    store.dispatch({ type: "select", target: null });
    store.dispatch({ type: "hover", target: null });
  }

  function goToTwin(to: "forward" | "backward"): void {
    const program = store.program.peek();
    if (program === null) return;
    const selected = store.selected.peek();
    const twin = (selected === null ? undefined : twinsOf(program, selected)[0]) ?? program.twins[0];
    if (twin !== undefined) showPath(twin[to]);
  }

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const layout = new LayoutClient(startWorker);
    const graph = new GraphViewer(element, {
      select,
      hover(pointed) {
        store.dispatch({ type: "hover", target: aim(pointed) });
        commands.hovered(pointed);
      },
      toggle,
      enter,
      looked(camera, view) {
        look.value = { camera, view };
        scale.value = camera.k;
        commands.hideCard();
        journey.looked(camera);
      },
      rested(path) {
        inside.value = path;
      },
      describe: (stop) => spokenStop(level.peek() === "jaxpr" ? store.program.peek() : null, stop),
      command(name) {
        if (name === "help") commands.help();
        else if (name === "find") commands.find();
        else if (name === "find-next" || name === "find-before") commands.step(name === "find-next" ? 1 : -1);
        else if (name in DEEP) chooseLevels(DEEP[name as keyof typeof DEEP]);
        else if (name === "levels") element.parentElement?.querySelector<HTMLElement>(".levels > button")?.click();
        else if (name === "outline") commands.outline();
        else if (name === "let-go") stepBack();
        else if (name === "pin") commands.pin(store.selection.peek()?.kind === "value" ? null : store.selected.peek());
        else if (name === "card") showCard(graph.current);
        else if (name === "minimap") mapped.value = !mapped.peek();
        else if (name in FOLLOWED) commands.follow(FOLLOWED[name as keyof typeof FOLLOWED]);
        else if (name === "twin-back" || name === "twin-on") goToTwin(name === "twin-back" ? "forward" : "backward");
      },
    });
    const aim = (pointed: Pointed | null) => targetOf(level.peek(), pointed);
    viewer.current = graph;
    client.current = layout;
    lights.layout.value = layout;
    commands.register({
      show: showPath,
      reveal: (key) => reveal(key, MOST_STEPS),
      focusGraph: () => graph.focus(),
      boxOf,
      scene: () => drawing.peek()?.scene ?? null,
      drawn: () => (drawing.peek() === null ? null : drawn.current),
    });
    document.addEventListener("copy", copy);
    return () => {
      document.removeEventListener("copy", copy);
      graph.dispose();
      layout.cancel();
      lights.layout.value = null;
    };
  }, []);

  function ask(request: typeof asked.value): void {
    const { at, wanted } = request;
    const program = store.program.peek();
    if (request.of === null || program === null || at === null) {
      viewer.current?.clear();
      drawing.value = null;
      standing.cleared();
      return;
    }
    const now = level.peek();
    const module = moduleAt(program, now);
    const subject: Subject =
      now !== "jaxpr" && module !== undefined ? { kind: "module", module, places: opPlacesOf(program, now) } : { kind: "program", program };
    const wait = setTimeout(() => {
      working.value = true;
    }, 150);
    failure.value = null;
    stage.value = "Laying out";
    const turn = ++turns.current;
    standing.asked(store.state.peek().edits);
    client.current
      ?.draw(subject, wanted, titleOf(program), (words) => {
        stage.value = words;
      })
      .then((done) => {
        drawing.value = done;
        drawn.current = { of: subject.kind === "program" ? program.jaxprs : subject.module, wanted: JSON.stringify(wanted), drawing: done };
        loader.bodies.value = leftOut(done.scene);
        const front = `${program.id} ${program.name} ${stepsKey(program.made_from?.steps ?? [])}`;
        const picture = { front, shown: `${at} ${done.alone ?? ""}`, levels: wanted.levels, direction: wanted.direction };
        const { another, refit, change } = standing.next(picture, store.state.peek().edits, level.peek() === "jaxpr");
        const camera = journey.wanted.peek();
        viewer.current?.show(done, {
          // A toggle that was overtaken by another program is none of that one.
          anchor: another ? null : anchor.current,
          refit,
          nonce,
          ...(camera === null ? {} : { camera }),
          ...(change === null ? {} : { moved: (path: string) => movedPath(change, path) }),
        });
        if (change !== null) tell(change);
        journey.arrived();
        anchor.current = null;
        mark();
        afterwards.current?.();
        afterwards.current = null;
      })
      .catch((error: unknown) => {
        if (!(error instanceof Cancelled)) failure.value = error instanceof Error ? error.message : String(error);
      })
      .finally(() => {
        clearTimeout(wait);
        if (turn !== turns.current) return;
        working.value = false;
        answered.value = request;
      });
  }
  // Asked at the end of what changed it: other effects run a frame later.
  useEffect(() => {
    let heard: unknown = null;
    const stop = effect(() => {
      const request = asked.value;
      heard = request;
      queueMicrotask(() => {
        if (heard === request) ask(request);
      });
    });
    return () => {
      heard = null;
      stop();
    };
  }, []);

  // What came packed, or is read from a file, is drawn while the page unpacks it. Heard of at once: a moment later nothing is coming any more.
  useEffect(
    () =>
      effect(() => {
        const programs = lights.coming.value?.programs ?? [];
        const { program: front, open: opened, alone: bodies, view, ...looked } = store.state.peek();
        const program = programs.find(({ id }) => id === front) ?? programs[0];
        if (program === undefined || levelOf(view) !== "jaxpr" || !(isPacked(program) || filedOf(program.jaxprs) !== null)) return;
        const at = openKey("jaxpr", program.id);
        client.current?.expect(program, wantedOf(opened[at], looked, bodies[at] ?? null), titleOf(program));
      }),
    [],
  );

  // Back to where nothing else is drawn: only the camera has a way to go.
  useSignalEffect(() => {
    const camera = journey.wanted.value;
    if (camera === null || busy.peek() || drawing.peek() === null) return;
    viewer.current?.lookAt(camera);
    journey.arrived();
  });
  /** What an edit changed: marked for a moment, and said. */
  function tell(edits: Edits): void {
    const words = editWords(edits);
    if (words === "") return;
    viewer.current?.flash(new Set([...edits.added, ...edits.changed]));
    commands.announce(words, true);
  }

  function mark(): void {
    viewer.current?.select(marksOf(level.peek(), store.selectionLit.peek()));
    viewer.current?.light(marksOf(level.peek(), store.hoverLit.peek()));
  }
  useSignalEffect(() => viewer.current?.select(marksOf(level.value, store.selectionLit.value)));
  useSignalEffect(() => {
    const cone = lights.cone.value;
    viewer.current?.keep(cone !== null && cone.of === identity.value && cone.joined ? cone.parts : null);
  });
  useSignalEffect(() => showHits());
  function showHits(): void {
    const hits = lights.hits.value;
    const { at } = store.finding.value;
    viewer.current?.found(
      hits === null || hits.of !== identity.value ? null : hits.parts,
      (at === null ? null : hits?.entries[at]?.key) ?? null,
    );
  }
  useSignalEffect(() => viewer.current?.light(marksOf(level.value, store.hoverLit.value)));

  return (
    <>
      <Crumbs inside={inside.value} show={showCrumb} />
      <div
        class="viewer"
        ref={host}
        aria-busy={busy.value}
        role="application"
        aria-roledescription="program graph"
        aria-label={`Graph of ${store.program.value?.name ?? "the program"}`}
      />
      {drawing.value !== null && mapped.value && (
        <Minimap scene={drawing.value.scene} look={look} centre={(x, y) => viewer.current?.centre(x, y)} />
      )}
      {drawing.value !== null && (
        <div class="footer">
          <Held left={drawing.value.left} />
          <Legend scene={drawing.value.scene} />
          <GraphTools
            scale={scale}
            foldable={
              drawing.value.foldable.length + drawing.value.scene.folds.length > 0 ||
              drawing.value.open.length > 0 ||
              levels.value.by !== "auto"
            }
            fit={() => viewer.current?.fit()}
            zoom={(factor) => viewer.current?.zoomBy(factor)}
            whole={() => viewer.current?.zoomTo(1)}
            expand={(all) => chooseLevels(DEEP[all ? "expand-all" : "collapse-all"])}
          />
        </div>
      )}
      {working.value && <Working text={stage.value} cancel={() => client.current?.cancel()} />}
      {failure.value !== null && (
        <div class="banner" role="alert">
          {failure.value}
        </div>
      )}
    </>
  );
}
