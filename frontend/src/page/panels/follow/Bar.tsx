// Says what the followed thing depends on or feeds, and lights just that in the graph. Ends with Escape.
import { useComputed, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useApp } from "../../app.ts";
import { toText } from "../../explain/words.ts";
import { coneOf } from "../../program/follow/index.ts";
import { wiresOf } from "../../program/follow/module.ts";
import { coneWords } from "../../program/follow/words.ts";
import { inSlices } from "../../program/slices.ts";
import { levelFollowed, type Way } from "../../state/finding.ts";
import { Close } from "../Icons.tsx";
import { Pieces } from "../Words.tsx";

const WAYS: readonly { readonly way: Way; readonly title: string; readonly key: string }[] = [
  { way: "up", title: "Upstream", key: "u" },
  { way: "down", title: "Downstream", key: "d" },
  { way: "both", title: "Both", key: "b" },
];

export function FollowBar() {
  const { store, commands, lights } = useApp();
  /** What is drawn: the jaxprs, or the module of the level that is followed. */
  const subject = useComputed(() => {
    const level = levelFollowed(store.following.value);
    return level === "jaxpr" ? (store.program.value?.jaxprs ?? null) : (store.program.value?.modules[level] ?? null);
  });

  useSignalEffect(() => {
    const wanted = store.following.value;
    const program = store.program.peek();
    if (subject.value === null || wanted === null || program === null) return;
    const drop = new AbortController();
    inSlices(coneOf(wiresOf(program, levelFollowed(wanted)) ?? program, wanted), drop.signal).then(
      (cone) => {
        lights.cone.value = cone;
        commands.announce(toText(coneWords(program, cone)));
      },
      () => undefined,
    );
    return () => drop.abort();
  });
  useEffect(
    () => () => {
      lights.cone.value = null;
    },
    [],
  );

  function end(): void {
    store.dispatch({ type: "follow", following: null });
    commands.focusGraph();
  }

  const program = store.program.value;
  const following = store.following.value;
  const cone = lights.cone.value;
  if (program === null || following === null || cone === null || cone.of !== subject.value) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only catches Escape from the buttons inside
    <div class="follow" onKeyDown={(event) => event.key === "Escape" && end()}>
      <p>
        <Pieces sentence={coneWords(program, cone)} />
      </p>
      {following.way !== "path" && (
        <fieldset class="ways" aria-label="Which way to follow">
          {WAYS.map(({ way, title, key }) => (
            <button
              key={way}
              type="button"
              class="button quiet"
              aria-pressed={following.way === way}
              title={`${title} (${key})`}
              onClick={() => store.dispatch({ type: "follow", following: { ...following, way } })}
            >
              {title}
            </button>
          ))}
        </fieldset>
      )}
      <button type="button" class="button quiet icon" aria-label="Show everything again" title="Show everything again (Esc)" onClick={end}>
        <Close />
      </button>
    </div>
  );
}
