// What is said to screen readers only: how a search went, what was copied, what depends on what.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useApp } from "../app.ts";

export function Announcer() {
  const { commands } = useApp();
  const said = useSignal({ text: "", turn: 0 });
  useEffect(
    () =>
      commands.register({
        announce(text) {
          said.value = { text, turn: said.peek().turn + 1 };
        },
      }),
    [],
  );
  // A new paragraph each time: the same words again are news again.
  return (
    <div class="hidden-text announcer" role="status" aria-live="polite">
      <p key={said.value.turn}>{said.value.text}</p>
    </div>
  );
}
