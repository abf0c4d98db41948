"""Where the operations of a module stand in the text that it was read from.

The parser gives each operation that has no location of its own the place of its name. Where the text has locations, it is parsed once more
without them, and the two modules are walked side by side.

Promises: a span is exact or null, and begins with the names of the operation's results. Must never: guess: what the text at the place does
not begin with the operation's name has no place (the operations of a reducer that is written as `applies stablehlo.add`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from visualizer.tracing.source._paste import PasteSource

from ._brackets import Brackets
from ._names import binder_names, result_names

_PLACE = re.compile(r'loc\("-":(\d+):(\d+)')
_RESULTS = re.compile(r"%[\w$.\-]+(?::\d+)?(?:\s*,\s*%[\w$.\-]+(?::\d+)?)*\s*=\s*\Z")
_LOOK_BACK = 2_000


@dataclass
class _Found:
    """An operation of the text in the order of the parser: its name, where it starts, and which operation is the first after it."""

    name: str
    start: int | None
    head: int = 0
    """How many characters of its results' names stand before its own."""
    after: int = 0


class Places:
    """The spans of a module's operations in the order in which they stand, functions among them, without the module itself."""

    def __init__(self, module: Any, text: str, before: int, source: PasteSource) -> None:
        self._text, self._before, self._source = text, before, source
        self._lines = [0, *(found.end() for found in re.finditer("\n", text))]
        self._ascii = text.isascii()
        self._found: list[_Found] = []
        for view in module.body.operations:
            self._walk(view.operation)

    def spans(self) -> Iterator[tuple[str, dict[str, Any] | None, list[str], list[str]]]:
        """Of each operation: its name, its span in the paste, and the names that the text gives to its results and to its binders."""
        brackets = Brackets(self._text)
        starts: list[int] = [len(self._text)] * (len(self._found) + 1)
        for index in range(len(self._found) - 1, -1, -1):
            start = self._found[index].start
            starts[index] = starts[index + 1] if start is None else start
        for found in self._found:
            if found.start is None:
                yield found.name, None, [], []
            else:
                end = brackets.end(found.start, starts[found.after])
                text = self._text[found.start : end]
                named = result_names(text[: found.head]), binder_names(found.name, text[found.head :])
                yield found.name, self._span(found.start, end), *named

    def _walk(self, op: Any) -> None:
        found = _Found(op.name, *self._start(op))
        self._found.append(found)
        for region in op.regions:
            for block in region.blocks:
                for view in block.operations:
                    self._walk(view.operation)
        found.after = len(self._found)

    def _start(self, op: Any) -> tuple[int | None, int]:
        place = _PLACE.match(str(op.location))
        if place is None or not 1 <= int(place[1]) <= len(self._lines):
            return None, 0
        line, column = self._lines[int(place[1]) - 1], int(place[2]) - 1
        said = line + column if self._ascii else line + _characters(self._text[line : line + column], column)
        at = self._named(op.name, said)
        if at is None:
            return None, 0
        back = max(0, at - _LOOK_BACK)
        results = _RESULTS.search(self._text[max(back, self._text.rfind("\n", back, at) + 1) : at]) if len(op.results) else None
        head = len(results[0]) if results else 0
        return at - head, head

    def _named(self, name: str, at: int) -> int | None:
        """Where the name stands: at the place, or just before it (`stablehlo.reduce(` gives the place of its bracket)."""
        names = (name, f'"{name}"', name.partition(".")[2])
        if self._text.startswith(names, at):
            return at
        before = at - len(name)
        return before if before >= 0 and self._text.startswith(f"{name}(", before) else None

    def _span(self, start: int, end: int) -> dict[str, Any] | None:
        first, last = bisect_right(self._lines, start), bisect_right(self._lines, end)
        return self._source.chars(self._before + first, start - self._lines[first - 1], self._before + last, end - self._lines[last - 1])


def _characters(line: str, column: int) -> int:
    """How many characters a number of UTF-8 bytes is."""
    return len(line.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "ignore"))
