// Starts the page: what its address brings, else what the last visit left, else the first example; traced at once.
import { render } from "preact";
import first from "../../../visualizer/examples/01_grad_of_scan.py?raw";
import { App } from "./App.tsx";
import { trace } from "./api/client.ts";
import { type AppContext, createCommands, createLights } from "./app.ts";
import { createOpener } from "./files/opener.ts";
import { createLinks, isLink, kept, type Opened, opened, openedShared } from "./links.ts";
import { createPast } from "./past.ts";
import { createJourney, entryOf } from "./state/journey.ts";
import { createLoader } from "./state/loader.ts";
import { createRunner } from "./state/runner.ts";
import { fresh, hasSaved, restore } from "./state/saved.ts";
import { keptShared, sharedIn } from "./state/shared.ts";
import { createStore } from "./state/store.ts";

const host = document.getElementById("page");
const nonce = document.querySelector<HTMLMetaElement>("meta[name='csp-nonce']")?.content ?? "";

async function begin(): Promise<Opened> {
  const saved = restore(fresh(first));
  // The command `open` brings people here.
  if (location.search === "?opened")
    return {
      saved: { ...saved, file: { name: "", size: 0, data: "", as: "told" } },
      spot: entryOf(history.state)?.seen ?? null,
      arrival: null,
    };
  const here = entryOf(history.state);
  // A reload: what this tab saved is newer than the address, which follows after a pause.
  const reloaded = here !== null && hasSaved();
  // A short link is a page of its own, and the server has put what it holds into it.
  const came = sharedIn(document.getElementById("shared-link")?.textContent ?? null, location.pathname);
  if (came !== null) {
    const found = await openedShared(came, saved, reloaded);
    return reloaded ? { ...found, spot: here.seen } : found;
  }
  if (!reloaded && isLink(location.hash)) return opened(location.hash, saved);
  const origin = hasSaved() ? keptShared() : null;
  const seen = { saved, spot: here?.seen ?? null, arrival: kept(saved) };
  return origin === null ? seen : { ...seen, arrival: seen.arrival ?? { kind: "link", kept: false, back: false }, shared: origin };
}

const { saved, spot, arrival, shared = null } = await begin();
const store = createStore(saved, { restoring: spot, arrival, shared });
const lights = createLights();
// What is opened may be read here; most pages open nothing.
const send: typeof trace = (wanted, ...rest) =>
  "opens" in wanted ? import("./files/sending.ts").then(({ sending }) => sending(lights)(wanted, ...rest)) : trace(wanted, ...rest);
const runner = createRunner(store, send, (packed) => {
  lights.coming.value = packed;
  // Who draws it has heard; what nobody looks at any more is not to be kept for it.
  lights.coming.value = null;
});
const loader = createLoader(store, runner.run);
const links = createLinks(store, () => runner.run(), first);
const { search } = location;
// The address of the page changes between `/` and `/s/<id>`, and some browsers look for the icon again.
for (const link of document.querySelectorAll<HTMLLinkElement>("link[rel='icon']")) link.setAttribute("href", link.href);
const journey = createJourney(
  store,
  {
    state: history.state,
    push: (entry) => history.pushState(entry, "", location.href),
    replace: (entry, fragment) =>
      history.replaceState(entry, "", fragment === null ? location.href : links.path(store.state.peek()) + search + fragment),
    go: (steps) => history.go(steps),
  },
  links.address,
);
const opener = createOpener(store, runner, lights);
const past = createPast(store, () => runner.run());
const app: AppContext = { store, runner, loader, journey, links, past, opener, commands: createCommands(), lights, nonce };

window.addEventListener("popstate", (event) => {
  if (journey.popped(event.state)) return;
  journey.landed();
  if (isLink(location.hash)) void links.open(location.hash);
});

// Not every system has this for its own history; in a field the arrows are the field's.
window.addEventListener("keydown", (event) => {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const steps = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
  const field = event.target instanceof HTMLElement && (event.target.isContentEditable || event.target.matches("input, textarea, select"));
  if (steps === 0 || field || !(steps < 0 ? journey.back : journey.forward).peek()) return;
  event.preventDefault();
  journey.go(steps);
});

if (host !== null) {
  host.replaceChildren();
  render(<App app={app} />, host);
}
if (store.state.peek().file !== null || store.state.peek().source.trim() !== "") runner.run();
