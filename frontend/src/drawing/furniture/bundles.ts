/** Between two lanes: a plate on the residuals that go from a forward pass to its twin, with what they cost. */
import { overlap } from "../boxes.ts";
import type { Place } from "../emit/nodes.ts";
import { addText, baseline, type Sink, type View } from "../emit/sink.ts";
import type { LevelBox } from "../layout/box.ts";
import type { Box, Wire } from "../scene.ts";
import { textWidth } from "../text.ts";
import { residualText } from "./residuals.ts";

/** The residuals between two twins: their ports, the places along the flow of their runs from lane to lane, and how far all of them go across. */
export interface Bundle {
  forward: number;
  backward: number;
  ports: number[];
  runs: number[];
  from: number;
  to: number;
  wires: Wire[];
  /** They share one thick line, with room for the plate. */
  thick: boolean;
}

/** From the first run of a bundle to the middle of its plate: the plate keeps clear of the frames. */
const CLEAR = 3;
/** A plate with the space around it. */
const PLATE = { height: 17, aside: 9 };
/** From a plate to the ends of its wires. */
const END = 18;
/** From a plate to a wire or a plate beside it. */
const BY = 6;
/** How finely a free place is looked for. */
const STEP = 4;

/** On the runs, in the middle between the lanes, or as near to it as no other plate and no other wire is. */
export function emitBundles(sink: Sink, box: LevelBox, places: readonly Place[], view: View, bundles: readonly Bundle[]): void {
  const middle = view.x + box.gutter.x + box.gutter.w / 2;
  const down = sink.direction === "TB";
  const taken: Box[] = [];
  for (const { forward, backward, ports, runs, from, to, wires, thick } of bundles) {
    const node = box.level.nodes[forward]!;
    const [low, high] = [Math.min(...runs), Math.max(...runs)];
    const center = (low + high) / 2;
    const at = thick ? center : view.up ? Math.min(center, high - CLEAR) : Math.max(center, low + CLEAR);
    const text = residualText(node, ports);
    const size = { w: textWidth(text, "caption") + 2 * PLATE.aside, h: PLATE.height };
    const boxAt = (across: number): Box => {
      const [x, y] = down ? [across, at] : [at, across];
      return { x: x - size.w / 2, y: y - size.h / 2, ...size };
    };
    const half = (down ? size.w : size.h) / 2;
    const own = new Set(wires);
    const near = boxAt(middle);
    const band: Box = down ? { ...near, x: from, w: to - from } : { ...near, y: from, h: to - from };
    const others = sink.wires.filter((wire) => !own.has(wire) && overlap(wire.box, band));
    const boxes = places.map(({ screen }) => screen).filter((each) => overlap(each, band));
    const isApart = (across: number): boolean => ![...taken, ...boxes].some((each) => overlap(each, around(boxAt(across))));
    const isFree = (across: number): boolean => isApart(across) && !others.some((wire) => passes(wire, around(boxAt(across))));
    const room = fromMiddle(middle, from + half + END, to - half - END);
    // Where every place has a wire, one without a plate has to do.
    const across = room.find(isFree) ?? room.find(isApart) ?? middle;
    taken.push(boxAt(across));
    const key = `${node.key}~${box.level.nodes[backward]!.key}.residuals`;
    const [x, y] = down ? [across, at] : [at, across];
    addText(sink, key, text, "caption", x, baseline("caption", y), { anchor: "middle", role: "residual", plate: true });
  }
}

/** From `wish` to both sides, as far as `least` and `most`; a run that is too short for both has its middle. */
function fromMiddle(wish: number, least: number, most: number): number[] {
  if (least > most) return [(least + most) / 2];
  const middle = Math.min(Math.max(wish, least), most);
  const found = [middle];
  for (let away = STEP; middle - away >= least || middle + away <= most; away += STEP) {
    if (middle + away <= most) found.push(middle + away);
    if (middle - away >= least) found.push(middle - away);
  }
  return found;
}

function around({ x, y, w, h }: Box): Box {
  return { x: x - BY, y, w: w + 2 * BY, h };
}

/** Whether a wire comes through a box; between two of its points it is as good as straight. */
function passes({ points }: Wire, { x, y, w, h }: Box): boolean {
  for (let i = 2; i < points.length; i += 2) {
    const [x0, y0, x1, y1] = [points[i - 2]!, points[i - 1]!, points[i]!, points[i + 1]!];
    if (Math.max(x0, x1) > x && Math.min(x0, x1) < x + w && Math.max(y0, y1) > y && Math.min(y0, y1) < y + h) return true;
  }
  return false;
}
