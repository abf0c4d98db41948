/** From a level to a scene. */
import { emitLevel } from "./emit/level.ts";
import { addText, emptyScene } from "./emit/sink.ts";
import { counted } from "./graph/fold/items.ts";
import type { Level } from "./graph/level.ts";
import { layoutLevel } from "./layout/box.ts";
import { planLevel } from "./layout/plan.ts";
import { SIZE } from "./layout/sizes.ts";
import type { Scene, Tell } from "./scene.ts";

const LANE_TITLE = 26;

export function drawLevel(level: Level, tell?: Tell): Scene {
  const scene = emptyScene();
  tell?.(`Placing ${counted(boxes(level))} boxes`);
  const box = layoutLevel(level, false, null);
  const plan = planLevel(box);
  tell?.("Routing");
  const above = box.lanes.length > 1 ? LANE_TITLE : 0;
  const view = { x: SIZE.margin, y: SIZE.margin + above, height: plan.height, up: false, depth: 0 };
  emitLevel(scene, box, plan, view, null);
  scene.width = Math.ceil(box.width + 2 * SIZE.margin);
  scene.height = Math.ceil(plan.height + above + 2 * SIZE.margin);
  if (box.lanes.length > 1) {
    box.lanes.forEach((lane) => {
      const text = lane.back ? "backward \u2191" : "forward \u2193";
      const x = view.x + lane.x + lane.width / 2;
      addText(scene, `lane${lane.back ? 1 : 0}.title`, text, "lane", x, SIZE.margin + 10, { anchor: "middle", dim: true });
    });
  }
  return scene;
}

/** Of this level and of what is open in it. */
function boxes({ nodes }: Level): number {
  return nodes.reduce((sum, { call }) => sum + 1 + (call?.inside == null ? 0 : boxes(call.inside)), 0);
}
