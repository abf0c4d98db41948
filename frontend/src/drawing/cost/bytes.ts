/** How large a value is. Null wherever the type does not say: symbolic dimensions, tokens, types without a known width. */
import type { Var } from "../../model/types.ts";

const BITS: Record<string, number> = {
  bool: 8,
  int2: 8,
  uint2: 8,
  int4: 8,
  uint4: 8,
  float4_e2m1fn: 8,
  float0: 0,
  bfloat16: 16,
  complex64: 64,
  complex128: 128,
  // What a key holds: two, four and two words of 32 bits.
  "key<fry>": 64,
  "key<rbg>": 128,
  "key<urbg>": 128,
};

/** Types of less than eight bits take a byte each, as in XLA's own buffers on a CPU. */
export function widthOf(dtype: string): number | null {
  const known = BITS[dtype];
  if (known !== undefined) return known / 8;
  const found = /^(?:u?int|float)(8|16|32|64)(?:_\w+)?$/.exec(dtype);
  return found === null ? null : Number(found[1]) / 8;
}

/** Elements of a shape; null when a dimension is symbolic. */
export function sizeOf(shape: readonly (number | string)[]): number | null {
  let size = 1;
  for (const dim of shape) {
    if (typeof dim !== "number") return null;
    size *= dim;
  }
  return size;
}

export function bytesOf({ dtype, shape }: Pick<Var, "dtype" | "shape">): number | null {
  const width = widthOf(dtype);
  const size = sizeOf(shape);
  return width === null || size === null ? null : width * size;
}
