// The whole drawing in small, with what is seen of it: for the eye and the mouse only. By keyboard the arrows, Page and Fit do the same.
import type { Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Scene } from "../../drawing/scene.ts";
import { type Camera, type Size, whenColoursChange } from "../../viewer/index.ts";

export interface Look {
  readonly camera: Camera;
  readonly view: Size;
}

interface Props {
  readonly scene: Scene;
  readonly look: Signal<Look>;
  centre(x: number, y: number): void;
}

const WIDTH = 184;
const HEIGHT = 128;
/** Boxes drawn before the page is let go on with other things. */
const SLICE = 3_000;

export function Minimap({ scene, look, centre }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const k = Math.min(WIDTH / scene.width, HEIGHT / scene.height);
  const size = { w: Math.max(24, scene.width * k), h: Math.max(24, scene.height * k) };

  useEffect(() => {
    const abort = new AbortController();
    let end: () => void = () => undefined;
    const again = (): void => {
      end();
      if (canvas.current !== null) end = paint(canvas.current, scene, k, size);
    };
    again();
    whenColoursChange(again, abort.signal);
    return () => {
      abort.abort();
      end();
    };
  }, [scene]);

  const { camera, view } = look.value;
  const seen = { x: camera.x * k, y: camera.y * k, w: (view.w / camera.k) * k, h: (view.h / camera.k) * k };
  // There is nothing to find where everything is seen.
  const whole = seen.x <= 0 && seen.y <= 0 && seen.x + seen.w >= size.w && seen.y + seen.h >= size.h;

  function go(event: PointerEvent): void {
    const rect = canvas.current?.getBoundingClientRect();
    if (rect !== undefined) centre((event.clientX - rect.left) / k, (event.clientY - rect.top) / k);
  }

  return (
    <div
      class="minimap"
      aria-hidden="true"
      hidden={whole}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && go(event)}
    >
      <canvas ref={canvas} />
      <svg class="seen" aria-hidden="true" viewBox={`0 0 ${size.w} ${size.h}`} width={size.w} height={size.h}>
        <rect x={seen.x} y={seen.y} width={seen.w} height={seen.h} rx="2" />
      </svg>
    </div>
  );
}

/** Frames and boxes as plain rectangles, in slices. Answers how to end it. */
function paint(canvas: HTMLCanvasElement, scene: Scene, k: number, { w, h }: { w: number; h: number }): () => void {
  const sharp = Math.min(2, devicePixelRatio);
  canvas.width = Math.ceil(w * sharp);
  canvas.height = Math.ceil(h * sharp);
  canvas.style.width = `${w}px`;
  canvas.style.height = `${h}px`;
  const pen = canvas.getContext("2d");
  if (pen === null) return () => undefined;
  pen.scale(sharp, sharp);
  let colours: { readonly color: string; readonly backgroundColor: string; readonly outlineColor: string } | null = null;
  const items = [...scene.frames, ...scene.nodes];
  let at = 0;
  let frame = 0;
  const slice = (): void => {
    colours ??= getComputedStyle(canvas);
    const [box, ground, line] = [colours.color, colours.backgroundColor, colours.outlineColor];
    for (const end = Math.min(items.length, at + SLICE); at < end; at++) {
      const item = items[at];
      if (item === undefined) continue;
      const { x, y, w: wide, h: high } = item.box;
      const place = [x * k, y * k, Math.max(1, wide * k), Math.max(1, high * k)] as const;
      pen.fillStyle = "depth" in item ? ground : box;
      pen.fillRect(...place);
      if (!("depth" in item)) continue;
      pen.strokeStyle = line;
      pen.lineWidth = 0.5;
      pen.strokeRect(...place);
    }
    frame = at < items.length ? requestAnimationFrame(slice) : 0;
  };
  // After the frame that shows the picture: to ask for a colour would have all of that laid out before.
  frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(slice);
  });
  return () => cancelAnimationFrame(frame);
}
