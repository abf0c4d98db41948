// The movable border between code and program: by pointer, or by arrows when it has the focus.
import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";

const LEAST = 18;
const MOST = 70;

export function Splitter({ root }: { root: RefObject<HTMLElement | null> }) {
  const percent = useSignal(36);
  function set(value: number): void {
    percent.value = Math.min(MOST, Math.max(LEAST, Math.round(value)));
    root.current?.style.setProperty("--code-width", `${percent.value}%`);
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr cannot hold the value of a movable separator in every browser
    <div
      class="splitter"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the code"
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      aria-valuenow={percent.value}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && set((event.clientX / window.innerWidth) * 100)}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -2, ArrowRight: 2 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        set(percent.value + step);
      }}
    />
  );
}
