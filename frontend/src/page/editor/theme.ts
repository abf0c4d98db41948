// CodeMirror in the page's tokens. Every colour is a CSS variable, so light and dark need one theme only.
import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags as t } from "@lezer/highlight";

export const theme = EditorView.theme({
  "&": { height: "100%", backgroundColor: "transparent", color: "var(--ink)", fontSize: "13px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "20px", fontVariantLigatures: "none" },
  ".cm-content": { padding: "10px 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 12px 0 6px" },
  // Opaque: long lines slide under it.
  ".cm-gutters": { backgroundColor: "var(--surface)", border: "0", color: "var(--faint)" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "34px", padding: "0 6px 0 4px", fontSize: "11.5px" },
  ".cm-gutter-lint": { width: "14px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "4px 0 0 2px" },
  ".cm-lint-marker": { width: "10px", height: "10px" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--surface-3) 45%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--focus) 24%, transparent)",
  },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "1.5px" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--surface-3)", outline: "1px solid var(--line-strong)" },
  ".cm-placeholder": { color: "var(--faint)" },
  ".cm-lit": { backgroundColor: "var(--lit)", borderRadius: "3px", boxShadow: "0 0 0 1px var(--lit-line)" },
  ".cm-lit-around": { textDecoration: "underline dotted var(--lit-line) 1.5px", textUnderlineOffset: "4px" },
  // Type beside the code: smaller, paler, never selected.
  ".cm-hint": {
    margin: "0 1px 0 5px",
    padding: "0 4px",
    borderRadius: "4px",
    backgroundColor: "color-mix(in srgb, var(--surface-3) 55%, transparent)",
    color: "var(--muted)",
    fontSize: "11px",
    lineHeight: "16px",
    verticalAlign: "1px",
    whiteSpace: "pre",
    userSelect: "none",
    cursor: "default",
    transition: "opacity 140ms ease-out",
  },
  ".cm-hint + .cm-hint": { marginLeft: "3px" },
  ".cm-hint-stale": { opacity: "0.38" },
  ".cm-hint-more": { marginLeft: "4px", color: "var(--accent)", fontWeight: "600" },
  "@media (prefers-reduced-motion: reduce)": { ".cm-hint": { transition: "none" } },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--danger) 1.5px", textUnderlineOffset: "3px" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--warning) 1.5px", textUnderlineOffset: "3px" },
  ".cm-lintRange-info": { backgroundImage: "none", textDecoration: "underline dotted var(--info) 1.5px", textUnderlineOffset: "3px" },
  ".cm-tooltip": {
    border: "1px solid var(--line)",
    borderRadius: "8px",
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
    boxShadow: "var(--shadow)",
  },
  ".cm-diagnostic": { padding: "7px 11px", fontFamily: "var(--font)", maxWidth: "480px", whiteSpace: "pre-wrap" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--danger)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warning)" },
  ".cm-advice": { marginTop: "4px", color: "var(--muted)" },
  ".cm-panels": { backgroundColor: "var(--surface-2)", color: "var(--ink)", borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search": { fontFamily: "var(--font)", fontSize: "12px" },
  ".cm-textfield": { border: "1px solid var(--line-strong)", borderRadius: "5px", backgroundColor: "var(--surface)" },
  ".cm-button": { border: "1px solid var(--line-strong)", borderRadius: "5px", background: "var(--surface)" },
  ".cm-searchMatch": { backgroundColor: "color-mix(in srgb, var(--focus) 22%, transparent)" },
});

export const highlight = HighlightStyle.define([
  {
    tag: [t.keyword, t.modifier, t.operatorKeyword, t.controlKeyword, t.definitionKeyword, t.moduleKeyword],
    color: "var(--syntax-keyword)",
  },
  { tag: [t.string, t.special(t.string)], color: "var(--syntax-string)" },
  { tag: [t.number, t.bool, t.null], color: "var(--syntax-number)" },
  { tag: [t.comment, t.docComment], color: "var(--syntax-comment)", fontStyle: "italic" },
  {
    tag: [t.definition(t.variableName), t.function(t.definition(t.variableName)), t.definition(t.className)],
    color: "var(--syntax-definition)",
  },
  { tag: [t.typeName, t.className], color: "var(--syntax-number)" },
  { tag: [t.meta, t.propertyName], color: "var(--syntax-definition)" },
  { tag: t.invalid, color: "var(--danger)" },
]);
