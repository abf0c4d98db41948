/**
 * How ops that hold regions are drawn, by name: one row each, whatever the dialect. What is in no row is a frame whose regions stand
 * beside each other.
 */
import type { Op, Region } from "../../../model/types.ts";
import type { CallInfo } from "../level.ts";
import { keyOf } from "./names.ts";

export interface Row {
  frame: CallInfo["kind"];
  /** The operand that an argument of a region takes its values from, or -1; null for one that the op itself makes. */
  binds(op: Op, region: number, arg: number): number | null;
  /** An argument is one element of its operand. */
  elements: boolean;
  /** A single region stands in the frame without a card of its own. */
  plain: boolean;
  /** What the results of its regions are: those of the op, or answers that it uses. */
  gives: "results" | "answers";
  /** How a region is called, beside its label. */
  region?: (op: Op, index: number) => string;
}

/** How many values a region takes. */
function takes({ blocks }: Region): number {
  return blocks[0]?.args.length ?? 0;
}

const SAME = (_: Op, __: number, arg: number): number => arg;

/** What was computed so far, which begins with the initial values, then one element of each operand. */
const reducing = (op: Op, _: number, arg: number): number => (arg + op.operands.length / 2) % op.operands.length;
/** As many operands as there are results, each followed by what was there and what comes. */
const merging = (op: Op, _: number, arg: number): number => {
  const count = op.results.length;
  return arg < count ? arg : op.operands.length - 2 * count + arg;
};

const BODY: Row = { frame: "call", binds: SAME, elements: false, plain: true, gives: "results" };
const LOOP: Row = { frame: "while", binds: SAME, elements: false, plain: false, gives: "results" };
const BRANCHES: Row = { frame: "cond", binds: () => null, elements: false, plain: false, gives: "results" };
const ELEMENTS: Row = { frame: "call", binds: reducing, elements: true, plain: false, gives: "answers" };

const ROWS: Record<string, Row> = {
  while: LOOP,
  case: BRANCHES,
  if: BRANCHES,
  conditional: {
    ...BRANCHES,
    binds: (op, region, arg) => 1 + op.regions.slice(0, region).reduce((sum, each) => sum + takes(each), 0) + arg,
  },
  call: BODY,
  composite: BODY,
  fusion: BODY,
  async_start: BODY,
  manual_computation: BODY,
  named_computation: BODY,
  reduce: ELEMENTS,
  reduce_window: ELEMENTS,
  all_reduce: { ...ELEMENTS, binds: () => 0 },
  reduce_scatter: { ...ELEMENTS, binds: () => 0 },
  scatter: { ...ELEMENTS, binds: merging },
  select_and_scatter: { ...ELEMENTS, binds: (_, region, arg) => (region === 0 ? 0 : arg === 0 ? 1 : 0) },
  sort: { ...ELEMENTS, binds: (_, __, arg) => Math.floor(arg / 2) },
  map: { ...ELEMENTS, binds: SAME, gives: "results" },
};

const UNKNOWN: Row = { frame: "call", binds: () => null, elements: false, plain: false, gives: "results" };

export function rowOf(op: Op): Row {
  return ROWS[keyOf(op.name)] ?? (op.callee === null ? UNKNOWN : BODY);
}
