// What can be done with what is selected: follow it, copy it, pin it.
import { useComputed } from "@preact/signals";
import { useApp } from "../app.ts";
import { type Copied, copyBody, copyOf, copyWhole } from "../program/copied.ts";
import { placeOf } from "../program/instances.ts";
import { LEVEL_NAMES } from "../state/current.ts";
import type { Way } from "../state/finding.ts";
import { pinOf } from "../state/pins.ts";
import { levelOf } from "../state/update.ts";
import { copyText } from "./copy.ts";

const WAYS: readonly { readonly way: Way; readonly title: string; readonly hint: string }[] = [
  { way: "up", title: "Depends on", hint: "Show only what this depends on (u)" },
  { way: "down", title: "Feeds", hint: "Show only what this feeds (d)" },
];

export function Actions() {
  const { store, commands } = useApp();
  const way = useComputed(() => store.following.value?.way ?? null);
  const program = store.program.value;
  const path = store.selected.value;
  if (program === null) return null;
  const selected = store.selection.value;
  const level = levelOf(store.state.value.view);
  const bodies = level !== "jaxpr" || path === null || selected?.kind === "value" ? [] : (placeOf(program, path)?.eqn.nested ?? []);
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
      {level === "jaxpr" && selected?.kind !== "value" && <PinButton path={path} />}
      <CopyButton hint="Copy it as text (Ctrl/⌘ C on the graph)" make={() => copyOf(program, level, selected, path)}>
        Copy
      </CopyButton>
      {path !== null &&
        bodies.map(
          (call, index) =>
            index < 4 && (
              <CopyButton key={index} hint="Copy the jaxpr of this body" make={() => copyBody(program, path, index)}>
                Copy {bodies.length === 1 ? "body" : call.label}
              </CopyButton>
            ),
        )}
    </div>
  );
}

/** For the program as a whole, when nothing is selected. */
export function WholeActions() {
  const { store } = useApp();
  const program = store.program.value;
  if (program === null) return null;
  const level = levelOf(store.state.value.view);
  return (
    <div class="actions" role="toolbar" aria-label="With the program">
      <PinButton path={null} />
      {copyWhole(program, level) !== null && (
        <CopyButton hint="Copy the text of this level" make={() => copyWhole(program, level)}>
          Copy {LEVEL_NAMES[level]}
        </CopyButton>
      )}
    </div>
  );
}

function PinButton({ path }: { path: string | null }) {
  const { store, commands } = useApp();
  const program = store.program.value;
  const there = program !== null && store.state.value.pins.list.some(({ key }) => key === pinOf(program, path)?.key);
  return (
    <button
      type="button"
      class="button small"
      aria-pressed={there}
      title="Keep it, to compare others with it (k)"
      onClick={() => commands.pin(path)}
    >
      {there ? "Unpin" : "Pin"}
    </button>
  );
}

export function CopyButton({ hint, make, children }: { hint: string; make(): Copied | null; children: preact.ComponentChildren }) {
  const { commands } = useApp();
  return (
    <button
      type="button"
      class="button small"
      title={hint}
      onClick={async () => {
        const copied = make();
        const done = copied !== null && (await copyText(copied.text));
        commands.announce(
          copied === null ? "There is no text of it to copy." : done ? `Copied ${copied.what}.` : "The browser did not let it be copied.",
          true,
        );
      }}
    >
      {children}
    </button>
  );
}
