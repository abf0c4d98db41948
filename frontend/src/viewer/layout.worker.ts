// The worker that lays out and draws, so that the page stays free. It keeps the subjects it is given until told to forget them, so that a toggle sends no program again.
import { draw } from "./draw.ts";
import type { FromWorker, Subject, ToWorker } from "./protocol.ts";

const subjects = new Map<number, Subject>();
const answer = (message: FromWorker): void => self.postMessage(message);

self.addEventListener("message", (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  if (message.type === "load") {
    subjects.set(message.token, message.subject);
    return;
  }
  if (message.type === "forget") {
    subjects.delete(message.token);
    return;
  }
  const subject = subjects.get(message.token);
  if (subject === undefined) {
    answer({ type: "failed", id: message.id, message: "The drawing was asked for before its program." });
    return;
  }
  try {
    answer({ type: "drawn", id: message.id, drawing: draw(subject, message.open, message.title, message.overlay) });
  } catch (error) {
    answer({ type: "failed", id: message.id, message: error instanceof Error ? error.message : String(error) });
  }
});
