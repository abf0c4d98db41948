// What stands where a graph will be: nothing yet, nothing found, an error, work going on.
import { useComputed } from "@preact/signals";
import { useApp } from "../app.ts";
import { standsAtField } from "../state/asked.ts";
import { type Empty, placeholderFor } from "../state/placeholder.ts";
import { currentProgram } from "../state/update.ts";

export function Placeholder() {
  const { store } = useApp();
  const text = useComputed(() => JSON.stringify(placeholderFor(store.state.value)));
  const shown = JSON.parse(text.value) as ReturnType<typeof placeholderFor>;
  if (shown === null) return null;
  return (
    <div class="placeholder" role="status">
      <strong>{shown.title}</strong>
      {shown.busy && <div class="progress" />}
      {shown.text !== "" && <p>{shown.text}</p>}
      {shown.offers !== undefined && <Offered what={shown.offers} />}
    </div>
  );
}

export function Offered({ what }: { what: NonNullable<Empty["offers"]> }) {
  const { store, runner } = useApp();
  const compile = (): void => {
    store.dispatch({ type: "compile", on: true });
    runner.run();
  };
  const cancel = (): void => {
    runner.cancel();
    store.dispatch({ type: "compile", on: false });
  };
  return (
    <button type="button" class={`button ${what === "compile" ? "primary" : ""}`} onClick={what === "compile" ? compile : cancel}>
      {what === "compile" ? "Compile" : "Cancel"}
    </button>
  );
}

export function Working({ text, cancel }: { text: string; cancel(): void }) {
  return (
    <div class="banner" role="status">
      {text}
      <div class="progress" />
      <button type="button" class="link" onClick={cancel}>
        Cancel
      </button>
    </div>
  );
}

/** Over a graph that is older than what the editor holds. */
export function Stale() {
  const { store } = useApp();
  const failed = useComputed(() => {
    const { shown, latest, failure } = store.state.value;
    return currentProgram(store.state.value) !== null && (failure !== null || shown !== latest);
  });
  const at = useComputed(() => {
    const errors = store.steady.value.latest?.trace.diagnostics.filter(({ severity }) => severity === "error") ?? [];
    return store.steady.value.failure === null && errors.length > 0 && errors.every(standsAtField);
  });
  if (!failed.value) return null;
  return (
    <div class="strip" role="status">
      This is the last program that could be traced.{" "}
      {at.value ? "The problem is at the field above." : "The problem is listed under the code."}
    </div>
  );
}
