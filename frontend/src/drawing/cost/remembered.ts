/** What is made once for a program and a key, and kept as long as the program is. */
import type { Program } from "../../model/types.ts";

/** `meanwhile` is what one that asks for itself while it is being made gets: a jaxpr cannot hold itself, but a made-up file can say so. */
export function remembered<K, V>(make: (program: Program, key: K) => V, meanwhile?: V): (program: Program, key: K) => V {
  const known = new WeakMap<Program, Map<K, V>>();
  return (program, key) => {
    let values = known.get(program);
    if (values === undefined) {
      values = new Map();
      known.set(program, values);
    }
    const found = values.get(key);
    if (found !== undefined) return found;
    if (meanwhile !== undefined) values.set(key, meanwhile);
    const value = make(program, key);
    values.set(key, value);
    return value;
  };
}
