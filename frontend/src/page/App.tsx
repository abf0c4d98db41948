// The page: where every pane stands. Each pane listens to just the signals it shows.
import { type Signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type AppContext, AppProvider, useApp } from "./app.ts";
import { Editor } from "./editor/Editor.tsx";
import { Announcer } from "./panels/Announcer.tsx";
import { Arrived } from "./panels/Arrived.tsx";
import { Bar } from "./panels/Bar.tsx";
import { Chains } from "./panels/Chains.tsx";
import { Details } from "./panels/Details.tsx";
import { Drop } from "./panels/Drop.tsx";
import { Help } from "./panels/Help.tsx";
import { HistoryDialog } from "./panels/History.tsx";
import { useLater } from "./panels/later.ts";
import { ProgramTabs } from "./panels/ProgramTabs.tsx";
import { ShareDialog } from "./panels/Share.tsx";
import { SignatureBar } from "./panels/SignatureBar.tsx";
import { Splitter } from "./panels/Splitter.tsx";
import { Stage } from "./panels/Stage.tsx";
import { Tabs } from "./panels/Tabs.tsx";
import type { Pane } from "./state/types.ts";

const PANES: readonly { id: Pane; title: string }[] = [
  { id: "code", title: "Code" },
  { id: "graph", title: "Program" },
  { id: "details", title: "Details" },
];

export function App({ app }: { app: AppContext }) {
  const { store } = app;
  const root = useRef<HTMLDivElement>(null);
  const contrasted = useSystemContrast();
  // Fetched at once, but the first paint does not wait for it: nobody prints before there is something to print.
  const print = useLater(() => import("./panels/Print.tsx"), true);
  const pane = useComputed(() => store.state.value.pane);
  const view = useComputed(() => store.state.value.view);
  useSignalEffect(() => {
    document.documentElement.dataset.theme = store.state.value.theme;
  });
  useSignalEffect(() => {
    // Read here, so that each change of the setting is seen, whatever the system says.
    const asked = store.state.value.contrast === "more";
    document.documentElement.dataset.contrast = asked || contrasted.value ? "more" : "standard";
  });
  return (
    <AppProvider value={app}>
      <div class="app" ref={root} data-pane={pane.value} data-view={view.value}>
        <Skip root={root} />
        <Bar />
        <Arrived />
        <nav class="pane-tabs tabbar">
          <Tabs label="Panes" panel="panes" items={PANES} chosen={pane.value} choose={(id) => store.dispatch({ type: "pane", pane: id })} />
        </nav>
        <main class="panes" id="panes">
          <section class="pane-code" aria-label="Code">
            <Editor />
            <Splitter root={root} axis="y" />
            <Details />
          </section>
          <Splitter root={root} axis="x" />
          <section class="pane-program" aria-label="Program">
            <SignatureBar />
            <ProgramTabs />
            <Chains />
            <Stage />
          </section>
        </main>
        <Help />
        <ShareDialog />
        <HistoryDialog />
        <Drop />
        {print !== null && <print.Print />}
        <Announcer />
      </div>
    </AppProvider>
  );
}

/** Past the bar and the editor, to what the page is about. */
function Skip({ root }: { root: RefObject<HTMLDivElement | null> }) {
  const app = useApp();
  const focus = useLater(() => import("./panels/focus.ts"), true);
  useEffect(() => {
    if (root.current !== null) return focus?.keepFocus(root.current, app);
  }, [focus]);
  return (
    <button type="button" class="button skip" onClick={() => focus?.toProgram(app)}>
      To the program
    </button>
  );
}

/** Whether the system asks for more contrast, now and whenever that changes. */
function useSystemContrast(): Signal<boolean> {
  const more = useSignal(false);
  useEffect(() => {
    const query = matchMedia("(prefers-contrast: more)");
    const read = (): void => {
      more.value = query.matches;
    };
    read();
    query.addEventListener("change", read);
    return () => query.removeEventListener("change", read);
  }, []);
  return more;
}
