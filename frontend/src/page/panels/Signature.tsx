// The signature bar: choose a function of the paste, type what it is traced with, and see at each field what is wrong with it.
import { useComputed, useSignalEffect } from "@preact/signals";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { useApp } from "../app.ts";
import { askedWith, barOf, choicesFor, chosenOf, EXPRESSION, type Fault, faultsOf, fieldValue, wordsOf } from "../state/asked.ts";
import type { Choice, Parameter } from "../state/functions.ts";
import { promptOf } from "../state/prompt.ts";
import { inShort } from "../state/wishes.ts";
import { Close, Pen } from "./Icons.tsx";
import { NARROW } from "./narrow.ts";

export function Signature() {
  const { store } = useApp();
  const view = useComputed(() => barOf(store.steady.value));
  if (view.value === "none") return null;
  return view.value === "summary" ? <Summary /> : <Fields />;
}

/** While a function is traced with types: which, and the ways to change that. */
function Summary() {
  const { store } = useApp();
  const { asked } = store.steady.value;
  if (asked === null) return null;
  return (
    <section class="signature summary" aria-label="Signature">
      <Traced />
      <code class="words" title={wordsOf(asked)}>
        {wordsOf(asked)}
      </code>
      <button type="button" class="button quiet" data-opens="signature" onClick={() => store.dispatch({ type: "bar", open: true })}>
        <Pen /> Edit
      </button>
      <Back />
    </section>
  );
}

function Traced() {
  const { store } = useApp();
  const { asked, latest, shown, run, failure } = store.steady.value;
  if (asked === null || latest?.asked !== asked || run.phase === "running" || failure !== null) return null;
  const failed = latest.trace.diagnostics.some(
    (diagnostic) => diagnostic.severity === "error" && !diagnostic.field?.startsWith("transforms["),
  );
  if (failed || shown !== latest) return <span class="state failed">Not traced with these types</span>;
  return <span class="state">Traced with these types</span>;
}

/** Back to what the paste itself calls. */
function Back() {
  const { store, runner } = useApp();
  return (
    <button
      type="button"
      class="button quiet icon"
      aria-label="Drop these types, back to the paste"
      title="Drop these types, back to the paste"
      onClick={() => {
        store.dispatch({ type: "ask", asked: null });
        runner.run();
      }}
    >
      <Close />
    </button>
  );
}

function Fields() {
  const { store, runner, commands } = useApp();
  const form = useRef<HTMLFormElement>(null);
  const last = useRef<string | null>(null);
  const submitted = useRef(false);
  const id = useId();
  const state = store.steady.value;
  const choices = choicesFor(state);
  const choice = chosenOf(state, choices);
  const faults = faultsOf(state, choice);
  const { span } = choice;
  const field = (name: string): HTMLInputElement | null => form.current?.querySelector(`[data-field="${CSS.escape(name)}"]`) ?? null;

  // Opened by hand: the typing can begin. A bar that comes by itself leaves the focus where it is.
  useLayoutEffect(() => {
    if (store.state.peek().bar.open) form.current?.querySelector<HTMLElement>("input, select")?.focus();
  }, []);

  // After Enter, to the first field that is at fault; never while somebody types elsewhere.
  useSignalEffect(() => {
    const { run, shown, latest, failure } = store.steady.value;
    if (!submitted.current || run.phase === "running") return;
    submitted.current = false;
    const done = shown === latest && failure === null;
    // On a phone the program needs the room.
    if (done && matchMedia(NARROW).matches) close();
    else requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus());
  });

  function send(): void {
    store.dispatch({ type: "ask", asked: askedWith(choice, store.state.peek().typed) });
    store.dispatch({ type: "bar", open: true, fun: choice.fun });
    runner.run();
    submitted.current = true;
  }

  /** The focus goes to what opens the bar again. */
  function close(): void {
    store.dispatch({ type: "bar", open: false });
    requestAnimationFrame(() => document.querySelector<HTMLElement>("[data-opens='signature']")?.focus());
  }

  function fill(text: string): void {
    const empty = choice.args.find((arg) => fieldValue(state.typed, choice.fun, arg) === "");
    const name = choice.args.some((arg) => arg.name === last.current) ? last.current : (empty ?? choice.args[0])?.name;
    if (name == null) return;
    store.dispatch({ type: "typed", fun: choice.fun, name, value: text });
    field(name)?.focus();
  }

  return (
    <form
      class="signature"
      ref={form}
      aria-label="Trace a function with types"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          send();
        } else if (event.key === "Escape" && state.bar.open) close();
      }}
    >
      <div class="signature-head">
        <span class="which">
          <label for={`${id}-which`}>Function</label>
          <select
            id={`${id}-which`}
            class="field"
            value={choice.fun}
            onChange={(event) => store.dispatch({ type: "bar", open: state.bar.open, fun: event.currentTarget.value })}
          >
            {choices.map((one) => (
              <option key={one.fun} value={one.fun}>
                {one.fun === EXPRESSION.fun ? "An expression…" : one.fun}
              </option>
            ))}
          </select>
        </span>
        {span !== null && (
          <button type="button" class="link" onClick={() => commands.goTo(span)}>
            line {span.line}
          </button>
        )}
        <Traced />
        <span class="ends">
          {state.bar.open && (
            <button type="button" class="button quiet" onClick={close}>
              {state.asked === null ? "Cancel" : "Done"}
            </button>
          )}
          {state.asked !== null && <Back />}
        </span>
      </div>
      <div class="typed-fields">
        {choice.args.map((arg) => (
          <Field
            key={`${choice.fun} ${arg.name}`}
            id={`${id}-${arg.name}`}
            choice={choice}
            parameter={arg}
            value={fieldValue(state.typed, choice.fun, arg)}
            fault={faults.get(arg.name) ?? null}
            focused={() => {
              last.current = arg.name;
            }}
          />
        ))}
      </div>
      <Whole fault={faults.get("") ?? null} />
      <div class="signature-foot">
        {choice.args.length > 0 ? <Hints fill={fill} /> : <p class="hints">It takes no arguments.</p>}
        <button type="submit" class="button primary" aria-keyshortcuts="Enter Control+Enter Meta+Enter">
          Trace
        </button>
      </div>
    </form>
  );
}

