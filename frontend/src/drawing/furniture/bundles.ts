/** Between two lanes: a plate on the residuals that go from a forward pass to its twin, with what they cost. */
import { addText, baseline, type Sink, type View } from "../emit/sink.ts";
import type { LevelBox } from "../layout/box.ts";
import { textWidth } from "../text.ts";
import { residualText } from "./residuals.ts";

/** The residuals between two twins: their ports, and the places along the flow of their runs from lane to lane. */
export interface Bundle {
  forward: number;
  backward: number;
  ports: number[];
  runs: number[];
}

/** From the first run of a bundle to the middle of its plate: the plate keeps clear of the frames. */
const CLEAR = 3;
/** A plate with the space around it. */
const PLATE = { height: 17, aside: 24 };

/** Between the lanes, on the runs. Left to right plates may meet: then they stand below each other. */
export function emitBundles(sink: Sink, box: LevelBox, view: View, bundles: readonly Bundle[]): void {
  const middle = view.x + box.gutter.x + box.gutter.w / 2;
  const plates = bundles.map(({ forward, backward, ports, runs }) => {
    const node = box.level.nodes[forward]!;
    const [low, high] = [Math.min(...runs), Math.max(...runs)];
    const center = (low + high) / 2;
    const at = view.up ? Math.min(center, high - CLEAR) : Math.max(center, low + CLEAR);
    const text = residualText(node, ports);
    return { key: `${node.key}~${box.level.nodes[backward]!.key}.residuals`, text, at, half: textWidth(text, "caption") / 2 };
  });
  const options = { anchor: "middle" as const, role: "residual" as const, plate: true };
  if (sink.direction === "TB") {
    for (const { key, text, at } of plates) addText(sink, key, text, "caption", middle, baseline("caption", at), options);
    return;
  }
  const ends: number[] = [];
  const rows = [...plates]
    .sort((a, b) => a.at - b.at)
    .map((plate) => {
      const free = ends.findIndex((end) => end <= plate.at - plate.half - PLATE.aside);
      const row = free < 0 ? ends.length : free;
      ends[row] = plate.at + plate.half;
      return { ...plate, row };
    });
  for (const { key, text, at, row } of rows) {
    const y = middle + (row - (ends.length - 1) / 2) * PLATE.height;
    addText(sink, key, text, "caption", at, baseline("caption", y), options);
  }
}
