// The scene on screen. Depends on the drawing, never on the page.
export type { Camera, Size } from "./camera.ts";
export { whenColoursChange } from "./colours.ts";
export { type CommandName, KEY_HELP } from "./keys.ts";
export { Cancelled, LayoutClient } from "./layoutClient.ts";
export { type Marks, NO_MARKS } from "./marks.ts";
export type { Parts } from "./parts.ts";
export type { Drawing, Subject, Wanted } from "./protocol.ts";
export { startWorker } from "./startWorker.ts";
export { GraphViewer, type Pointed, type ViewerCallbacks } from "./viewer.ts";
export type { Stop } from "./walk.ts";
