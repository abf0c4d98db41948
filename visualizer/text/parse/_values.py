"""One param's value: where it ends, and the jaxprs in it.

JAX prints a param as `str` of it. That need not be balanced, quoted or on one line, so where it ends follows from how the params of an
equation are laid out: on a line of its own each, or one after the other with a blank between.

Promises: linear in the value. Must never: take a bracket of a person's string for the end of the params.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from ._errors import CUT_OFF, Problem
from ._nodes import Body, Inner, Pieces
from ._tokens import OPEN, STRING
from ._trampoline import Step

_INTERESTING = re.compile(r"[\[\](){}'\",\n ]|let (?=[^\s=]+ = \{ lambda)")
_NEXT_INLINE = re.compile(r"[ \t\n]+(?=[^\W\d]\w*=)|[ \t\n]*(?=\])")
_NEXT_LINE = re.compile(r"\n(?:[ \t]*\n)*([ \t]*)(?:[^\W\d]\w*=|(\]))")
_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_BEFORE = re.compile(r"(?:([^\W\d]\w*)=|('[^'\n]*'|\"[^\"\n]*\"|[\w.]+): ?)?([\w.]*)$")


@dataclass
class _Frame:
    """An open bracket in a value: where it stands, and how many items it had so far."""

    at: int
    opener: str
    commas: int = 0
    jaxprs: int = 0


@dataclass
class Layout:
    """How the params of an equation are laid out: the column of each where each has its own line, else None."""

    column: int | None
    trim: bool
    """Lines may end in blanks that are not JAX's."""


@dataclass
class Value:
    """A value being read from `start`."""

    text: str
    start: int
    layout: Layout
    body: Callable[[int, bool], Step]
    """Reads a jaxpr, or a print with what stands ahead of it (`alone`), at a position."""
    pieces: Pieces = field(default_factory=list)
    frames: list[_Frame] = field(default_factory=list)

    def read(self) -> Step:
        """Read it; the position behind it."""
        text, at, said = self.text, self.start, self.start
        while True:
            found = _INTERESTING.search(text, at)
            if found is None:
                raise Problem(len(text), "The text ends within a param.", "`]` after the params", CUT_OFF)
            at, char = found.start(), found.group()
            if char in " \n":
                end = self._ends(at)
                if end:
                    break
                at += 1
            elif (char == "{" and OPEN.match(text, at)) or char == "let ":
                path, alone = self._path(at), bool(self.frames) and not self._in_tuple()
                body: Body = yield self.body(at, alone)
                if self.frames:
                    self.frames[-1].jaxprs += 1
                if at > said:
                    self.pieces.append(text[said:at])
                self.pieces.append(Inner(path, body))
                at = said = body.end
            elif char in "([{":
                self.frames.append(_Frame(at, char))
                at += 1
            elif char in ")]}":
                if self._closes(char, at):
                    break
                at += 1
            elif char == ",":
                if self.frames:
                    self.frames[-1].commas += 1
                at += 1
            else:
                string = STRING.match(text, at) if self.frames or at == self.start else None
                at = string.end() if string else at + 1
        if at > said or not self.pieces:
            self.pieces.append(text[said:at].rstrip(" ") if self.layout.trim else text[said:at])
        return at

    def _ends(self, at: int) -> bool:
        """Whether the value ends at a blank or line end."""
        if self.layout.column is None:
            return not self.frames and bool(_NEXT_INLINE.match(self.text, at))
        found = _NEXT_LINE.match(self.text, at)
        if found is None:
            return False
        column = len(found.group(1))
        if found.group(2) is not None:
            return not self.frames or column == self.layout.column - 2
        return column == self.layout.column

    def _closes(self, char: str, at: int) -> bool:
        """Take a closing bracket; whether it is that of the params."""
        if self.frames and _CLOSERS[self.frames[-1].opener] == char:
            self.frames.pop()
            return False
        if char != "]" or any(frame.opener == "[" for frame in self.frames):
            return False
        # A bracket that nothing opened: of the params where they are on one line, of a person's string elsewhere.
        return self.layout.column is None or self._first_in_line(at)

    def _first_in_line(self, at: int) -> bool:
        start = self.text.rfind("\n", 0, at) + 1
        return not self.text[start:at].strip() and at - start <= (self.layout.column or 0)

    def _in_tuple(self) -> bool:
        """Whether the jaxprs stand in a plain tuple, which JAX's printer looks into: nothing else is in it."""
        if len(self.frames) != 1 or self.frames[0].at != self.start:
            return False
        said = "".join(piece for piece in self.pieces if isinstance(piece, str))
        return self.frames[0].commas == 0 and "=" not in said

    def _path(self, at: int) -> str:
        """The steps that lead to a jaxpr here."""
        steps = ""
        for index, frame in enumerate(self.frames):
            end = self.frames[index + 1].at if index + 1 < len(self.frames) else at
            before = _BEFORE.search(self.text, max(frame.at + 1, end - 200), end)
            key, name = (before.group(2), before.group(1)) if before else (None, None)
            named = _BEFORE.search(self.text, max(self.start, frame.at - 200), frame.at)
            if name is not None:
                steps += f".{name}"
            elif key is not None and frame.opener == "{":
                steps += f"[{key}]"
            elif frame.opener == "[" or not (named and named.group(3)):
                steps += f"[{max(frame.commas, frame.jaxprs)}]"
        return steps
