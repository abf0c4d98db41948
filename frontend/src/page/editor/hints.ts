// Types beside the expressions of the paste. They are no part of the text: not selected, not copied, and never in the way of what is typed:
// those of the line being edited stay where they are, faded, and change when the caret leaves it.
import { type EditorState, type Extension, type Range, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";

export interface InlineHint {
  /** Where it stands: the offset at the end of its expression. */
  readonly at: number;
  readonly text: string;
  readonly more: number;
}

export const setHints = StateEffect.define<readonly InlineHint[]>();

class HintWidget extends WidgetType {
  constructor(
    readonly hint: InlineHint,
    readonly stale: boolean,
  ) {
    super();
  }

  override eq(other: HintWidget): boolean {
    return other.hint.text === this.hint.text && other.hint.more === this.hint.more && other.stale === this.stale;
  }

  override toDOM(): HTMLElement {
    const box = document.createElement("span");
    box.className = this.stale ? "cm-hint cm-hint-stale" : "cm-hint";
    // Read out by the card of the place, on demand: in the middle of a line it would be noise.
    box.setAttribute("aria-hidden", "true");
    box.textContent = this.hint.text;
    if (this.hint.more > 0) {
      const more = document.createElement("span");
      more.className = "cm-hint-more";
      more.textContent = `+${this.hint.more}`;
      box.append(more);
    }
    return box;
  }

  override updateDOM(dom: HTMLElement, _view: EditorView, from: WidgetType): boolean {
    if (!(from instanceof HintWidget) || from.hint.text !== this.hint.text || from.hint.more !== this.hint.more) return false;
    dom.classList.toggle("cm-hint-stale", this.stale);
    return true;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

function widget(hint: InlineHint, stale: boolean): Range<Decoration> {
  return Decoration.widget({ widget: new HintWidget(hint, stale), side: 1 }).range(hint.at);
}

interface Hints {
  readonly marks: DecorationSet;
  /** What is to stand on the line that is being edited once the caret is elsewhere; null while nothing waits. */
  readonly waiting: readonly InlineHint[] | null;
  /** Whether the caret's line was edited since the caret came to it. */
  readonly edited: boolean;
}

const hintField = StateField.define<Hints>({
  create: () => ({ marks: Decoration.none, waiting: null, edited: false }),
  update(before, transaction) {
    let { marks, waiting, edited } = before;
    const { state, startState, changes } = transaction;
    if (transaction.docChanged) {
      marks = faded(marks.map(changes), transaction.state, touched(transaction.state, changes));
      waiting = null;
      edited = true;
    }
    const line = state.doc.lineAt(state.selection.main.head);
    const moved = !transaction.docChanged && startState.doc.lineAt(startState.selection.main.head).number !== line.number;
    if (moved) {
      edited = false;
      if (waiting !== null) marks = all(waiting);
      waiting = null;
    }
    for (const effect of transaction.effects) {
      if (!effect.is(setHints)) continue;
      const given = effect.value.filter(({ at }) => at <= state.doc.length);
      marks = edited ? around(marks, given, line.from, state.selection.main.head) : all(given);
      waiting = edited ? given : null;
    }
    return marks === before.marks && waiting === before.waiting && edited === before.edited ? before : { marks, waiting, edited };
  },
  provide: (field) => EditorView.decorations.from(field, ({ marks }) => marks),
});

function all(hints: readonly InlineHint[]): DecorationSet {
  return Decoration.set(
    hints.map((hint) => widget(hint, false)),
    true,
  );
}

/** New hints everywhere but from the start of a line to the caret, where those that stand there stay: the caret must not jump. */
function around(marks: DecorationSet, hints: readonly InlineHint[], from: number, to: number): DecorationSet {
  const kept: Range<Decoration>[] = [];
  marks.between(from, to, (at, _to, value) => {
    if (at < to) kept.push(value.range(at));
  });
  return Decoration.set([...hints.filter(({ at }) => at < from || at >= to).map((hint) => widget(hint, false)), ...kept], true);
}

function touched(
  state: EditorState,
  changes: { iterChangedRanges(f: (a: number, b: number, c: number, d: number) => void): void },
): Set<number> {
  const lines = new Set<number>();
  changes.iterChangedRanges((_from, _to, from, to) => {
    for (let line = state.doc.lineAt(from).number; line <= state.doc.lineAt(to).number; line++) lines.add(line);
  });
  return lines;
}

function faded(marks: DecorationSet, state: EditorState, lines: ReadonlySet<number>): DecorationSet {
  const stale: Range<Decoration>[] = [];
  return marks
    .update({
      filter(from, _to, value) {
        const { widget: old } = value.spec as { widget: HintWidget };
        if (old.stale || !lines.has(state.doc.lineAt(from).number)) return true;
        stale.push(widget({ ...old.hint, at: from }, true));
        return false;
      },
    })
    .update({ add: stale, sort: true });
}

export function hints(): Extension {
  return hintField;
}
