// The worker that lays out and draws, so that the page stays free. It keeps the subjects it is given until told to forget them, so that a toggle sends no program again.
import { unpackModule, unpackProgram } from "../model/packed.ts";
import { draw } from "./draw.ts";
import type { FromWorker, Sent, Subject, ToWorker } from "./protocol.ts";

const subjects = new Map<number, Subject>();
const answer = (message: FromWorker): void => self.postMessage(message);

function unpacked(sent: Sent): Subject {
  if (sent.kind === "packed-program") return { kind: "program", program: unpackProgram(sent.packed) };
  return sent.kind === "packed-module" ? { kind: "module", module: unpackModule(sent.packed) } : sent;
}

self.addEventListener("message", (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  if (message.type === "load") {
    subjects.set(message.token, unpacked(message.subject));
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
