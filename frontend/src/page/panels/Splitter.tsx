// The movable borders: between code and program, and between code and details. By dragging, by a double click for those who cannot drag,
// or by arrows when one has the focus.
import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";

const LEAST = 18;
const MOST = 78;
/** What a double click adds, round and round: from 38 to 58, 78 and 18. */
const LEAP = 20;

const AXES = {
  x: { label: "Width of the code", property: "--code-width", first: 38, back: "ArrowLeft", on: "ArrowRight", orientation: "vertical" },
  y: { label: "Height of the code", property: "--code-height", first: 50, back: "ArrowUp", on: "ArrowDown", orientation: "horizontal" },
} as const;

export function Splitter({ root, axis }: { root: RefObject<HTMLElement | null>; axis: keyof typeof AXES }) {
  const { label, property, first, back, on, orientation } = AXES[axis];
  const percent = useSignal<number>(first);
  function set(value: number): void {
    percent.value = Math.min(MOST, Math.max(LEAST, Math.round(value)));
    root.current?.style.setProperty(property, `${percent.value}%`);
  }
  function follow(event: PointerEvent & { currentTarget: HTMLElement }): void {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const frame = event.currentTarget.parentElement?.getBoundingClientRect();
    if (frame === undefined) return;
    set(axis === "x" ? ((event.clientX - frame.left) / frame.width) * 100 : ((event.clientY - frame.top) / frame.height) * 100);
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr cannot hold the value of a movable separator in every browser
    <div
      class={`splitter ${axis}`}
      role="separator"
      aria-orientation={orientation}
      aria-label={label}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      aria-valuenow={percent.value}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={follow}
      onDblClick={() => set(percent.value >= MOST ? LEAST : percent.value + LEAP)}
      onKeyDown={(event) => {
        const step = event.key === back ? -2 : event.key === on ? 2 : 0;
        if (step === 0) return;
        event.preventDefault();
        set(percent.value + step);
      }}
    />
  );
}
