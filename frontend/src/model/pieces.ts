// A large value in pieces, for the way from a worker to the page: one message of all would hold the page up while it is unpacked.

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
export function* piecesOf(value: object, most = MOST): Generator<Piece> {
  const heavy = new Map<object, number>();
  weigh(value, most, heavy);
  yield* cut(value, [], most, heavy);
}

/** How many values there are in a value; of those that do not fit into one piece it is kept. */
function weigh(value: unknown, most: number, heavy: Map<object, number>): number {
  if (!isContainer(value)) return 1;
  let sum = 1;
  if (Array.isArray(value)) for (const inner of value) sum += weigh(inner, most, heavy);
  else for (const key in value) sum += weigh(value[key as keyof typeof value], most, heavy);
  if (sum > most) heavy.set(value, sum);
  return sum;
}

function* cut(value: object, at: readonly Key[], most: number, heavy: ReadonlyMap<object, number>): Generator<Piece> {
  const all: [Key, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  const later: [Key, object][] = [];
  let keys: Key[] = [];
  let values: unknown[] = [];
  let sum = 0;
  for (const [key, inner] of all) {
    const apart = isContainer(inner) && heavy.has(inner);
    if (apart) later.push([key, inner]);
    keys.push(key);
    values.push(apart ? (Array.isArray(inner) ? [] : {}) : inner);
    sum += apart ? 1 : weigh(inner, Number.POSITIVE_INFINITY, NONE);
    if (sum < most) continue;
    yield { at, keys, values };
    [keys, values, sum] = [[], [], 0];
  }
  if (keys.length > 0) yield { at, keys, values };
  for (const [key, inner] of later) yield* cut(inner, [...at, key], most, heavy);
}

const NONE = new Map<object, number>();

/** Puts a piece where it belongs. */
export function putPiece(value: object, { at, keys, values }: Piece): void {
  const into = at.reduce<object>((outer, key) => outer[key as keyof typeof outer], value);
  for (const [i, key] of keys.entries()) (into as Record<Key, unknown>)[key] = values[i];
}
