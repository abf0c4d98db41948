// Starts the page: what the last visit left or the first example, traced at once.
import { render } from "preact";
import first from "../../../visualizer/examples/01_grad_of_scan.py?raw";
import { App } from "./App.tsx";
import { type AppContext, createCommands, createLights } from "./app.ts";
import { createLoader } from "./state/loader.ts";
import { createRunner } from "./state/runner.ts";
import { restore } from "./state/saved.ts";
import { createStore } from "./state/store.ts";

const host = document.getElementById("page");
const nonce = document.querySelector<HTMLMetaElement>("meta[name='csp-nonce']")?.content ?? "";
const store = createStore(
  restore({
    source: first,
    auto: true,
    staticNumbers: false,
    theme: "auto",
    contrast: "auto",
    hints: true,
    asked: null,
    typed: {},
    wishes: [],
  }),
);
const runner = createRunner(store);
const loader = createLoader(store, runner.run);
const app: AppContext = { store, runner, loader, commands: createCommands(), lights: createLights(), nonce };

if (host !== null) {
  host.replaceChildren();
  render(<App app={app} />, host);
}
if (store.state.peek().source.trim() !== "") runner.run();
