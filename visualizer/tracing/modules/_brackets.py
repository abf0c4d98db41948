"""The brackets, comments, block labels and locations of an MLIR text, found without parsing it.

Promises: linear in the text; what stands in a string or a comment is neither a bracket nor a location.
Must never: fail on a text that is no MLIR.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|[()\[\]{}]|\n[ \t]*\^[\w$.\-]+|\n[#!][\w$.\-]+[ \t]*=')
_LOCATION = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|\bloc[ \t]*\(|[()]')
# A location stands after what it is of; elsewhere it is a value, which the text cannot do without.
_VALUE_AFTER = frozenset("=,[(:<")


class Brackets:
    """Where the operations of a text can end."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._opens: list[int] = []
        self._closes: dict[int, int] = {}
        self._within: list[int] = []
        """For each bracket in order, the opening bracket that encloses what follows it; -1 for none."""
        self._at: list[int] = []
        self._comments: list[tuple[int, int]] = []
        self._labels: dict[int, list[int]] = {}
        stack: list[int] = []
        for found in _TOKEN.finditer(text):
            token, at = found.group(), found.start()
            first = token[0]
            if first == '"':
                continue
            if first == "/":
                self._comments.append((at, found.end()))
            elif first == "\n":
                if text[max(0, at - 200) : at].rstrip()[-1:] != "," if token.lstrip()[0] == "^" else not stack:
                    self._labels.setdefault(stack[-1] if stack else -1, []).append(at)
            else:
                if first in "([{":
                    stack.append(at)
                elif stack:
                    self._closes[stack.pop()] = at
                self._at.append(at)
                self._within.append(stack[-1] if stack else -1)
        self._ends = [end for _, end in self._comments]

    def end(self, start: int, following: int) -> int:
        """Where the operation ends that starts at `start`, when the next one that is not in it starts at `following`."""
        before = bisect_left(self._at, start) - 1
        within = self._within[before] if before >= 0 else -1
        end = min(following, self._closes.get(within, len(self._text)))
        labels = self._labels.get(within)
        if labels:
            label = bisect_right(labels, start)
            if label < len(labels):
                end = min(end, labels[label])
        return self._trimmed(start, end)

    def _trimmed(self, start: int, end: int) -> int:
        """Without the space and the comments at the end."""
        while True:
            while end > start and self._text[end - 1].isspace():
                end -= 1
            comment = bisect_left(self._ends, end)
            if comment < len(self._ends) and self._comments[comment][0] < end and self._comments[comment][0] >= start:
                end = self._comments[comment][0]
                continue
            return end


def without_locations(text: str) -> str:
    """The text with blanks for the locations of its operations and arguments, as long as it was."""
    if "loc(" not in text and "loc (" not in text:
        return text
    pieces: list[str] = []
    at = depth = 0
    start: int | None = None
    for found in _LOCATION.finditer(text):
        what = found.group()
        if what[0] in '"/':
            continue
        if start is None:
            if what[0] == "l" and text[max(0, found.start() - 200) : found.start()].rstrip()[-1:] not in _VALUE_AFTER:
                start, depth = found.start(), 1
            continue
        depth += -1 if what == ")" else 1
        if depth == 0:
            pieces += text[at:start], re.sub(r"[^\n]", " ", text[start : found.end()])
            at, start = found.end(), None
    return "".join((*pieces, text[at:]))
