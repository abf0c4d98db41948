"""The words of a printed jaxpr, as patterns that match at a position.

Promises: none of them can take longer than the text they match is long.
"""

from __future__ import annotations

import re

NAME = re.compile(r"[^\W\d]\w*")
SPACE = re.compile(r"[ \t\n]*")
BLANKS = re.compile(r"[ \t]*")
OPEN = re.compile(r"\{\s*lambda\b")
LET = re.compile(r"[ \t\n]*let\b[ \t]*")
# `in (` ends a body; `in:f32[] = …` binds a variable of that name, which JAX gives to the 248th.
IN = re.compile(r"in[ \t\n]*\(")
AHEAD = re.compile(r"let[ \t]+([^\s=]+)[ \t]*=\s*(?=\{\s*lambda\b)")
AHEAD_END = re.compile(r"[ \t\n]*in\b")
BINDER = re.compile(r"([^\W\d]\w*):")
PRIMITIVE = re.compile(r"([^\s\[\]{};=(]+)(?:\([^()\n]*\))?")
PARAM = re.compile(r"([^\W\d]\w*)=")
STRING = re.compile(r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"")
EFFECTS = re.compile(r"[ \t\n]*:[ \t\n]*\{")
# What a literal without a letter of its own begins with; and those words that are literals where no variable has their name.
NUMBER = re.compile(r"[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?j?|nan|inf)(?![\w.])")
WORDS = frozenset({"nan", "inf", "True", "False", "None"})
ARROWS = re.compile(r"<-|\+=|->|@|using\b")

_TYPE = r"[A-Za-z]\w*(?:<\w+>)?(?:\[[^\s\[\]{}]*\])?(?:\{[^\s{}]*\})?"
TYPE = re.compile(_TYPE + r"(?=[\s;,).]|\Z)")
_SIMPLE = r"(?:[^\s\[\](){}=,;'\"<>]+|\([^\[\](){}='\"<>\n]*\))"
_WORD = rf"(?:[^\W\d]\w*|[-+]?[\d.][\w.]*(?:[eE][-+]\d+)?)(?::{_TYPE})?"
SIMPLE_VALUE = re.compile(_SIMPLE + r"(?=[ \n]+[^\W\d]\w*=|\n? *\])")
# Most equations are one line of this form: results = primitive[simple params] operands
LINE = re.compile(
    rf"((?:[^\W\d]\w*:{_TYPE} )+)= ([\w.\-]+)(?:\[((?:\w+={_SIMPLE}(?: (?=\w+=))?)+)\])?((?: {_WORD})*) ?(?=\n( *)|; | in \()"
)
PARAMS = re.compile(rf"(\w+)=({_SIMPLE})(?: |$)")
