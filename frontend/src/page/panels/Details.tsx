// Below the editor: the inspector, the outline, problems, what the paste printed, and notes.
import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Diagnostic } from "../../model/types.ts";
import { useApp } from "../app.ts";
import { type MessageTab, preferredTab, tabsOf } from "../state/messages.ts";
import type { Failure } from "../state/types.ts";
import { useLater } from "./later.ts";
import { Tabs } from "./Tabs.tsx";

export function Details() {
  const { store, commands } = useApp();
  // Beside the first trace, which takes longer.
  const inspector = useLater(() => import("./Inspector.tsx"), true);
  const failure = useComputed(() => store.state.value.failure);
  // A run without an answer says nothing: what the run before said is about other code.
  const latest = useComputed(() => (failure.value === null ? store.state.value.latest : null));
  const tabs = useComputed(() => tabsOf(latest.value?.trace ?? null, failure.value));
  const chosen = useSignal<MessageTab>("inspector");
  // Every new answer brings forward what matters most in it; after that the choice is the person's.
  useSignalEffect(() => {
    chosen.value = preferredTab(latest.value?.trace ?? null, failure.value, chosen.peek());
  });
  /** Counts how often the outline was gone to by its key: each time it takes the keyboard. */
  const gone = useSignal(0);
  useEffect(
    () =>
      commands.register({
        outline() {
          store.dispatch({ type: "pane", pane: "details" });
          chosen.value = "outline";
          gone.value += 1;
        },
      }),
    [],
  );
  // Selecting something is asking what it is; the outline says it, too.
  useSignalEffect(() => {
    if (store.selection.value !== null && chosen.peek() !== "outline") chosen.value = "inspector";
  });
  const shown = tabs.value.some((tab) => tab.id === chosen.value) ? chosen.value : "inspector";
  const outline = useLater(() => import("./outline/Outline.tsx"), shown === "outline");
  return (
    <div class="details">
      <h2 class="hidden-text">Details</h2>
      <div class="tabbar">
        <Tabs
          label="Details"
          panel="details-panel"
          chosen={shown}
          choose={(id) => {
            chosen.value = id;
          }}
          items={tabs.value.map((tab) => ({
            id: tab.id,
            title: (
              <>
                {tab.alarm && <span class="dot-error" aria-hidden="true" />}
                {tab.title}
                {tab.count > 0 && <span class="count">{tab.count}</span>}
              </>
            ),
          }))}
        />
      </div>
      {/* It scrolls, so the keyboard must reach it; the outline has a stop of its own. */}
      <div role="tabpanel" id="details-panel" data-shown={shown} aria-label={shown} tabIndex={shown === "outline" ? undefined : 0}>
        {shown === "inspector" && inspector !== null && <inspector.Inspector />}
        {shown === "outline" && outline !== null && <outline.Outline turn={gone.value} />}
        {shown === "problems" && <Problems problems={latest.value?.trace.diagnostics ?? []} failure={failure.value} />}
        {shown === "output" && (
          <Output text={latest.value?.trace.output.text ?? ""} truncated={latest.value?.trace.output.truncated ?? false} />
        )}
        {shown === "notes" && (
          <ul class="notes">
            {(latest.value?.trace.notes ?? []).map((note, index) => (
              <li key={index}>{note}</li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

function Output({ text, truncated }: { text: string; truncated: boolean }) {
  if (text === "") return <p class="faint">The program printed nothing.</p>;
  return (
    <>
      <pre>{text}</pre>
      {truncated && <p class="faint">The rest was cut off.</p>}
    </>
  );
}

function Problems({ problems, failure }: { problems: readonly Diagnostic[]; failure: Failure | null }) {
  return (
    <>
      {failure !== null && (
        <div class="problem error" role="alert">
          <div class="what">
            <b>{failure.message}</b>
          </div>
          {failure.advice !== "" && <div>{failure.advice}</div>}
        </div>
      )}
      {problems.map((problem, index) => (
        <Problem key={index} problem={problem} />
      ))}
    </>
  );
}

function Problem({ problem }: { problem: Diagnostic }) {
  const { commands } = useApp();
  const { span } = problem;
  return (
    <div class={`problem ${problem.severity}`}>
      <div class="what">
        {problem.type !== "" && <b>{problem.type}: </b>}
        {problem.message}
      </div>
      {problem.advice !== "" && <div>{problem.advice}</div>}
      <div class="where">
        {span !== null && (
          <button type="button" class="link" onClick={() => commands.goTo(span)}>
            Line {span.line}
          </button>
        )}
        {problem.frames.slice(0, -1).map((frame, index) => (
          <span key={index}>
            called from{" "}
            <button type="button" class="link" onClick={() => commands.goTo(frame.span)}>
              {frame.function}, line {frame.span.line}
            </button>
          </span>
        ))}
      </div>
    </div>
  );
}
