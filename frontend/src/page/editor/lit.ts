// Lit ranges in a CodeMirror text: they move with edits until the next ones are set. And the lines that a search found.
import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";

type Range = readonly [number, number];

export interface LitRanges {
  readonly ranges: readonly Range[];
  /** What led there: marked more quietly. */
  readonly around?: readonly Range[];
}

export const setLit = StateEffect.define<LitRanges>();

const outer = Decoration.mark({ class: "cm-lit-around" });
const mark = Decoration.mark({ class: "cm-lit" });

export const litField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setLit)) continue;
      const marked = (of: Decoration, ranges: readonly Range[]) =>
        ranges.filter(([from, to]) => to > from).map(([from, to]) => of.range(from, to));
      next = Decoration.set([...marked(outer, effect.value.around ?? []), ...marked(mark, effect.value.ranges)], true);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export const setFound = StateEffect.define<{ readonly offsets: readonly number[]; readonly at: number | null }>();

const line = Decoration.line({ class: "cm-found" });
const here = Decoration.line({ class: "cm-found cm-found-at" });

export const foundField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setFound)) continue;
      const { doc } = transaction.state;
      const at = effect.value.at === null ? null : doc.lineAt(effect.value.at).from;
      const starts = [...new Set(effect.value.offsets.map((offset) => doc.lineAt(offset).from))].sort((a, b) => a - b);
      next = Decoration.set(starts.map((start) => (start === at ? here : line).range(start)));
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});
