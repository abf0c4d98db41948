// What a place of the paste is, each time it was traced, and what can be made of the function that it names.
import type { Step } from "../../model/types.ts";
import { useApp } from "../app.ts";
import type { Named } from "../program/hints/functions.ts";
import type { Hint, Time } from "../program/hints/index.ts";
import { transformsOf } from "../state/transforms.ts";
import { askTyped, transform } from "./making.ts";

/** More rows than this are no longer looked at one by one. */
const MOST_ROWS = 8;

export function Card({ hint, text, named, close }: { hint: Hint | null; text: string; named: Named | null; close(): void }) {
  return (
    <div
      class="place-card"
      role="dialog"
      tabIndex={-1}
      aria-label={named === null ? `Type of ${text}` : `${named.fun}: types and transforms`}
    >
      {hint !== null && <Times hint={hint} text={text} close={close} />}
      {named !== null && <Making named={named} close={close} />}
    </div>
  );
}

interface Row extends Time {
  readonly count: number;
}

/** Times that differ in nothing that is shown are one row. */
function rowsOf(times: readonly Time[]): Row[] {
  const rows = new Map<string, Row>();
  for (const time of times) {
    const key = JSON.stringify([time.pass, time.type, time.batched, time.around]);
    const row = rows.get(key);
    rows.set(key, row === undefined ? { ...time, count: 1 } : { ...row, count: row.count + 1 });
  }
  return [...rows.values()];
}

function Times({ hint, text, close }: { hint: Hint; text: string; close(): void }) {
  const { store, commands } = useApp();
  const rows = rowsOf(hint.times);
  function go({ program, path }: Time): void {
    if (path === null) return;
    store.dispatch({ type: "program", id: program });
    close();
    requestAnimationFrame(() => commands.show(path));
  }
  return (
    <section>
      <code class="about">{text}</code>
      <ul>
        {rows.slice(0, MOST_ROWS).map((row) => (
          <li key={`${row.pass} ${row.type} ${row.around.join()}`}>
            <button type="button" class={`time ${row.pass}`} disabled={row.path === null} onClick={() => go(row)}>
              <b class="mono">{row.type}</b>
              <small>{wordsOf(row)}</small>
            </button>
          </li>
        ))}
      </ul>
      {rows.length > MOST_ROWS && <p>and {rows.length - MOST_ROWS} more</p>}
    </section>
  );
}

const PASSES = { forward: "", backward: "backward, its cotangent", recomputed: "computed again" } as const;

function wordsOf({ pass, batched, around, count }: Row): string {
  return [...around, PASSES[pass], batched ? "with the axis of a vmap" : "", count > 1 ? `${count} times` : ""]
    .filter((word) => word !== "")
    .join(" · ");
}

function Making({ named, close }: { named: Named; close(): void }) {
  const app = useApp();
  const { store } = app;
  const wishes = store.steady.value.wishes.length;
  const { fun, program, parameters } = named;
  const items = transformsOf({ parameters: [...(program?.parameters ?? parameters ?? [])], made_from: null }, wishes);
  const able = program !== null || parameters !== null;
  function make(step: Step): void {
    close();
    transform(app, named, step);
  }
  return (
    <section>
      <p class="making">
        <code>{fun}</code>
        {!able && <small>is not traced by itself: say its types to trace it</small>}
      </p>
      {able && (
        <div class="chips">
          {items.map(({ name, about, reason, step }) => (
            <button
              key={name}
              type="button"
              class="chip"
              aria-disabled={reason !== null}
              title={reason ?? about}
              onClick={() => reason === null && make(step)}
            >
              {name}
            </button>
          ))}
        </div>
      )}
      <button
        type="button"
        class="link"
        onClick={() => {
          close();
          askTyped(app, named);
        }}
      >
        Trace this function…
      </button>
    </section>
  );
}
