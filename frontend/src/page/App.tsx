// The page: where every pane stands. Each pane listens to just the signals it shows.
import { useComputed, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { type AppContext, AppProvider } from "./app.ts";
import { Editor } from "./editor/Editor.tsx";
import { Announcer } from "./panels/Announcer.tsx";
import { Bar } from "./panels/Bar.tsx";
import { Chains } from "./panels/Chains.tsx";
import { Details } from "./panels/Details.tsx";
import { Help } from "./panels/Help.tsx";
import { ProgramTabs } from "./panels/ProgramTabs.tsx";
import { Signature } from "./panels/Signature.tsx";
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
  const pane = useComputed(() => store.state.value.pane);
  useSignalEffect(() => {
    document.documentElement.dataset.theme = store.state.value.theme;
  });
  return (
    <AppProvider value={app}>
      <div class="app" ref={root} data-pane={pane.value}>
        <Bar />
        <nav class="pane-tabs tabbar">
          <Tabs label="Panes" panel="panes" items={PANES} chosen={pane.value} choose={(id) => store.dispatch({ type: "pane", pane: id })} />
        </nav>
        <main class="pane-code" id="panes" aria-label="Code">
          <Editor />
          <Splitter root={root} axis="y" />
          <Details />
        </main>
        <Splitter root={root} axis="x" />
        <section class="pane-program" aria-label="Program">
          <Signature />
          <ProgramTabs />
          <Chains />
          <Stage />
        </section>
        <Help />
        <Announcer />
      </div>
    </AppProvider>
  );
}
