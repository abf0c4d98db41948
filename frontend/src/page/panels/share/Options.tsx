// The choices that a format has.
import { useApp } from "../../app.ts";
import type { About } from "../../program/share/formats.ts";
import { widthOf } from "../../state/sharing.ts";
import type { Theme } from "../../state/types.ts";

const THEMES: readonly { id: Theme; name: string; hint: string }[] = [
  { id: "auto", name: "Automatic", hint: "Light or dark, as the reader's system is" },
  { id: "light", name: "Light", hint: "Light for everybody" },
  { id: "dark", name: "Dark", hint: "Dark for everybody" },
];
const SHOWN = [
  { id: "screen", name: "As on screen", hint: "What is open, the grouping, the overlay and the body shown alone are as they are now" },
  { id: "fresh", name: "As first drawn", hint: "As the program is drawn for somebody who has opened nothing" },
] as const;

export function Options({ about }: { readonly about: About }) {
  const { store } = useApp();
  const { theme, shown, width, title } = store.sharing.value;
  const change = (to: Partial<typeof store.sharing.value>): void => store.dispatch({ type: "share", change: to });
  const has = (option: (typeof about.options)[number]): boolean => about.options.includes(option);
  // Pixels and paper have no automatic colours.
  const fixed = about.id === "png" || about.id === "pdf";
  const themes = fixed ? THEMES.slice(1) : THEMES;
  return (
    <div class="share-options">
      {has("shown") && <Choice label="Shows" name="shown" items={SHOWN} chosen={shown} choose={(id) => change({ shown: id })} />}
      {has("theme") && (
        <Choice
          label="Colours"
          name="theme"
          items={themes}
          chosen={fixed && theme === "auto" ? "light" : theme}
          choose={(id) => change({ theme: id })}
        />
      )}
      {has("width") && (
        <label class="share-field">
          <span>Width</span>
          <input
            class="field"
            type="text"
            inputMode="numeric"
            placeholder={about.id === "iframe" ? "100 %" : "its own"}
            value={width ?? ""}
            onChange={(event) => change({ width: widthOf(event.currentTarget.value) })}
          />
          <span class="unit">px</span>
        </label>
      )}
      {has("title") && (
        <label class="share-field wide">
          <span>Title</span>
          <input
            class="field"
            type="text"
            maxLength={200}
            placeholder={store.program.value?.name ?? ""}
            value={title ?? ""}
            onChange={(event) => change({ title: event.currentTarget.value.trim() === "" ? null : event.currentTarget.value })}
          />
        </label>
      )}
    </div>
  );
}

interface Item<Id extends string> {
  readonly id: Id;
  readonly name: string;
  readonly hint: string;
}

function Choice<Id extends string>(props: {
  readonly label: string;
  readonly name: string;
  readonly items: readonly Item<Id>[];
  readonly chosen: Id;
  choose(id: Id): void;
}) {
  const { label, name, items, chosen, choose } = props;
  return (
    <fieldset class="share-choice">
      <legend>{label}</legend>
      <div>
        {items.map(({ id, name: words, hint }) => (
          <label key={id} title={hint}>
            <input type="radio" name={`share-${name}`} checked={id === chosen} onChange={() => choose(id)} />
            <span>{words}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
