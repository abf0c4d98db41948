// MLIR and HLO as colours: just enough of a tokenizer to read a module by. Loaded when such a text is in the editor.
import { StreamLanguage, type StreamParser } from "@codemirror/language";

const WORDS =
  /^(?:module|func|return|call|private|public|nested|attributes|cond|do|reducer|applies|across|init|loc|dense|dense_resource|true|false|unit|HloModule|ENTRY|ROOT)\b/;
const TYPE =
  /^(?:(?:tensor|tuple|memref|vector|complex|token|none|index)\b(?!\.)|!\w[\w.]*|(?:bf|f|i|ui|si|s|u|c|pred)\d+(?:E\dM\d\w*)?\b)/;

const parser: StreamParser<{ depth: number }> = {
  name: "mlir",
  startState: () => ({ depth: 0 }),
  token(stream, state) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^\/\/.*/)) return "comment";
    // A long constant is one string on one line.
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
    // Shapes within a type: `4x3xf32`.
    if (state.depth > 0) {
      if (stream.match(/^[\d?*]+(?=x)/)) return "number";
      if (stream.match(/^x(?=[\d?*a-z!])/)) return null;
    }
    if (stream.match(/^->/)) return null;
    if (stream.eat("<")) {
      state.depth += 1;
      return null;
    }
    if (stream.eat(">")) {
      state.depth = Math.max(0, state.depth - 1);
      return null;
    }
    if (stream.match(/^(?:loc\(|#loc\w*)/)) return "comment";
    if (stream.match(TYPE)) return "typeName";
    if (stream.match(/^@(?:"[^"]*"|[\w$.-]+)/)) return "labelName";
    if (stream.match(/^[%^][\w$.#-]+/)) return "variableName";
    if (stream.match(/^#[\w$.]+/)) return "propertyName";
    if (stream.match(/^-?(?:0x[\da-fA-F]+|\d[\d.]*(?:[eE][+-]?\d+)?)/)) return "number";
    if (stream.match(WORDS)) return "keyword";
    if (stream.match(/^[a-zA-Z_]\w*\.[\w.$]+/)) return "keyword";
    if (stream.match(/^[a-zA-Z_][\w$]*(?=\s*=(?!=))/)) return "propertyName";
    if (stream.match(/^[a-zA-Z_][\w$-]*/)) return null;
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "//" } },
};

export const mlir = StreamLanguage.define(parser);
