// One hit: what it is, its type, the bodies around it, its line.
import type { Module, Program } from "../../../model/types.ts";
import type { Entry } from "../../program/search/entries.ts";
import { trailOf } from "../../program/search/where.ts";

interface Props {
  readonly id: string;
  readonly entry: Entry;
  readonly program: Program | null;
  readonly module: Module | null;
  /** The text that was traced, in lines. */
  readonly lines: readonly string[];
  readonly selected: boolean;
  choose(): void;
}

export function Row({ id, entry, program, module, lines, selected, choose }: Props) {
  const trail = program === null ? [] : trailOf(program, module, entry);
  const { title, note, line } = entry.facts;
  const source = line === null ? "" : (lines[line - 1]?.trim() ?? "");
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys of the list
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus, as in every combobox
    <div role="option" id={id} aria-selected={selected} class={`hit hit-${entry.kind}`} onClick={choose}>
      <span class="hit-title">{title}</span>
      <span class="hit-note">{note}</span>
      <span class="hit-where">
        {trail.join(" › ")}
        {line !== null && `${trail.length > 0 ? ", " : ""}line ${line}`}
        {source !== "" && <code>{source}</code>}
      </span>
    </div>
  );
}
