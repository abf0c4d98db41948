"""The equations of a body, one after the other, in whatever form JAX prints them.

Promises: what stands between an equation's name and its end is read, or a Problem says where it stopped. A line that begins no further
right than its equation is not of that equation. Must never: recurse, or read any text more than a fixed number of times.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ._errors import problem
from ._nodes import Atom, Binder, Body, Equation, Param, Pieces
from ._operands import atom, balanced, binders, skip
from ._refs import blanks, is_reference, load, reference, store
from ._tokens import ARROWS, BINDER, IN, LINE, NAME, PARAM, PARAMS, PRIMITIVE, SIMPLE_VALUE, WORDS
from ._trampoline import Step
from ._values import Layout, Value

# A word in the place of params that is none: `semaphore_wait[dec] x[...] 1:i32[]`.
_FLAG = re.compile(r"\[[^\W\d]\w*\]")
# Mosaic GPU's own primitives take their refs first and then what stands in the indices of all of them.
_REFS_FIRST = frozenset({"copy_gmem_to_smem", "copy_smem_to_gmem", "wgmma_ref"})
_LINE_END = re.compile(r"(?:[ \t]*\n)+([ \t]*)")
ELIDED = "..."


class Statements:
    """Reads equations of one text. `body` reads a jaxpr at a position; `trim`: lines may end in blanks that are not JAX's."""

    def __init__(self, text: str, body: Callable[[int, bool], Step], trim: bool) -> None:
        self._text = text
        self._body = body
        self._trim = trim
        self.flush = False  # all lines begin at one column: indentation says nothing

    def line(self, at: int, column: int, body: Body) -> int | None:
        """An equation of the most common form, of one line; None where it is another. `column` is -1 within a line."""
        found = LINE.match(self._text, at)
        if found is None or (found.group(5) is not None and (self.flush or column < 0 or len(found.group(5)) > column)):
            return None
        types, operands = body.types, list[Atom]()
        for word in found.group(4).split():
            if word in types:
                operands.append(Atom(word, None))
                continue
            value, colon, aval = word.partition(":")
            if (value[0].isalpha() or value[0] == "_") and value not in WORDS:
                return None
            operands.append(Atom(value, aval if colon else ""))
        results = [Binder(*word.split(":", 1)) for word in found.group(1).split()]
        types.update(results)
        params = [Param(*pair) for pair in PARAMS.findall(found.group(3))] if found.group(3) else []
        body.eqns.append(Equation(at, found.end(), found.group(2), results, params, operands))
        return found.end()

    def statement(self, at: int, column: int, body: Body) -> Step:
        """Any equation; the position behind it."""
        text = self._text
        if text.startswith(ELIDED, at):
            return self._elision(at, body)
        eqn = body.pending = Equation(at, at, "", [], [], [])
        end = binders(text, at, eqn.results)
        if eqn.results and text.startswith("<-", end):
            end = load(text, end + 2, eqn, body)
        elif eqn.results and text.startswith(",", end):
            end = store(text, end, eqn, body)
        elif eqn.results and text.startswith("=", end):
            end = yield self._application(skip(text, end + 1), column, eqn, body)
        elif eqn.results:
            raise problem(text, end, f"`{eqn.results[-1].name}` is bound to nothing.", "`=` and a primitive")
        elif text.startswith("= ", at):  # versions up to 0.4.13 print an equation without results so
            end = yield self._application(skip(text, at + 1), column, eqn, body)
        elif is_reference(text, at, body):
            end = store(text, at, eqn, body)
        else:
            end = yield self._application(at, column, eqn, body)
        eqn.end = end
        body.types.update(eqn.results)
        body.eqns.append(eqn)
        body.pending = None
        return end

    def _elision(self, at: int, body: Body) -> int:
        end = self._text.find("\n", at)
        end = len(self._text) if end < 0 else end
        if body.left_out is None:
            body.left_out = Equation(at, end, ELIDED, [], [], [], [self._text[at:end].strip()])
            body.eqns.append(body.left_out)
        return end

    def _application(self, at: int, column: int, eqn: Equation, body: Body) -> Step:
        text = self._text
        found = PRIMITIVE.match(text, at)
        if found is None or IN.match(text, at):
            raise problem(text, at, "An equation has no primitive.", "the name of a primitive")
        eqn.primitive, end = found.group(1), found.end()
        flag = _FLAG.match(text, end)
        if flag is not None:
            return self._operands(flag.end(), column, eqn, body, text[at : flag.end()], special=True)
        said = found.group()
        if text.startswith("[", end):
            end = yield self._params(end + 1, eqn)
        return self._operands(end, column, eqn, body, said)

    def _params(self, at: int, eqn: Equation) -> Step:
        text = self._text
        broken = _LINE_END.match(text, at)
        layout = Layout(len(broken.group(1)) if broken else None, self._trim)
        while True:
            at = skip(text, at)
            if text.startswith("]", at):
                return at + 1
            found = PARAM.match(text, at)
            if found is None:
                raise problem(text, at, "The params do not go on as params do.", "`name=value` or `]`")
            simple = SIMPLE_VALUE.match(text, found.end())
            if simple is not None and (broken is None or text.startswith("\n", simple.end())):
                eqn.params.append(Param(found.group(1), simple.group()))
                at = simple.end()
                continue
            value = Value(text, found.end(), layout, self._body)
            eqn.params.append(Param(found.group(1), value.pieces))
            at = yield value.read()

    def _operands(self, at: int, column: int, eqn: Equation, body: Body, said: str, special: bool = False) -> int:
        """Read operands up to the end of the equation; the position behind the last. `said` is what is printed as its primitive."""
        text, start = self._text, at
        marks: list[tuple[int, int, Pieces]] = []
        inside: list[Atom] = []
        end = at + 1 if text.startswith(" ", at) else at
        while True:
            at = blanks(text, at)
            char = text[at : at + 1]
            if char in ("\n", ""):
                following = skip(text, at)
                if not self._goes_on(following, column, body):
                    break
                at = following
                continue
            if char in ";]})" or (column < 0 and self._is_end(at, body)):
                break
            arrow = ARROWS.match(text, at)
            if arrow is not None:
                at, special = arrow.end(), True
                continue
            word = NAME.match(text, at)
            if word is not None and word.group() in body.types and text.startswith(("[", "{"), word.end()):
                atoms, pieces, end = reference(text, at, body)
                eqn.refs.append(len(atoms))
                special = True
            else:
                operand, end = atom(text, at, body)
                atoms, pieces = [operand], [operand]
            kept = 1 if eqn.primitive in _REFS_FIRST else len(atoms)
            eqn.operands += atoms[:kept]
            inside += atoms[kept:]
            marks.append((at, end, pieces))
            at = end
        eqn.operands += inside
        eqn.operands += _among(eqn.params, body)
        if special:
            eqn.pieces = [*_head(eqn, said), *_between(text, start, marks)]
        return end

    def _is_end(self, at: int, body: Body) -> bool:
        """Whether `in (` here ends the body, and is no variable of that name before a complex number."""
        found = IN.match(self._text, at)
        if found is None or "in" not in body.types:
            return found is not None
        end = balanced(self._text, found.end() - 1)
        return end is None or not self._text.startswith(":", end)

    def _goes_on(self, at: int, column: int, body: Body) -> bool:
        """Whether a new line goes on with the operands of an equation that began at `column`."""
        text = self._text
        if at >= len(text) or text.startswith("= ", at):
            return False
        if column >= 0 and not self.flush:
            return at - text.rfind("\n", 0, at) - 1 > column
        word = NAME.match(text, at)
        if word is None:
            return text[at] not in ";]})"
        if word.group() in WORDS and word.group() not in body.types:
            return not text.startswith(" = ", binders(text, at, []))
        return word.group() in body.types and not BINDER.match(text, at) and not self._is_end(at, body) and not is_reference(text, at, body)


