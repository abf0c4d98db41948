// Lit ranges in a CodeMirror text: they move with edits until the next ones are set.
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
