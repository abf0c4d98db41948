"""Where Python text is code and where it is a string or a comment, found without parsing: the text may be broken.

Promises: linear in the text; right for every text that Python itself can read.
Must never: fail, whatever the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

DOUBLE, SINGLE = "“”„‟", "‘’‚‛"
_INTERESTING = re.compile("[#\"'()\\[\\]{}" + DOUBLE + SINGLE + "]")
_CLASSES = {**dict.fromkeys('"' + DOUBLE, '"'), **dict.fromkeys("'" + SINGLE, "'")}


@dataclass
class LineState:
    """What one line is: whether it starts inside a string, inside brackets, or after a backslash; its code outside strings and comments."""

    in_string: bool
    depth: int
    continued: bool
    code: list[tuple[int, int]] = field(default_factory=list)
    quotes: list[tuple[int, str]] = field(default_factory=list)
    """(position, the ASCII quote it stands for) of every quotation mark that opens or closes a string."""

    @property
    def starts_statement(self) -> bool:
        """Whether a statement may begin on this line."""
        return not (self.in_string or self.depth or self.continued)


def scan(lines: list[str]) -> list[LineState]:
    """The state of every line."""
    states = []
    depth, continued = 0, False
    quote, count, plain = "", 0, True  # the string we are in: its ASCII quote, how many of them close it, whether one opened it
    for line in lines:
        state = LineState(bool(quote), depth, continued)
        states.append(state)
        at = start = 0
        while True:
            if quote:
                end = _closing(line, at, quote, count, plain)
                if end is None:
                    break
                state.quotes += [(end + index, quote) for index in range(count)]
                at = start = end + count
                quote = ""
            found = _INTERESTING.search(line, at)
            if found is None:
                state.code.append((start, len(line)))
                break
            char, position = found.group(), found.start()
            if char == "#":
                state.code.append((start, position))
                break
            if char in "([{":
                depth += 1
            elif char in ")]}":
                depth = max(depth - 1, 0)
            else:
                state.code.append((start, position))
                quote = _CLASSES[char]
                plain = char == quote
                count = 3 if _run(line, position, quote) >= 3 else 1
                state.quotes += [(position + index, quote) for index in range(count)]
                at = position + count
                continue
            at = position + 1
        continued = line.endswith("\\")
        if quote and count == 1 and not continued:
            quote = ""  # a string that was not closed ends with its line
    return states


def _run(line: str, position: int, quote: str) -> int:
    """How many quotation marks of one kind stand in a row."""
    end = position
    while end < len(line) and end < position + 3 and _CLASSES.get(line[end]) == quote:
        end += 1
    return end - position


def _closing(line: str, at: int, quote: str, count: int, plain: bool) -> int | None:
    """Where a string closes: at an ASCII quote; at a typographic one if one opened it, or if there is no ASCII quote on the line."""
    fallback: int | None = None
    while at < len(line):
        char = line[at]
        if char == "\\":
            at += 2
            continue
        if _CLASSES.get(char) == quote and _run(line, at, quote) >= count:
            if char == quote or not plain:
                return at
            if fallback is None:
                fallback = at
        at += 1
    return fallback if count == 1 else None
