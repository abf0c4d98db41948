// One program of the history: its name, the first line that says something, when it was traced.
import { type Entry, firstLine } from "../../state/local/entries.ts";
import { Close, Pin } from "../Icons.tsx";
import { when } from "./when.ts";

interface Props {
  readonly entry: Entry;
  open(): void;
  pin(): void;
  remove(): void;
}

export function Row({ entry, open, pin, remove }: Props) {
  const { source } = entry.link;
  const line = firstLine(source);
  const name = entry.name || "not traced";
  const lines = source.trimEnd().split("\n").length;
  return (
    <li class={entry.pinned ? "pinned" : ""}>
      <button type="button" class="past-open" onClick={open} title={source.slice(0, 1200)}>
        <span class="past-name mono">{name}</span>
        <time dateTime={new Date(entry.at).toISOString()} title={new Date(entry.at).toLocaleString()}>
          {when(entry.at, Date.now())}
        </time>
        <code class="past-line">{line}</code>
        <span class="past-size">{lines === 1 ? "1 line" : `${lines.toLocaleString("en")} lines`}</span>
      </button>
      <button
        type="button"
        class="button quiet icon"
        aria-pressed={entry.pinned}
        aria-label={entry.pinned ? `Unpin ${name}` : `Pin ${name}`}
        title={entry.pinned ? "Let it go when it is old" : "Keep it, however old it gets"}
        onClick={pin}
      >
        <Pin />
      </button>
      <button type="button" class="button quiet icon" aria-label={`Delete ${name}`} title="Delete it" onClick={remove}>
        <Close />
      </button>
    </li>
  );
}
