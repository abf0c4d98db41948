// A large value in pieces, for the way from a worker to the page: one message of all would hold the page up while it is unpacked. They travel
// as JSON, which is written and read in half the time that objects take to be cloned.

export type Key = string | number;

/** What goes into one list or object of the value: `at` leads to it. */
export interface Piece {
  readonly at: readonly Key[];
  readonly keys: readonly Key[];
  readonly values: readonly unknown[];
}

/** Values in one piece: two milliseconds for the page. */
const MOST = 8_000;

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;

/** The pieces, those of the outside first: what is put together has everything in the order that it had. */
export function piecesOf(value: object, most = MOST): Generator<Piece> {
  return cut(value, [], most);
}

/** How many values there are in a value; of a large one, more than `most`. */
function weight(value: unknown, most: number): number {
  if (!isContainer(value)) return 1;
  let sum = 1;
  if (Array.isArray(value)) for (let at = 0; at < value.length && sum <= most; at++) sum += weight(value[at], most - sum);
  else
    for (const key in value) {
      sum += weight(value[key as keyof typeof value], most - sum);
      if (sum > most) break;
    }
  return sum;
}

function* cut(value: object, at: readonly Key[], most: number): Generator<Piece> {
  const later: [Key, object][] = [];
  let keys: Key[] = [];
  let values: unknown[] = [];
  let sum = 0;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const inner: unknown = value[key as keyof typeof value];
    const size = weight(inner, most);
    const apart = isContainer(inner) && size > most;
    if (apart) later.push([key, inner]);
    keys.push(key);
    values.push(apart ? (Array.isArray(inner) ? [] : {}) : inner);
    sum += apart ? 1 : size;
    if (sum < most) continue;
    yield { at, keys, values };
    [keys, values, sum] = [[], [], 0];
  }
  if (keys.length > 0) yield { at, keys, values };
  for (const [key, inner] of later) yield* cut(inner, [...at, key], most);
}

/** Puts a piece where it belongs. */
export function putPiece(value: object, { at, keys, values }: Piece): void {
  const into = at.reduce<object>((outer, key) => outer[key as keyof typeof outer], value);
  for (const [i, key] of keys.entries()) (into as Record<Key, unknown>)[key] = values[i];
}
