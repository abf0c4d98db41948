// The bar on top: run, examples, settings, how the last run went, theme and help.
import { useComputed } from "@preact/signals";
import { useApp } from "../app.ts";
import { statusOf } from "../state/status.ts";
import type { Theme } from "../state/types.ts";
import { History } from "./History.tsx";
import { Brand, Down, Gear, HalfMoon, Moon, Play, Sun } from "./Icons.tsx";
import { useLater } from "./later.ts";
import { Menu } from "./Menu.tsx";
import { OpenFile } from "./OpenFile.tsx";
import { Runtimes, useRuntimes } from "./Runtimes.tsx";
import { SaveTrace } from "./SaveTrace.tsx";
import { Share } from "./Share.tsx";

const NEXT: Readonly<Record<Theme, Theme>> = { auto: "light", light: "dark", dark: "auto" };
const THEME_NAMES: Readonly<Record<Theme, string>> = { auto: "as the system", light: "light", dark: "dark" };
const mac = navigator.platform.startsWith("Mac");

export function Bar() {
  const { store, runner, commands } = useApp();
  const theme = useComputed(() => store.state.value.theme);
  const contrast = useComputed(() => store.state.value.contrast);
  const auto = useComputed(() => store.state.value.auto);
  const hints = useComputed(() => store.state.value.hints);
  const held = useComputed(() => store.state.value.staticNumbers);
  // There by the time that anyone can open the menu; the first paint does not wait for them.
  const examples = useLater(() => import("../examples.ts"), true);
  const { items: several, chosen, narrow } = useRuntimes();
  const themeLabel = `Theme: ${THEME_NAMES[theme.value]}`;
  return (
    <header class="bar">
      <h1 class="brand">
        <Brand />
        <span>jaxpr visualizer</span>
      </h1>
      <button type="button" class="button primary" onClick={() => runner.run()} aria-keyshortcuts="Control+Enter Meta+Enter">
        <Play /> Run <kbd>{mac ? "⌘" : "Ctrl"} ⏎</kbd>
      </button>
      <Menu
        label="Examples"
        icon={<Down />}
        items={(examples?.EXAMPLES ?? []).map((example) => ({
          id: example.id,
          title: example.title,
          about: example.about,
          choose() {
            store.dispatch({ type: "load", source: example.source });
            runner.run();
          },
        }))}
      />
      <OpenFile />
      <Menu
        label="Settings"
        quiet
        hideLabel
        icon={<Gear />}
        items={[
          ...(narrow
            ? [{ id: "history", title: "History…", about: "What was traced in this browser.", choose: () => commands.recall() }, ...several]
            : []),
          {
            id: "auto",
            title: "Trace while I type",
            about: "Runs after a short pause in typing.",
            checked: auto.value,
            choose: () => store.dispatch({ type: "settings", auto: !auto.value }),
          },
          {
            id: "hints",
            title: "Types beside the code",
            about: "The type of each expression that was traced.",
            checked: hints.value,
            choose: () => store.dispatch({ type: "settings", hints: !hints.value }),
          },
          {
            id: "held",
            title: "Hold Python numbers static",
            about: "Plain numbers among the arguments of a call become literals in the program instead of inputs.",
            checked: held.value,
            choose() {
              store.dispatch({ type: "settings", staticNumbers: !held.value });
              runner.run();
            },
          },
          {
            id: "contrast",
            title: "High contrast",
            about: "Stronger lines and text; on by itself where the system asks for it.",
            checked: contrast.value === "more",
            choose: () => store.dispatch({ type: "settings", contrast: contrast.value === "more" ? "auto" : "more" }),
          },
        ]}
      />
      <div class="space" />
      <Status named={several.length === 0 || narrow} />
      {several.length > 0 && !narrow && <Runtimes items={several} chosen={chosen} />}
      <SaveTrace />
      <History />
      <Share />
      <button
        type="button"
        class="button quiet icon"
        aria-label={themeLabel}
        title={themeLabel}
        onClick={() => store.dispatch({ type: "settings", theme: NEXT[theme.value] })}
      >
        {theme.value === "dark" ? <Moon /> : theme.value === "light" ? <Sun /> : <HalfMoon />}
      </button>
      <button
        type="button"
        class="button quiet icon"
        aria-label="Keys and help"
        title="Keys and help (F1)"
        aria-keyshortcuts="F1"
        onClick={() => commands.help()}
      >
        ?
      </button>
    </header>
  );
}

function Status({ named }: { readonly named: boolean }) {
  const { store } = useApp();
  const status = useComputed(() => JSON.stringify([statusOf(store.state.value), statusOf(store.state.value, false)]));
  const both = JSON.parse(status.value) as readonly [ReturnType<typeof statusOf>, ReturnType<typeof statusOf>];
  const { tone, text, detail } = both[named ? 0 : 1];
  return (
    <div class={`status ${tone}`} role="status">
      <span class="dot" aria-hidden="true" />
      <span class="short">{text}</span>
      {detail !== "" && <span class="detail">{detail}</span>}
    </div>
  );
}
