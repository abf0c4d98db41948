// Words for functions nobody calls: their signature, and a first guess at arguments to trace them with. Pure.
import type { Offer } from "../../model/types.ts";

export function signatureOf(offer: Offer): string {
  const args = offer.args.map((arg) => {
    const typed = arg.annotation === null ? arg.name : `${arg.name}: ${arg.annotation}`;
    return arg.default === null ? typed : `${typed}${arg.annotation === null ? "=" : " = "}${arg.default}`;
  });
  return `${offer.fun}(${args.join(", ")})`;
}

/** Something that traces at once: a vector for every argument without a default, as a tuple. */
export function placeholderOf(offer: Offer): string {
  const needed = offer.args.filter((arg) => arg.default === null && !arg.name.startsWith("*"));
  if (needed.length === 0) return "()";
  return `(${needed.map(() => "jax.ShapeDtypeStruct((3,), 'float32')").join(", ")},)`;
}
