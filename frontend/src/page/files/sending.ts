// Where an answer comes from: a saved trace is read by the page itself, everything else and what it does not take by the server.
import { trace } from "../api/client.ts";
import type { Lights } from "../app.ts";

export function sending({ layout }: Lights, send: typeof trace = trace): typeof trace {
  return async (wanted, onTrace, signal, fetcher, onComing = () => undefined) => {
    // Files that become a trace together begin so, as the server knows them, too.
    const worker = layout.peek();
    if (worker !== null && "opens" in wanted && wanted.opens !== null && !wanted.opens.startsWith('{"files"')) {
      const { openedHere } = await import("./here.ts");
      try {
        if (await openedHere(worker, wanted.opens, onTrace, signal, onComing)) return;
      } catch {
        signal.throwIfAborted();
      }
    }
    return send(wanted, onTrace, signal, fetcher, onComing);
  };
}
