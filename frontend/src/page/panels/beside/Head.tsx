// The head of a column: what it shows, and what to do when that is not there.
import type { Program } from "../../../model/types.ts";
import { useApp } from "../../app.ts";
import { ALL_COLUMNS, type ColumnId, columnTitle } from "../../state/columns.ts";
import { LEVEL_NAMES, moduleLevels } from "../../state/current.ts";
import { notCompiled } from "../../state/placeholder.ts";
import { isRunning } from "../../state/status.ts";
import type { Level } from "../../state/types.ts";
import { Close } from "../Icons.tsx";
import { Offered } from "../Placeholders.tsx";

interface Props {
  readonly id: ColumnId;
  readonly columns: readonly ColumnId[];
  choose(id: ColumnId): void;
  readonly remove: (() => void) | null;
  readonly add: (() => void) | null;
}

export function Head({ id, columns, choose, remove, add }: Props) {
  return (
    <div class="beside-head">
      <select
        aria-label={`Column ${columns.indexOf(id) + 1} shows`}
        value={id}
        onChange={(event) => choose(event.currentTarget.value as ColumnId)}
      >
        {ALL_COLUMNS.map((other) => (
          <option key={other} value={other}>
            {columnTitle(other)}
          </option>
        ))}
      </select>
      {add !== null && (
        <button type="button" class="button quiet" title="One more column" onClick={add}>
          + column
        </button>
      )}
      {remove !== null && (
        <button type="button" class="button quiet icon" aria-label={`Close ${columnTitle(id)}`} title="Close this column" onClick={remove}>
          <Close />
        </button>
      )}
    </div>
  );
}

export function isThere(program: Program | null, level: Level): boolean {
  if (program === null) return false;
  return level === "jaxpr" ? program.entry !== null : moduleLevels(program).includes(level);
}

/** In place of a level that is not there. */
export function Missing({ program, level }: { program: Program | null; level: Level }) {
  const { store } = useApp();
  const { run } = store.state.value;
  const running = isRunning(run);
  const words = level === "hlo" && program !== null ? notCompiled(store.state.value, program, running) : null;
  return (
    <div class="beside-missing" role="status">
      <strong>{words?.title ?? (running ? "On its way" : `No ${LEVEL_NAMES[level]} here`)}</strong>
      {words?.busy === true && <div class="progress" />}
      {words !== null && words.text !== "" && <p>{words.text}</p>}
      {words?.offers !== undefined && <Offered what={words.offers} />}
    </div>
  );
}
