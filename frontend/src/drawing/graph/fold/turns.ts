/** The turns of a loop, or the calls of one function in a row, as what they are together: `layer ×12`, the odd ones beside it. */
import type { LevelNode } from "../level.ts";
import { Alike, counted, firstOf, type Group, group, type Item, sizeOf, times, words } from "./items.ts";

const LEAST_TURNS = 3;
/** What hides fewer is not worth a fold. */
const LEAST_HIDDEN = 8;
/** More kinds of turns in a row than this are one thing that varies. */
const MOST_PIECES = 3;

/** `name` is that of the function, null where the turns are of a loop. `same` says what it is, forward and backward. */
export function repeated(nodes: readonly LevelNode[], turns: readonly (readonly Item[])[], name: string | null, same: string): Item[] {
  const size = turns.flat().reduce<number>((sum, item) => sum + sizeOf(item), 0);
  if (size < LEAST_HIDDEN || turns.length < 2) return turns.flat();
  const title = name ?? turnName(nodes, turns[0]!);
  const count = turns.length;
  // The transpose comes to the last turn first; a turn has its number from the forward pass.
  const turned = isTurned(nodes, turns[0]!);
  const each = turns.map((items, i): Group => {
    const number = counted(turned ? count - i : i + 1);
    // A turn that is one call is that call.
    const [only] = items;
    const whole = items.length === 1 && typeof only !== "number" ? only!.items : items;
    return { ...group("turn", `${title} ${number} of ${counted(count)}`, whole, same), turn: i, of: count };
  });
  if (count < LEAST_TURNS) return each;
  const pieces = alikePieces(nodes, each);
  if (pieces.length > MOST_PIECES) return [group("run", times(title, count), each, same)];
  return pieces.flatMap((piece) => (piece.length < 2 ? piece : [group("run", times(title, piece.length), piece, same)]));
}

function alikePieces(nodes: readonly LevelNode[], turns: readonly Group[]): Group[][] {
  const alike = new Alike(nodes);
  const pieces: Group[][] = [];
  let before = -1;
  for (const turn of turns) {
    const kind = alike.of(turn);
    if (kind === before) pieces[pieces.length - 1]!.push(turn);
    else pieces.push([turn]);
    before = kind;
  }
  return pieces;
}

const NAMED = 3;

/** What one turn is called: by the functions that it calls, in the order of the forward pass, else by its operations. */
function turnName(nodes: readonly LevelNode[], turn: readonly Item[]): string {
  const ordered = isTurned(nodes, turn) ? [...turn].reverse() : turn;
  const calls = [...new Set(ordered.flatMap((item) => (typeof item === "number" ? [] : [item.title])))];
  if (calls.length === 0) return words(nodes, turn);
  return `${calls.slice(0, NAMED).join(" \u00b7 ")}${calls.length > NAMED ? " \u2026" : ""}`;
}

function isTurned(nodes: readonly LevelNode[], turn: readonly Item[]): boolean {
  return turn.length > 0 && (nodes[firstOf(turn[0]!)]!.written?.at.startsWith("t") ?? false);
}
