"""Where each operation stands in the printed text of its module.

MLIR's printer starts every operation on a line of its own, in the order of the module, and indents what is inside it deeper than itself.
The names of an operation's results and its mnemonic must stand at the start of its line; an operation for which they do not has no place
(a reducer that is printed as `applies stablehlo.add` hides the operations in it).

Promises: a span is exact or null; spans nest as regions do; `[start, end)` in UTF-16 units, as editors count.
Must never: guess.

"""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any

Dict = dict[str, Any]
_HEAD = re.compile(r' *(?:(%[^=]*?) = )?("?)([\w.$]+)\2')


class _Line:
    __slots__ = ("end", "indent", "mnemonic", "results", "start")

    def __init__(self, text: str, start: int) -> None:
        stripped = text.lstrip(" ")
        self.indent = len(text) - len(stripped)
        self.start = start + self.indent
        self.end = start + len(text)
        head = _HEAD.match(text)
        self.results = (head[1] or "") if head else ""
        word = head[3] if head else ""
        self.mnemonic = word if "." in word or word in ("call", "return") else ""


def place(module: Dict) -> None:
    """Fill in the `text_span` of every function and operation of a module-shaped dict."""
    _Placer(module).run()


class _Placer:
    def __init__(self, module: Dict) -> None:
        self._module = module
        self._values: dict[str, Dict] = module["values"]
        self._lines: list[_Line] = []
        start = 0
        for text in module["text"].split("\n"):
            self._lines.append(_Line(text, start))
            start += len(text) + 1
        self._units = None if module["text"].isascii() else _units(module["text"])

    def run(self) -> None:
        """Functions stand in the order of the module, with the other operations of the module between them."""
        at = 1  # the line of the module itself
        for function in self._module["functions"]:
            at = self._function(function, at)
        at = 1
        for op in self._module["ops"]:
            at = self._op(op, at, self._end(at, 0), 2) or at

    def _function(self, function: Dict, at: int) -> int:
        here = next((here for here in range(at, len(self._lines)) if self._lines[here].mnemonic == "func.func"), None)
        if here is None:
            return at
        line = self._lines[here]
        end = self._end(here + 1, line.indent)
        last = min(end, len(self._lines) - 1)
        function["text_span"] = self._span(line.start, self._lines[last].end)
        self._blocks(function["region"], here + 1, last, line.indent)
        return last + 1

    def _end(self, at: int, indent: int) -> int:
        """The first line from `at` on that is indented no deeper than `indent`."""
        while at < len(self._lines) and (self._lines[at].indent > indent or self._labels(self._lines[at])):
            at += 1
        return at

    def _labels(self, line: _Line) -> bool:
        """Whether a line is the name of a block, which stands as far out as the operation that the block is in."""
        return self._module["text"].startswith("^", line.start)  # type: ignore[no-any-return]

    def _blocks(self, region: Dict, at: int, end: int, indent: int) -> int:
        """Place the operations of a region between two lines; the line after the last of them."""
        for block in region["blocks"]:
            depth: int | None = None
            for op in block["ops"]:
                found = self._op(op, at, end, depth, deeper_than=indent)
                if found is None:
                    continue
                at, depth = found, self._depth
        return at

    _depth = 0

    def _op(self, op: Dict, at: int, end: int, depth: int | None, *, deeper_than: int = 0) -> int | None:
        """Place one operation and what is in it; the line after it, or None where the text does not show it."""
        results = self._results(op)
        names = (op["name"], op["name"].removeprefix("func."))
        for here in range(at, end):
            line = self._lines[here]
            if line.indent <= deeper_than or (depth is not None and line.indent != depth):
                continue
            if line.mnemonic in names and line.results == results:
                break
            if line.mnemonic:
                return None
        else:
            return None
        after = here + 1
        for region in op["regions"]:
            after = max(after, self._blocks(region, after, self._extent(here, end), line.indent))
        last = self._last(here, end) if op["regions"] else here
        op["text_span"] = self._span(line.start, self._lines[last].end)
        self._depth = line.indent
        return last + 1

    def _extent(self, at: int, end: int) -> int:
        return self._last(at, end) + 1

    def _last(self, at: int, end: int) -> int:
        """The last line of the operation that starts at `at`: its lines are deeper, or begin with a bracket or a region's name."""
        indent = self._lines[at].indent
        last = at
        for here in range(at + 1, end):
            line = self._lines[here]
            if line.indent < indent or (line.indent == indent and not self._goes_on(line)):
                break
            last = here
        return last

    def _goes_on(self, line: _Line) -> bool:
        text: str = self._module["text"]
        return text.startswith(("}", ")", "^", "cond {", "reducer("), line.start)

    def _results(self, op: Dict) -> str:
        """The left-hand side as MLIR prints it: `%4:2`, `%values, %indices`, or nothing."""
        results = op["results"]
        if not results:
            return ""
        if len(results) == 1:
            return str(self._values[results[0]]["name"])
        names = [self._values[value]["name"].partition("#")[0] for value in results]
        groups = [(name, len(list(same))) for name, same in groupby(names)]
        return ", ".join(name if count == 1 else f"{name}:{count}" for name, count in groups)

    def _span(self, start: int, end: int) -> list[int]:
        return [start, end] if self._units is None else [self._units[start], self._units[end]]


def _units(text: str) -> list[int]:
    """Offset in UTF-16 units of each character."""
    units, at = [0], 0
    for character in text:
        at += 2 if ord(character) > 0xFFFF else 1
        units.append(at)
    return units