/** What is said of the function itself, or of all its arguments. */
function Whole({ fault }: { fault: Fault | null }) {
  if (fault === null) return null;
  return (
    <p class="fault" role="alert">
      <Words fault={fault} />
    </p>
  );
}

/** Python's own messages end without a full stop; here a sentence follows. */
function sentence(message: string): string {
  return /[.!?:…]\s*$/.test(message) ? message : `${message}.`;
}

function Words({ fault }: { fault: Fault }) {
  return (
    <>
      {sentence(inShort(fault.message))} {fault.advice !== "" && <span class="advice">{fault.advice}</span>}
    </>
  );
}

/** Characters that a narrow field holds. */
const WIDE = 18;
const LABELS: Readonly<Record<string, string>> = { fun: "Function, an expression", args: "Arguments" };
const EXAMPLES: Readonly<Record<string, string>> = { fun: "jax.grad(loss)", args: "f32[3], 2.0" };

function Field({
  id,
  choice,
  parameter,
  value,
  fault,
  focused,
}: {
  id: string;
  choice: Choice;
  parameter: Parameter;
  value: string;
  fault: Fault | null;
  focused(): void;
}) {
  const { store } = useApp();
  const { name, annotation } = parameter;
  const free = choice.fun === EXPRESSION.fun;
  const example = free ? EXAMPLES[name] : promptOf(annotation);
  return (
    <div class={`typed-field ${fault !== null || value.length > WIDE ? "wide" : ""}`}>
      <label for={id} title={annotation === null ? name : `${name}: ${annotation}`}>
        {free ? <span>{LABELS[name]}</span> : <code>{name}</code>}
        {annotation !== null && " "}
        {annotation !== null && <span class="annotation">{annotation}</span>}
      </label>
      <input
        id={id}
        class="field"
        data-field={name}
        value={value}
        placeholder={parameter.default === null || parameter.default === "" ? example : parameter.default}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : `${id}-fault`}
        onFocus={focused}
        onInput={(event) => store.dispatch({ type: "typed", fun: choice.fun, name, value: event.currentTarget.value })}
      />
      {fault !== null && (
        <p class="fault" id={`${id}-fault`}>
          <Words fault={fault} />
        </p>
      )}
    </div>
  );
}

const HINTS: readonly { text: string; meaning: string }[] = [
  { text: "f32[3]", meaning: "an array" },
  { text: "{'w': f32[3]}", meaning: "a pytree" },
  { text: "key<fry>[]", meaning: "a random key" },
  { text: "4", meaning: "a Python value, static" },
];

function Hints({ fill }: { fill(text: string): void }) {
  return (
    <p class="hints">
      {HINTS.map(({ text, meaning }) => (
        <span key={text}>
          <button type="button" class="chip" aria-label={`Fill in ${text}, ${meaning}`} onClick={() => fill(text)}>
            {text}
          </button>{" "}
          {meaning}
        </span>
      ))}
    </p>
  );
}
