// One click makes a transformed program beside the one that is shown. Which parameters it is about can be chosen where there are several.
import { useComputed, useSignal } from "@preact/signals";
import type { Step } from "../../model/types.ts";
import { useApp } from "../app.ts";
import { derivativeStep, type TransformItem, transformsOf, USUAL_SIZE, usualArgnums, usualAxes, vmapStep } from "../state/transforms.ts";
import { wishKey, wishOn } from "../state/wishes.ts";
import { Chain, Down } from "./Icons.tsx";
import { usePopover } from "./popover.ts";

export function Transforms() {
  const { store, runner } = useApp();
  const { open, root, button, toggle, close, onKeyDown } = usePopover(".transform-name", true);
  const wishes = useComputed(() => store.steady.value.wishes);
  const expanded = useSignal<string | null>(null);
  const program = store.program.value;
  const trace = useComputed(() => store.steady.value.shown?.trace ?? null);
  if (program === null || program.parameters === null || trace.value === null) return null;
  const items = transformsOf(program, wishes.value.length);

  function apply(step: Step): void {
    if (program === null || trace.value === null) return;
    const wish = wishOn(trace.value, program, step);
    store.dispatch({ type: "wish", wish });
    close();
    if (store.state.peek().awaited === wishKey(wish)) runner.run();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only catches the keys of the panel inside
    <div class="menu-anchor" ref={root} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        class="button quiet"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={`Transform ${program.name}`}
        onClick={() => {
          expanded.value = null;
          toggle();
        }}
      >
        <Chain /> Transform <Down />
      </button>
      {open && (
        <div class="menu transforms" role="dialog" aria-label={`Transform ${program.name}`}>
          {items.map((item) => (
            <div key={item.name} class="transform">
              <button
                type="button"
                class="transform-name"
                aria-disabled={item.reason !== null}
                onClick={() => item.reason === null && apply(item.step)}
              >
                <b class="mono">{item.name}</b>
                <small>{item.reason ?? item.about}</small>
              </button>
              {item.choose !== null && item.reason === null && (
                <button
                  type="button"
                  class="button quiet icon"
                  aria-expanded={expanded.value === item.name}
                  aria-label={`Choose the parameters of ${item.name}`}
                  title="Choose the parameters"
                  onClick={() => {
                    expanded.value = expanded.value === item.name ? null : item.name;
                  }}
                >
                  <Down />
                </button>
              )}
              {expanded.value === item.name && <Options item={item} apply={apply} />}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

function Options({ item, apply }: { item: TransformItem; apply(step: Step): void }) {
  return item.choose === "in_axes" ? <Axes item={item} apply={apply} /> : <Argnums item={item} apply={apply} />;
}

function Argnums({ item, apply }: { item: TransformItem; apply(step: Step): void }) {
  const chosen = useSignal<ReadonlySet<number>>(new Set(usualArgnums(item)));
  const hasAux = useSignal(false);
  return (
    <form
      class="transform-options"
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen.value.size > 0) apply(derivativeStep(item, [...chosen.value], hasAux.value));
      }}
    >
      <fieldset>
        <legend>With respect to</legend>
        {item.options.map((option, at) => (
          <label key={option.name} class={option.reason === null ? "" : "off"}>
            <input
              type="checkbox"
              disabled={option.reason !== null}
              checked={chosen.value.has(at)}
              onChange={(event) => {
                const next = new Set(chosen.value);
                if (event.currentTarget.checked) next.add(at);
                else next.delete(at);
                chosen.value = next;
              }}
            />
            <code>{option.name}</code> <span class={option.reason === null ? "type" : "type words"}>{option.reason ?? option.text}</span>
          </label>
        ))}
      </fieldset>
      <label class="whole">
        <input
          type="checkbox"
          checked={hasAux.value}
          onChange={(event) => {
            hasAux.value = event.currentTarget.checked;
          }}
        />
        <code>has_aux</code> <span class="type words">the result is a pair: of its first part</span>
      </label>
      <button type="submit" class="button" disabled={chosen.value.size === 0}>
        Apply {item.name}
      </button>
    </form>
  );
}

function Axes({ item, apply }: { item: TransformItem; apply(step: Step): void }) {
  const axes = useSignal<readonly (number | null)[]>(usualAxes(item));
  const size = useSignal(USUAL_SIZE);
  return (
    <form
      class="transform-options"
      onSubmit={(event) => {
        event.preventDefault();
        apply(vmapStep(item, axes.value, size.value));
      }}
    >
      <fieldset>
        <legend>New axis of each array</legend>
        {item.options.map((option, at) => (
          <label key={option.name} class={option.reason === null ? "" : "off"}>
            <code>{option.name}</code> <span class="type">{option.text}</span>
            <select
              class="field"
              disabled={option.reason !== null}
              value={String(axes.value[at])}
              onChange={(event) => {
                const { value } = event.currentTarget;
                axes.value = axes.value.map((axis, index) => (index === at ? (value === "null" ? null : Number(value)) : axis));
              }}
            >
              {Array.from({ length: (option.rank ?? 0) + 1 }, (_, axis) => (
                <option key={axis} value={String(axis)}>
                  axis {axis}
                </option>
              ))}
              <option value="null">not batched</option>
            </select>
          </label>
        ))}
      </fieldset>
      <label class="whole">
        <code>size</code> <span class="type words">of the new axis</span>
        <input
          class="field"
          type="number"
          required
          min={1}
          max={1_000_000}
          value={size.value}
          onInput={(event) => {
            size.value = event.currentTarget.valueAsNumber;
          }}
        />
      </label>
      <button type="submit" class="button" disabled={axes.value.every((axis) => axis === null)}>
        Apply {item.name}
      </button>
    </form>
  );
}
