// CodeMirror, picked part by part and loaded after the first paint: the editor of the paste and the reader of printed programs.
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, type Diagnostic as Mark, setDiagnostics } from "@codemirror/lint";
import { search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorSelection, EditorState, type Extension, Prec, type Text } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
import type { Diagnostic, Span } from "../../model/types.ts";
import type { Input } from "../state/kind.ts";
import { type Banding, bands, setBanding } from "./bands.ts";
import { type CardOf, cards } from "./cards.ts";
import { hints, type InlineHint, setHints } from "./hints.ts";
import { foundField, litField, setFound, setLit } from "./lit.ts";
import { offsetOf, placeAt, rangeOf } from "./places.ts";
import { printed } from "./printed.ts";
import { highlight, theme } from "./theme.ts";

export interface EditorOptions {
  readonly text: string;
  readonly nonce: string;
  edit(text: string): void;
  run(): void;
  /** Where the pointer is, or null when it left. */
  point(place: { line: number; col: number } | null): void;
  /** Where the caret was put by hand. */
  caret(place: { line: number; col: number }): void;
  /** What is known of a place, for the card over it. */
  readonly card: CardOf;
}

/** A hint by its place: the end of its expression. */
export interface PlacedHint extends Omit<InlineHint, "at"> {
  readonly line: number;
  readonly col: number;
}

export interface EditorHandle {
  setText(text: string): void;
  /** Of what is opened the text is only read. */
  setReadOnly(only: boolean): void;
  /** Colours for what kind of text this is. */
  setLanguage(input: Input): void;
  setProblems(problems: readonly Diagnostic[]): void;
  setHints(hints: readonly PlacedHint[]): void;
  setLit(spans: readonly Span[], callers: readonly Span[]): void;
  goTo(span: Span): void;
  focus(): void;
  destroy(): void;
}

function shared(nonce: string): Extension[] {
  return [
    theme,
    syntaxHighlighting(highlight),
    litField,
    foundField,
    drawSelection(),
    search({ top: true }),
    keymap.of(searchKeymap),
    nonce === "" ? [] : EditorView.cspNonce.of(nonce),
  ];
}

/** What an editor was told last, of which text. It lays the page out for whatever it is told, with a picture that has just come. */
class Told {
  #doc: Text | null = null;
  #of = "";

