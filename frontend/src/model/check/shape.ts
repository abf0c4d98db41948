// What the shapes of schema.json are made of (shapes.ts), read strictly: what is missing and has a default is given it, nothing else is
// changed. Must never: take what the server's gate would refuse. What it is stricter in (a whole number as `1e400`, a field that is not
// known) is left to the server to decide.

/** Something that was read from JSON. */
// biome-ignore lint/suspicious/noExplicitAny: whatever it is, the shape has yet to say
export type Raw = any;

export type Shape = (value: Raw) => boolean;

export const isString: Shape = (value) => typeof value === "string";
export const isInteger: Shape = Number.isSafeInteger;
export const isNumber: Shape = Number.isFinite;
export const isBoolean: Shape = (value) => typeof value === "boolean";

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** How many fields there are: one more than the shape has is one of a newer version. */
export function sizeOf(value: object): number {
  let count = 0;
  for (const _ in value) count++;
  return count;
}

export function listOf(shape: Shape, fewest = 0, most = Number.POSITIVE_INFINITY): Shape {
  return (value) => {
    if (!Array.isArray(value) || value.length < fewest || value.length > most) return false;
    for (let at = 0; at < value.length; at++) if (!shape(value[at])) return false;
    return true;
  };
}

export function tuple(...shapes: readonly Shape[]): Shape {
  return (value) => {
    if (!Array.isArray(value) || value.length !== shapes.length) return false;
    for (let at = 0; at < shapes.length; at++) if (!(shapes[at] as Shape)(value[at])) return false;
    return true;
  };
}

export function dictionary(shape: Shape, keys?: readonly string[]): Shape {
  return (value) => {
    if (!isRecord(value)) return false;
    for (const key in value) if (keys?.includes(key) === false || !shape(value[key])) return false;
    return true;
  };
}
