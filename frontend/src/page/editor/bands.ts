// Colour-keyed bands behind the lines of a text, drawn for what is in sight alone; and beside each band the line of the paste it belongs to.
import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, GutterMarker, gutter, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/** As many as tokens.css has. */
export const COLOURS = 6;

export interface Banding {
  /** The group of each line, from 1; -1 where it has none. */
  readonly lines: Int32Array;
  /** What stands beside the first line of a group's band; null where the text is the paste itself. */
  readonly names: readonly number[] | null;
  readonly active: number | null;
}

export const setBanding = StateEffect.define<Banding>();
const NONE: Banding = { lines: new Int32Array(0), names: null, active: null };

const field = StateField.define<Banding>({
  create: () => NONE,
  update(banding, transaction) {
    for (const effect of transaction.effects) if (effect.is(setBanding)) return effect.value;
    return banding;
  },
});

class SourceLine extends GutterMarker {
  constructor(readonly text: string) {
    super();
  }
  override eq(other: SourceLine): boolean {
    return other.text === this.text;
  }
  override toDOM(): Node {
    return document.createTextNode(this.text);
  }
}

const drawn = ViewPlugin.define(
  (view) => ({
    marks: inSight(view),
    update(update: ViewUpdate) {
      const changed = update.startState.field(field) !== update.state.field(field);
      if (changed || update.viewportChanged || update.docChanged) this.marks = inSight(update.view);
    },
  }),
  { decorations: (plugin) => plugin.marks },
);

function inSight(view: EditorView): DecorationSet {
  const { lines, active } = view.state.field(field);
  const marks = [];
  for (const { from, to } of view.visibleRanges) {
    for (let line = view.state.doc.lineAt(from); ; line = view.state.doc.line(line.number + 1)) {
      const group = lines[line.number] ?? -1;
      if (group >= 0) marks.push((group === active ? on : off)[group % COLOURS]?.range(line.from));
      if (line.to >= to || line.number >= view.state.doc.lines) break;
    }
  }
  return Decoration.set(marks.filter((mark) => mark !== undefined));
}

const classes = (extra: string) => Array.from({ length: COLOURS }, (_, at) => Decoration.line({ class: `cm-band cm-band-${at}${extra}` }));
const off = classes("");
const on = classes(" cm-band-on");

/** `named`: with the lines of the paste beside them. */
export function bands(named: boolean): Extension {
  if (!named) return [field, drawn];
  return [
    field,
    drawn,
    gutter({
      class: "cm-source-lines",
      lineMarker(view, line) {
        const { lines, names } = view.state.field(field);
        const { number } = view.state.doc.lineAt(line.from);
        const group = lines[number] ?? -1;
        // The first line of each band says it for the rest.
        if (group < 0 || names === null || lines[number - 1] === group) return null;
        return new SourceLine(String(names[group] ?? ""));
      },
      lineMarkerChange: (update) => update.startState.field(field) !== update.state.field(field),
    }),
  ];
}
