"""One print from its first brace to its last, with what stands ahead of it.

Promises: linear in the text; depth costs no stack. Where it cannot go on it raises Problem, and `open` has the bodies as far as they were
read, outermost first. Must never: go beyond the print.
"""

from __future__ import annotations

from ._errors import CUT_OFF, Problem, problem
from ._nodes import Body
from ._operands import atom, balanced, binders, skip
from ._source import Source
from ._statements import Statements
from ._tokens import AHEAD, AHEAD_END, EFFECTS, IN, LET, OPEN
from ._trampoline import Step, run


class Parser:
    """Reads one print of a text."""

    def __init__(self, source: Source, start: int) -> None:
        self._text = source.text
        self._start = start
        self._statements = Statements(source.text, self._any, bool(source.notes))
        self.table: dict[str, Body] = {}
        self.open: list[Body] = []

    def read(self) -> Body:
        """The program; what stands ahead of it is in `table`."""
        body: Body = run(self._print(self._start, self.table))
        return body

    def _any(self, at: int, alone: bool) -> Step:
        """A jaxpr of the print that is being read, or one that was printed on its own and has letters of its own."""
        return self._print(at, {}, alone=True) if alone else self._jaxpr(at, self.open[-1].table)

    def _print(self, at: int, table: dict[str, Body], alone: bool = False) -> Step:
        text = self._text
        while found := AHEAD.match(text, at):
            body: Body = yield self._jaxpr(found.end(), table)
            table.setdefault(found.group(1), body)
            end = AHEAD_END.match(text, body.end)
            if end is None:
                raise Problem(body.end, f"`let {found.group(1)} = …` is not followed by `in`.", "`in` and the program", CUT_OFF)
            at = skip(text, end.end())
        body = yield self._jaxpr(at, table)
        body.alone = alone
        return body

    def _jaxpr(self, at: int, table: dict[str, Body]) -> Step:
        text, found = self._text, OPEN.match(self._text, at)
        if found is None:
            raise problem(text, at, "A jaxpr should begin here.", "`{ lambda`")
        body = Body(at, table)
        self.open.append(body)
        at = self._binders(skip(text, found.end()), body)
        return (yield self._rest(at, body))

    def _binders(self, at: int, body: Body) -> int:
        text = self._text
        for variables, sign, what in ((body.constvars, ";", "`;` after the constants"), (body.invars, ".", "`. let` after the inputs")):
            at = binders(text, at, variables)
            if not text.startswith(sign, at):
                raise problem(text, at, "The head of the jaxpr does not go on.", what)
            body.types.update(variables)
            at = skip(text, at + 1)
        found = LET.match(text, at)
        if found is None:
            raise problem(text, at, "The head of the jaxpr does not go on.", "`let`")
        return found.end()

    def _rest(self, at: int, body: Body) -> Step:
        text, line, statement = self._text, self._statements.line, self._statements.statement
        if text.startswith("\n", at) and len(self.open) == 1:
            self._statements.flush = _is_flush(text, self._start, at)
        while True:
            following = skip(text, at)
            broken = text.rfind("\n", at, following)
            column = following - text.rfind("\n", 0, following) - 1 if broken >= 0 else -1
            at = following
            if text.startswith(";", at):
                at += 1
                continue
            if IN.match(text, at):
                break
            if at >= len(text):
                raise Problem(at, "The text ends before the jaxpr does.", "`in (…) }`", CUT_OFF)
            at = line(at, column, body) or (yield statement(at, column, body))
        return self._end(at, body)

    def _end(self, at: int, body: Body) -> Body:
        text, found = self._text, IN.match(self._text, at)
        assert found is not None
        at = skip(text, found.end())
        while not text.startswith(")", at):
            out, at = atom(text, at, body)
            body.outs.append(out)
            at = skip(text, at)
            if text.startswith(",", at):
                at = skip(text, at + 1)
            elif not text.startswith(")", at):
                raise problem(text, at, "The results do not go on.", "`,` or `)`")
        at += 1
        effects = EFFECTS.match(text, at)
        if effects is not None:
            at = balanced(text, effects.end() - 1) or at
        at = skip(text, at)
        if not text.startswith("}", at):
            raise problem(text, at, "The jaxpr is not closed.", "`}`")
        body.end = at + 1
        self.open.pop()
        return body


def _is_flush(text: str, start: int, at: int) -> bool:
    """Whether the line under the head of a print is indented no further than the head: then indentation was lost."""
    line = text.rfind("\n", 0, start) + 1
    if text[line:start].strip():
        return False
    following = skip(text, at)
    return following - text.rfind("\n", 0, following) - 1 <= start - line
