// A level as printed text, linked like the graph: pointing at a line lights the equation everywhere.
import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useApp } from "../app.ts";
import type { ReaderHandle } from "../editor/code.ts";
import { firstPath } from "../program/instances.ts";
import { rangeAt } from "../program/links.ts";
import { printedOf } from "../program/printed.ts";
import { LEVEL_NAMES } from "../state/current.ts";
import type { Level, Target } from "../state/types.ts";

export function Reader({ level }: { level: Level }) {
  const { store, lights, nonce } = useApp();
  const host = useRef<HTMLDivElement>(null);
  const handle = useSignal<ReaderHandle | null>(null);
  const printed = useComputed(() => printedOf(store.program.value, level));

  function aim(at: number | null): Target | null {
    const program = store.program.peek();
    const id = at === null ? null : rangeAt(printed.peek().ranges, at);
    if (id === null || program === null) return null;
    if (level !== "jaxpr") return { kind: "op", id };
    const path = firstPath(program, id);
    return path === null ? null : { kind: "eqn", path };
  }

  useEffect(() => {
    let gone = false;
    import("../editor/code.ts").then(
      ({ createReader }) => {
        if (gone || host.current === null) return;
        handle.value = createReader(host.current, {
          label: `Printed ${LEVEL_NAMES[level]}`,
          nonce,
          point: (at) => store.dispatch({ type: "hover", target: aim(at) }),
          caret: (at) => store.dispatch({ type: "select", target: aim(at) }),
        });
      },
      () => undefined,
    );
    return () => {
      gone = true;
      handle.peek()?.destroy();
      store.dispatch({ type: "hover", target: null });
    };
  }, []);

  useSignalEffect(() => handle.value?.setText(printed.value.text));
  useSignalEffect(() => {
    const ids = level === "jaxpr" ? store.lit.value.eqns : store.lit.value.ops;
    const ranges = printed.value.ranges;
    const lit = [...ids].flatMap((id) => {
      const range = ranges.get(id);
      return range === undefined ? [] : [range];
    });
    lit.sort((a, b) => a[0] - b[0]);
    // Follow what was chosen or hovered elsewhere; a text that scrolls under the pointer would be a nuisance.
    handle.value?.setLit(lit, host.current?.matches(":hover") !== true);
  });

  useSignalEffect(() => {
    const ranges = printed.value.ranges;
    const entries = lights.hits.value?.entries ?? [];
    const { at } = store.finding.value;
    const found = new Set(entries.flatMap(({ id }) => ranges.get(id)?.[0] ?? []));
    const here = at === null ? undefined : entries[at];
    handle.value?.setFound([...found], (here === undefined ? undefined : ranges.get(here.id)?.[0]) ?? null);
  });

  return (
    <div class="reader">
      <div class="cm-host" ref={host} />
      {handle.value === null && <pre>{printed.value.text}</pre>}
    </div>
  );
}
