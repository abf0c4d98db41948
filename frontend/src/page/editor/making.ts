// What the card of a function does: a transform of its program, or of itself with the types that it was called with; or the bar of its types.
import type { Step } from "../../model/types.ts";
import type { AppContext } from "../app.ts";
import type { Named } from "../program/hints/functions.ts";
import { wishKey, wishOn } from "../state/wishes.ts";

/** The id of the program that is traced when a function is asked for: it is the only one of the paste. */
const ASKED = "p0";

export function transform({ store, runner }: AppContext, { fun, program, parameters }: Named, step: Step): void {
  const trace = store.state.peek().shown?.trace;
  if (trace === undefined) return;
  store.dispatch({ type: "pane", pane: "graph" });
  if (program !== null) {
    const wish = wishOn(trace, program, step);
    store.dispatch({ type: "wish", wish });
    if (store.state.peek().awaited === wishKey(wish)) runner.run();
    return;
  }
  if (parameters === null) return;
  const signature = Object.fromEntries(parameters.map(({ name, text }) => [name, text]));
  store.dispatch({ type: "ask", asked: { fun, signature, args: "" } });
  store.dispatch({ type: "wish", wish: { base: { id: ASKED, name: fun }, steps: [step] } });
  runner.run();
}

/** The bar of types, filled in with what is known of them. */
export function askTyped({ store }: AppContext, { fun, parameters }: Named): void {
  const typed = store.state.peek().typed[fun] ?? {};
  for (const { name, text } of parameters ?? []) {
    if ((typed[name] ?? "") === "") store.dispatch({ type: "typed", fun, name, value: text });
  }
  store.dispatch({ type: "pane", pane: "graph" });
  store.dispatch({ type: "bar", open: true, fun });
}
