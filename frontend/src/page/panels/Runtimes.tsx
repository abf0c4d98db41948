// The picker of JAX versions. It is there where the server has several, or a link asks for one that it has not: in the bar, and where that
// has no room (phones) among the settings.
import { useComputed } from "@preact/signals";
import { runtimes } from "../api/client.ts";
import { useApp } from "../app.ts";
import { choicesOf } from "../state/runtimes.ts";
import { Down } from "./Icons.tsx";
import { useLater } from "./later.ts";
import { Menu, type MenuItem } from "./Menu.tsx";
import { NARROW, useMedia } from "./narrow.ts";

/** The versions as items of a menu, and whether that has to be another one. Asked for once the server has answered: before, it may not know. */
export function useRuntimes(): { readonly items: readonly MenuItem[]; readonly chosen: string; readonly narrow: boolean } {
  const { store, runner } = useApp();
  const answered = useComputed(() => store.state.value.latest !== null || store.state.value.failure !== null);
  const asked = useComputed(() => store.state.value.jax);
  const there = useLater(() => runtimes(), answered.value);
  const narrow = useMedia(NARROW);
  const choices = choicesOf(there ?? [], asked.value);
  const items = choices.map(({ jax, title, about, chosen }) => ({
    id: title,
    title,
    ...(about !== "" && { about }),
    checked: chosen,
    radio: true as const,
    choose() {
      if (chosen) return;
      store.dispatch({ type: "settings", jax });
      runner.run();
    },
  }));
  return { items, chosen: choices.find((choice) => choice.chosen)?.title ?? "", narrow };
}

export function Runtimes({ items, chosen }: { readonly items: readonly MenuItem[]; readonly chosen: string }) {
  return (
    <div class="runtimes">
      <Menu label={chosen} quiet icon={<Down />} items={items} />
    </div>
  );
}
