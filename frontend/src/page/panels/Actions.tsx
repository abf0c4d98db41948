// What can be done with what is selected: follow it.
import { useComputed } from "@preact/signals";
import { useApp } from "../app.ts";
import type { Way } from "../state/finding.ts";

const WAYS: readonly { readonly way: Way; readonly title: string; readonly hint: string }[] = [
  { way: "up", title: "Depends on", hint: "Show only what this depends on (u)" },
  { way: "down", title: "Feeds", hint: "Show only what this feeds (d)" },
];

export function Actions() {
  const { store, commands } = useApp();
  const way = useComputed(() => store.following.value?.way ?? null);
  return (
    <div class="actions" role="toolbar" aria-label="With what is selected">
      {WAYS.map((each) => (
        <button
          key={each.way}
          type="button"
          class="button small"
          aria-pressed={way.value === each.way}
          title={each.hint}
          onClick={() => commands.follow(each.way)}
        >
          {each.title}
        </button>
      ))}
    </div>
  );
}