  /** Whether it is the same; else it is noted. */
  is(doc: Text, told: unknown): boolean {
    const of = JSON.stringify(told);
    if (doc === this.#doc && of === this.#of) return true;
    this.#doc = doc;
    this.#of = of;
    return false;
  }
}

export function createEditor(parent: HTMLElement, options: EditorOptions): EditorHandle {
  let quiet = false;
  const language = new Compartment();
  const only = new Compartment();
  let shown: Input = "python";
  const run = {
    key: "Mod-Enter",
    preventDefault: true,
    run(): boolean {
      options.run();
      return true;
    },
  };
  const state = (text: string): EditorState =>
    EditorState.create({
      doc: text,
      extensions: [
        ...shared(options.nonce),
        Prec.highest(keymap.of([run])),
        language.of(python()),
        only.of([]),
        hints(),
        cards(options.card),
        lineNumbers(),
        lintGutter(),
        history(),
        indentOnInput(),
        indentUnit.of("    "),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        placeholder("Paste JAX code or StableHLO here"),
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.contentAttributes.of({
          "aria-label": "Code to trace",
          tabindex: "0",
          spellcheck: "false",
          autocapitalize: "off",
          autocorrect: "off",
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !quiet) options.edit(update.state.doc.toString());
          else if (update.selectionSet && !quiet && update.transactions.some((t) => t.isUserEvent("select")))
            options.caret(placeAt(update.state.doc, update.state.selection.main.head));
        }),
        pointing(true, (view, at) => options.point(at === null ? null : placeAt(view.state.doc, at))),
      ],
    });
  const view = new EditorView({ parent, state: state(options.text) });
  const [hinted, lit] = [new Told(), new Told()];
  return {
    setText(text): void {
      if (text === view.state.doc.toString()) return;
      quiet = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true });
      quiet = false;
    },
    setReadOnly(value): void {
      view.dispatch({ effects: only.reconfigure(value ? [EditorState.readOnly.of(true)] : []) });
    },
    setLanguage(input): void {
      if (input === shown) return;
      shown = input;
      const set = (extension: Extension): void => {
        if (shown === input) view.dispatch({ effects: language.reconfigure(extension) });
      };
      if (input === "python") set(python());
      else if (input === "jaxpr") set(StreamLanguage.define(printed));
      else
        import("./mlir.ts").then(
          ({ mlir }) => set(mlir),
          () => undefined,
        );
    },
    setProblems(problems): void {
      const marks = problems.flatMap((problem) => (problem.span === null ? [] : [markOf(view.state.doc, problem, problem.span)]));
      view.dispatch(setDiagnostics(view.state, marks));
    },
    setHints(placed): void {
      const { doc } = view.state;
      if (hinted.is(doc, placed)) return;
      view.dispatch({ effects: setHints.of(placed.map(({ line, col, text, more }) => ({ at: offsetOf(doc, line, col), text, more }))) });
    },
    setLit(spans, callers): void {
      if (lit.is(view.state.doc, [spans, callers])) return;
      const ranges = (of: readonly Span[]) => of.map((span) => rangeOf(view.state.doc, span));
      view.dispatch({ effects: setLit.of({ ranges: ranges(spans), around: ranges(callers) }) });
    },
    goTo(span): void {
      const [from, to] = rangeOf(view.state.doc, span);
      view.dispatch({ selection: EditorSelection.range(from, to), effects: EditorView.scrollIntoView(from, { y: "center" }) });
      view.focus();
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

export interface ReaderOptions {
  readonly label: string;
  readonly nonce: string;
  readonly language?: "python" | "printed";
  /** Lines have coloured bands and the lines of the paste beside them. */
  readonly banded?: boolean;
  /** Offset in the text under the pointer, or null. */
  point(at: number | null): void;
  caret(at: number): void;
}

export interface ReaderHandle {
  setText(text: string): void;
  setLit(ranges: readonly (readonly [number, number])[], follow: boolean): void;
  setBanding(banding: Banding): void;
  /** How far below the top of the text in sight an offset stands, in pixels; null where it is not drawn. */
  top(at: number): number | null;
  /** Scrolls so that an offset stands so far below the top. */
  align(at: number, y: number): void;
  /** Marks the lines at these offsets, and goes to the one at `at`. */
  setFound(offsets: readonly number[], at: number | null): void;
  destroy(): void;
}

export function createReader(parent: HTMLElement, options: ReaderOptions): ReaderHandle {
  const label = new Compartment();
  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        ...shared(options.nonce),
        EditorState.readOnly.of(true),
        options.language === "python" ? python() : StreamLanguage.define(printed),
        options.banded === true && options.language !== "python" ? [] : lineNumbers(),
        options.banded === true ? bands(options.language !== "python") : [],
        keymap.of(defaultKeymap),
        label.of(EditorView.contentAttributes.of({ "aria-label": options.label, "aria-readonly": "true", tabindex: "0" })),
        EditorView.updateListener.of((update) => {
          if (update.selectionSet && update.transactions.some((t) => t.isUserEvent("select")))
            options.caret(onLine(update.state.doc, update.state.selection.main.head));
        }),
        pointing(false, (_, at) => options.point(at)),
      ],
    }),
  });
  return {
    setText(text): void {
      if (text !== view.state.doc.toString()) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    setLit(ranges, follow): void {
      const { length } = view.state.doc;
      const inside = ranges.filter(([from, to]) => from < to && to <= length);
      const effects = [setLit.of({ ranges: inside })];
      const first = inside[0];
      view.dispatch({
        effects:
          follow && first !== undefined && !seen(view, first[0])
            ? [...effects, EditorView.scrollIntoView(first[0], { y: "center" })]
            : effects,
      });
    },
    setBanding: (banding) => view.dispatch({ effects: setBanding.of(banding) }),
    top(at): number | null {
      const box = view.coordsAtPos(Math.min(at, view.state.doc.length));
      return box === null ? null : box.top - view.scrollDOM.getBoundingClientRect().top;
    },
    align(at, y): void {
      const inside = Math.min(at, view.state.doc.length);
      view.dispatch({ effects: EditorView.scrollIntoView(inside, { y: "start", yMargin: Math.max(0, y), x: "nearest" }) });
    },
    setFound(offsets, at): void {
      const { length } = view.state.doc;
      const inside = at !== null && at < length ? at : null;
      view.dispatch({
        effects: [
          setFound.of({ offsets: offsets.filter((offset) => offset < length), at: inside }),
          ...(inside === null ? [] : [EditorView.scrollIntoView(inside, { y: "center" })]),
        ],
      });
    },
    destroy: () => view.destroy(),
  };
}

function seen(view: EditorView, at: number): boolean {
  const box = view.coordsAtPos(at);
  const frame = view.scrollDOM.getBoundingClientRect();
  return box !== null && box.top >= frame.top && box.bottom <= frame.bottom;
}

/** `strict`: beyond the end of a line is pointing at nothing; else at the line's last character. */
function pointing(strict: boolean, tell: (view: EditorView, at: number | null) => void): Extension {
  let before: number | null = null;
  const set = (view: EditorView, at: number | null): void => {
    if (at === before) return;
    before = at;
    tell(view, at);
  };
  return EditorView.domEventHandlers({
    mousemove(event, view) {
      if (event.buttons !== 0) return;
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
      const box = at === null ? null : view.coordsAtPos(at);
      const beyond = box === null || event.clientX > box.right + 10;
      if (at === null || (beyond && strict)) set(view, null);
      else set(view, strict ? at : onLine(view.state.doc, at));
    },
    mouseleave: (_, view) => set(view, null),
  });
}

/** The offset itself, or that of the last character of its line when it stands behind it. */
function onLine(doc: Text, at: number): number {
  const line = doc.lineAt(at);
  return at === line.to && at > line.from ? at - 1 : at;
}

function markOf(doc: Text, problem: Diagnostic, span: Span): Mark {
  const [from, to] = rangeOf(doc, span);
  return {
    from,
    to: to > from ? to : Math.min(doc.length, from + 1),
    severity: problem.severity,
    message: problem.message,
    renderMessage(): Node {
      const box = document.createElement("div");
      const what = document.createElement("div");
      what.textContent = problem.type === "" ? problem.message : `${problem.type}: ${problem.message}`;
      box.append(what);
      if (problem.advice !== "") {
        const advice = document.createElement("div");
        advice.className = "cm-advice";
        advice.textContent = problem.advice;
        box.append(advice);
      }
      return box;
    },
  };
}
