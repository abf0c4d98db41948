// Following values and pinning: what the keys and buttons mean, and the bar that says what was found once it is wanted.
import { useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useApp } from "../app.ts";
import { pathOfOp } from "../program/outline/module.ts";
import { followable, followed, levelFollowed } from "../state/finding.ts";
import { pinOf } from "../state/pins.ts";
import { levelOf } from "../state/update.ts";
import { useLater } from "./later.ts";

export function Follow() {
  const { store, commands } = useApp();
  const wanted = useComputed(
    () => store.following.value !== null && levelOf(store.state.value.view) === levelFollowed(store.following.value),
  );
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
          const level = levelOf(store.state.peek().view);
          const program = store.program.peek();
          const target = store.selection.peek();
          const op = target?.kind === "op" && program !== null ? pathOfOp(program, level, target) : null;
          const key =
            level === "jaxpr"
              ? target?.kind === "op"
                ? null
                : followable(target)
              : (op ?? (target?.kind === "value" ? target.key : null));
          const found = key ?? (level === "jaxpr" ? store.selected.peek() : null);
          if (found === null)
            commands.announce(`Select ${level === "jaxpr" ? "an equation or a value of the jaxpr" : "an op or a value"} first.`);
          else store.dispatch({ type: "follow", following: followed(store.following.peek(), way, found, level) });
        },
      }),
    [],
  );

  if (!wanted.value || bar === null) return null;
  return <bar.FollowBar />;
}
