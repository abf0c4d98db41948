// Over what is shown: a run that takes its time says what it does and how long it has, and can be ended.
import { useComputed } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app.ts";
import { isRunning, statusOf } from "../state/status.ts";

/** Sooner than this it would be a flicker. */
const SLOW_SECONDS = 2;

export function Running() {
  const { store, runner } = useApp();
  const id = useComputed(() => (isRunning(store.state.value.run) ? store.state.value.run.id : null)).value;
  const doing = useComputed(() => statusOf(store.state.value).text);
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    setSeconds(0);
    if (id === null) return;
    const started = performance.now();
    const clock = setInterval(() => setSeconds(Math.floor((performance.now() - started) / 1000)), 250);
    return () => clearInterval(clock);
  }, [id]);
  if (id === null || seconds < SLOW_SECONDS) return null;
  return (
    <div class="banner" role="status">
      {doing.value}
      {/* Not said again each second. */}
      <span class="seconds" aria-hidden="true">
        {seconds} s
      </span>
      <div class="progress" />
      <button type="button" class="link" onClick={runner.cancel}>
        Cancel
      </button>
    </div>
  );
}
