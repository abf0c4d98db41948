/** Who reads what in a level: one list for all values, for a large level has a hundred thousand wires. */
import type { Level } from "../level.ts";

export class Readers {
  /** Where the readers of each node begin. */
  readonly #starts: Int32Array;
  /** Per wire, by the node it comes from: the port it leaves, and who reads it. */
  readonly #ports: Int32Array;
  readonly #readers: Int32Array;

  constructor({ nodes }: Level) {
    const starts = new Int32Array(nodes.length + 1);
    for (const { feeds } of nodes) for (const feed of feeds) if (feed.kind === "node") starts[feed.node + 1]!++;
    for (let v = 0; v < nodes.length; v++) starts[v + 1]! += starts[v]!;
    const next = starts.slice();
    this.#starts = starts;
    this.#ports = new Int32Array(starts[nodes.length]!);
    this.#readers = new Int32Array(starts[nodes.length]!);
    nodes.forEach(({ feeds }, reader) => {
      for (const feed of feeds) {
        if (feed.kind !== "node") continue;
        const at = next[feed.node]!++;
        this.#ports[at] = feed.port;
        this.#readers[at] = reader;
      }
    });
  }

  /** The nodes that read a value, in order. */
  of(node: number, port: number): number[] {
    const found: number[] = [];
    for (let at = this.#starts[node]!; at < this.#starts[node + 1]!; at++) if (this.#ports[at] === port) found.push(this.#readers[at]!);
    return found;
  }

  /** The readers of a node for which something holds, by port, in the order of the ports; null where there are none. */
  that(node: number, holds: (reader: number) => boolean): [number, number[]][] | null {
    let found: Map<number, number[]> | null = null;
    for (let at = this.#starts[node]!; at < this.#starts[node + 1]!; at++) {
      const reader = this.#readers[at]!;
      if (!holds(reader)) continue;
      const port = this.#ports[at]!;
      found ??= new Map();
      const known = found.get(port);
      if (known === undefined) found.set(port, [reader]);
      else known.push(reader);
    }
    return found === null ? null : [...found].sort(([a], [b]) => a - b);
  }
}