def _among(params: list[Param], body: Body) -> list[Atom]:
    """Operands that are printed as if they were params."""
    return [Atom(value, None) for name, value in params if name == "user_predicate" and isinstance(value, str) and value in body.types]


def _head(eqn: Equation, said: str) -> Pieces:
    """An equation up to its operands, in pieces."""
    pieces = Pieces()
    for result in eqn.results:
        pieces += [Atom(result.name, None), f":{result.aval} "]
    pieces.append(f"= {said}" if eqn.results else said)
    for number, (name, value) in enumerate(eqn.params):
        pieces.append(f" {name}=" if number else f"[{name}=")
        pieces += [value] if isinstance(value, str) else value
    return [*pieces, "]"] if eqn.params else pieces


def _between(text: str, at: int, marks: list[tuple[int, int, Pieces]]) -> Pieces:
    """The operands with what is printed between them."""
    pieces = Pieces()
    for start, end, found in marks:
        pieces.append(" ".join(text[at:start].split("\n")) if "\n" not in text[at:start] else " ")
        pieces += [piece if not isinstance(piece, Atom) or piece.aval is None else _literal(piece) for piece in found]
        at = end
    return pieces


def _literal(atom: Atom) -> str:
    return f"{atom.text}:{atom.aval}" if atom.aval else atom.text
