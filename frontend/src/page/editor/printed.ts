// Just enough of a tokenizer to read a printed jaxpr or an MLIR module by: names, types, strings, numbers, comments.
import type { StreamParser } from "@codemirror/language";

const WORDS = /^(?:lambda|let|in|module|func\.func|func|return|private|public|loc|dense|true|false|True|False|None)\b/;
const TYPE =
  /^(?:(?:f|bf|i|u|ui|si|s|c|key|int|float0)\d*(?:e\dm\d\w*)?\[[^\]]*\]|(?:tensor|tuple|memref|vector|complex)<[^>]*>|(?:f|bf|i|ui|si)\d+\b|bool\[[^\]]*\]|Ref\{)/;

export const printed: StreamParser<null> = {
  name: "printed",
  startState: () => null,
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^(?:\/\/|#(?=\s)).*/)) return "comment";
    if (stream.match(/^"(?:[^"\\]|\\.)*"/)) return "string";
    if (stream.match(TYPE)) return "typeName";
    if (stream.match(/^[%@#!][\w$.#:-]+/)) return "variableName";
    if (stream.match(/^-?\d[\w.+-]*/)) return "number";
    if (stream.match(WORDS)) return "keyword";
    if (stream.match(/^[A-Za-z_][\w.]*(?=\[|\s*=(?!=))/)) return "propertyName";
    if (stream.match(/^[A-Za-z_][\w.$]*/)) return null;
    stream.next();
    return null;
  },
};
