// The place of the program: a graph or a text, with whatever has to be said over it.
import { useComputed } from "@preact/signals";
import { useApp } from "../app.ts";
import { eqnOf } from "../program/instances.ts";
import { isGone } from "../program/links.ts";
import { isRunning } from "../state/status.ts";
import type { Level } from "../state/types.ts";
import { isStale, isText, levelOf } from "../state/update.ts";
import { Card } from "./Card.tsx";
import { Find } from "./Find.tsx";
import { Follow } from "./Follow.tsx";
import { Loading } from "./Loading.tsx";
import { useLater } from "./later.ts";
import { Placeholder, Stale } from "./Placeholders.tsx";
import { Reader } from "./Reader.tsx";

export function Stage() {
  const { store } = useApp();
  const stale = useComputed(() => isStale(store.state.value));
  const view = useComputed(() => store.state.value.view);
  const level = levelOf(view.value);
  // Fetched while the first paste is traced: the page can be typed into without it.
  const graph = useLater(() => import("./Graph.tsx"), true);
  const beside = useLater(() => import("./beside/Beside.tsx"), view.value === "beside-text");
  const busy = useComputed(() => isRunning(store.state.value.run));
  const running = useLater(() => import("./Running.tsx"), busy.value);
  return (
    <div class={`stage ${stale.value ? "stale" : ""}`} id="stage" role="tabpanel" aria-label="Program">
      <Stale />
      {view.value === "beside-text" ? (
        beside !== null && <beside.Beside />
      ) : isText(view.value) ? (
        <Reader key={view.value} level={level} />
      ) : (
        graph !== null && <graph.Graph />
      )}
      <Find />
      <Follow />
      <Card />
      <Placeholder />
      <Loading />
      {running !== null && <running.Running />}
      <Gone />
    </div>
  );
}

const GONE: Readonly<Record<Level, string>> = { jaxpr: "tracing", stablehlo: "lowering", hlo: "optimisation" };

/** Said in the views of modules when what is pointed at has no op there. */
function Gone() {
  const { store } = useApp();
  const gone = useComputed(() => {
    const { view, selection } = store.state.value;
    const program = store.program.value;
    if (program === null || selection?.kind !== "eqn") return null;
    return isGone(program, levelOf(view), eqnOf(selection.path)) ? GONE[levelOf(view)] : null;
  });
  if (gone.value === null) return null;
  return (
    <div class="banner gone" role="status">
      The selected equation is gone after {gone.value}.
    </div>
  );
}
