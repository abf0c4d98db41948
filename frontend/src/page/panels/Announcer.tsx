// What is said of what just happened, to screen readers always: how a search went, what depends on what, which program and level
// is shown now; what was copied also on screen.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useApp } from "../app.ts";
import { useLater } from "./later.ts";

const SEEN_MS = 2200;

export function Announcer() {
  const { commands, store } = useApp();
  const news = useLater(() => import("../program/news.ts"), true);
  const said = useSignal({ text: "", turn: 0, seen: false });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    commands.register({
      announce(text, seen = false) {
        clearTimeout(timer);
        said.value = { text, turn: said.peek().turn + 1, seen };
        timer = setTimeout(() => {
          said.value = { ...said.peek(), seen: false };
        }, SEEN_MS);
      },
    });
    return () => clearTimeout(timer);
  }, []);
  useEffect(
    () =>
      store.listen((action, before, now) => {
        const words = news?.newsOf(action, before, now) ?? null;
        if (words !== null) commands.announce(words);
      }),
    [news],
  );
  const { text, turn, seen } = said.value;
  // A new paragraph each time: the same words again are news again.
  return (
    <>
      <div class="hidden-text announcer" role="status" aria-live="polite">
        <p key={turn}>{text}</p>
      </div>
      {seen && (
        <div class="toast" aria-hidden="true" key={turn}>
          {text}
        </div>
      )}
    </>
  );
}
