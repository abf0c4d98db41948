// The small bar on the graph: open and close everything, zoom, fit.
import type { Signal } from "@preact/signals";
import { Collapse, Expand } from "./Icons.tsx";
import { Levels } from "./Levels.tsx";
import { Overlays } from "./Overlays.tsx";

interface Props {
  readonly scale: Signal<number>;
  readonly foldable: boolean;
  fit(): void;
  zoom(factor: number): void;
  whole(): void;
  expand(all: boolean): void;
}

export function GraphTools({ scale, foldable, fit, zoom, whole, expand }: Props) {
  return (
    <div class="tools" role="toolbar" aria-label="Graph">
      <Overlays />
      <hr />
      {foldable && (
        <>
          <Levels />
          <button
            type="button"
            class="button quiet icon"
            aria-label="Open every body"
            title="Open every body (e)"
            onClick={() => expand(true)}
          >
            <Expand />
          </button>
          <button
            type="button"
            class="button quiet icon"
            aria-label="Close every body"
            title="Close every body (c)"
            onClick={() => expand(false)}
          >
            <Collapse />
          </button>
          <hr />
        </>
      )}
      <button type="button" class="button quiet icon" aria-label="Zoom out" title="Zoom out (-)" onClick={() => zoom(0.8)}>
        −
      </button>
      <button
        type="button"
        class="button quiet scale"
        aria-label={`${Math.round(scale.value * 100)} %, zoom to 100 %`}
        title="Zoom to 100 % (0)"
        onClick={whole}
      >
        {Math.round(scale.value * 100)} %
      </button>
      <button type="button" class="button quiet icon" aria-label="Zoom in" title="Zoom in (+)" onClick={() => zoom(1.25)}>
        +
      </button>
      <button type="button" class="button quiet" title="Fit the drawing (f)" onClick={fit}>
        Fit
      </button>
    </div>
  );
}
