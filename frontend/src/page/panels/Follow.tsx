// Following values and pinning: what the keys and buttons mean, and the bar that says what was found once it is wanted.
import { useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useApp } from "../app.ts";
import { followable, followed } from "../state/finding.ts";
import { pinOf } from "../state/pins.ts";
import { levelOf } from "../state/update.ts";
import { useLater } from "./later.ts";

export function Follow() {
  const { store, commands } = useApp();
  const wanted = useComputed(() => store.following.value !== null && levelOf(store.state.value.view) === "jaxpr");
  const bar = useLater(() => import("./follow/Bar.tsx"), wanted.value);

  useEffect(
    () =>
      commands.register({
        pin(path) {
          const program = store.program.peek();
          const pin = program === null ? null : pinOf(program, path);
          if (pin === null) return;
          const there = store.state.peek().pins.list.some(({ key }) => key === pin.key);
          store.dispatch({ type: "pin", pin });
          commands.announce(there ? `Unpinned ${pin.label}.` : `Pinned ${pin.label}: select another to compare the two.`, true);
        },
        follow(way) {
          const selected = store.selected.peek();
          const key = followable(store.selection.peek()) ?? selected;
          if (key === null) commands.announce("Select an equation or a value of the jaxpr first.");
          else store.dispatch({ type: "follow", following: followed(store.following.peek(), way, key) });
        },
      }),
    [],
  );

  if (!wanted.value || bar === null) return null;
  return <bar.FollowBar />;
}
