// One text of the side-by-side view: bands, what is lit, and where the pointer is.
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useApp } from "../../app.ts";
import type { ReaderHandle } from "../../editor/code.ts";
import type { Bands } from "../../program/groups.ts";

export interface ColumnText {
  readonly text: string;
  readonly bands: Bands;
  /** The lines of the paste by group; null for the paste itself. */
  readonly names: readonly number[] | null;
}

export interface ColumnProps {
  readonly label: string;
  readonly language: "python" | "printed";
  /** Read by signals: the text, the ranges that are lit, in order, and the group that is on. */
  text(): ColumnText;
  lit(): readonly (readonly [number, number])[];
  active(): number | null;
  point(at: number | null): void;
  /** `y`: how far below the top of the column it was chosen. */
  choose(at: number, y: number): void;
  /** Where the lit lines are to stand, and in which turn that was said; null lets them only come into sight. */
  aligned(): { readonly y: number; readonly turn: number } | null;
}

export function Column({ label, language, text, lit, active, point, choose, aligned }: ColumnProps) {
  const { nonce } = useApp();
  const host = useRef<HTMLDivElement>(null);
  const handle = useSignal<ReaderHandle | null>(null);
  const turn = useRef(0);

  useEffect(() => {
    let gone = false;
    import("../../editor/code.ts").then(
      ({ createReader }) => {
        if (gone || host.current === null) return;
        const reader = createReader(host.current, {
          label,
          nonce,
          language,
          banded: true,
          point,
          caret: (at) => choose(at, reader.top(at) ?? 0),
        });
        handle.value = reader;
      },
      () => undefined,
    );
    return () => {
      gone = true;
      handle.peek()?.destroy();
      point(null);
    };
  }, []);

  useSignalEffect(() => handle.value?.setText(text().text));
  useSignalEffect(() => {
    const { bands, names } = text();
    handle.value?.setBanding({ lines: bands, names, active: active() });
  });
  useSignalEffect(() => {
    const ranges = lit();
    const to = aligned();
    const own = host.current?.matches(":hover") === true;
    handle.value?.setLit(ranges, !own && to === null);
    const first = ranges[0];
    if (to === null || to.turn === turn.current) return;
    turn.current = to.turn;
    if (first !== undefined) handle.value?.align(first[0], to.y);
  });

  return <div class="cm-host" ref={host} />;
}
