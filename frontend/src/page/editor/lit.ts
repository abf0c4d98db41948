// Lit ranges in a CodeMirror text: they move with edits until the next ones are set. And the lines that a search found.
import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";

export const setLit = StateEffect.define<readonly (readonly [number, number])[]>();

const mark = Decoration.mark({ class: "cm-lit" });

export const litField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setLit)) continue;
      const ranges = effect.value.filter(([from, to]) => to > from).map(([from, to]) => mark.range(from, to));
      next = Decoration.set(ranges, true);
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
