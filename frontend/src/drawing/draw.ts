/** From a level to a scene. */

import { onScreen } from "./axes.ts";
import { emitLevel } from "./emit/level.ts";
import { addText, baseline, emptyScene } from "./emit/sink.ts";
import { counted } from "./graph/fold/items.ts";
import type { Level } from "./graph/level.ts";
import { layoutLevel } from "./layout/box.ts";
import { planLevel } from "./layout/plan.ts";
import { SIZE } from "./layout/sizes.ts";
import type { Direction, Scene, Tell } from "./scene.ts";

/** Along the flow, before the lanes. */
const LANE_TITLE = { TB: 26, LR: 86 };

export function drawLevel(level: Level, tell?: Tell, direction: Direction = "TB"): Scene {
  const scene = emptyScene(direction);
  tell?.(`Placing ${counted(boxes(level))} boxes`);
  const box = layoutLevel(level, false, null, direction);
  const plan = planLevel(box);
  tell?.("Routing");
  const above = box.lanes.length > 1 ? LANE_TITLE[direction] : 0;
  const view = { x: SIZE.margin, y: SIZE.margin + above, height: plan.height, up: false, depth: 0 };
  emitLevel(scene, box, plan, view, null);
  const size = onScreen(direction, { x: 0, y: 0, w: box.width + 2 * SIZE.margin, h: plan.height + above + 2 * SIZE.margin });
  scene.width = Math.ceil(size.w);
  scene.height = Math.ceil(size.h);
  if (box.lanes.length > 1) {
    box.lanes.forEach((lane) => {
      const middle = view.x + lane.x + lane.width / 2;
      const key = `lane${lane.back ? 1 : 0}.title`;
      if (direction === "TB") {
        addText(scene, key, lane.back ? "backward \u2191" : "forward \u2193", "lane", middle, SIZE.margin + 10, {
          anchor: "middle",
          dim: true,
        });
      } else {
        addText(scene, key, lane.back ? "backward \u2190" : "forward \u2192", "lane", SIZE.margin, baseline("lane", middle), { dim: true });
      }
    });
  }
  return scene;
}

/** Of this level and of what is open in it. */
function boxes({ nodes }: Level): number {
  return nodes.reduce((sum, { call }) => sum + 1 + (call?.inside == null ? 0 : boxes(call.inside)), 0);
}
