"""References as JAX prints them: `b:f32[2] <- x[i]`, `x[0] <- b`, `c:f32[], x[0] <- x[0], b`, `x[...] += b`.

These are `get`, `swap` and `addupdate` by the rules of jax/_src/state/primitives.py; with a mask, Pallas' own loads and stores.

Promises: operands in the order of the primitive: the ref, the value, then what is in the index; of a store with a mask the value behind
the index. Must never: take a word of a transform (`{reshape(...)}`) for a variable.
"""

from __future__ import annotations

import re

from ._errors import problem
from ._nodes import Atom, Binder, Body, Equation, Pieces
from ._operands import atom, balanced, literal, skip
from ._tokens import BLANKS, NAME

_WORD = re.compile(r"[^\W\d]\w*|[\d.][\w.+]*(?::\w+\[\])?")
_EXTRA = re.compile(r" (mask|other)=")


def blanks(text: str, at: int) -> int:
    """The position behind blanks."""
    found = BLANKS.match(text, at)
    return at if found is None else found.end()


def reference(text: str, at: int, body: Body) -> tuple[list[Atom], Pieces, int]:
    """A ref with its index: the variables in it, the ref first, what is printed, and where it ends."""
    word = NAME.match(text, at)
    if word is None:
        raise problem(text, at, "A reference is missing.", "a variable and its index, such as x[...]")
    ref, end = atom(text, at, body)
    found, pieces = [ref], Pieces([ref])
    while text[end : end + 1] in ("[", "{", "."):
        stop = _suffix(text, end)
        if stop is None:
            break
        if text[end] == "[":
            _index(text, end, stop, body, found, pieces)
        else:
            pieces.append(text[end:stop])
        end = stop
    return found, pieces, end


def _suffix(text: str, at: int) -> int | None:
    if text[at] == ".":
        word = NAME.match(text, at + 1)
        return None if word is None else balanced(text, word.end()) if text.startswith("(", word.end()) else word.end()
    return balanced(text, at)


def _index(text: str, at: int, stop: int, body: Body, found: list[Atom], pieces: Pieces) -> None:
    said = at
    for word in _WORD.finditer(text, at, stop):
        name = word.group()
        if name in body.types:
            # Of `i:i+2` the second is the first again.
            if not text.startswith(f"{name}:{name}+", word.start() - len(name) - 1):
                found.append(Atom(name, None))
            pieces += [text[said : word.start()], Atom(name, None)]
            said = word.end()
        elif ":" in name and (value := literal(text, word.start())) is not None:
            found.append(value[0])
    pieces.append(text[said:stop])


def is_reference(text: str, at: int, body: Body) -> bool:
    """Whether a statement that begins here writes to a ref: `x[0] <- b` or `x[0] += b`."""
    word = NAME.match(text, at)
    if word is None or word.group() not in body.types:
        return False
    end: int | None = word.end()
    while end is not None and text[end : end + 1] in ("[", "{"):
        end = balanced(text, end)
    return end is not None and end > word.end() and text.startswith((" <- ", " += "), end)


def load(text: str, at: int, eqn: Equation, body: Body) -> int:
    """Read what stands behind `b:f32[2] <- `; the position behind it."""
    found, pieces, end = reference(text, blanks(text, at), body)
    eqn.primitive, eqn.effect, eqn.operands = "get", "Read", found
    eqn.pieces = [*_bound(eqn.results), " <- ", *pieces]
    return _extras(text, end, eqn, body, "masked_load")


def store(text: str, at: int, eqn: Equation, body: Body) -> int:
    """Read `x[0] <- b`, `x[0] += b`, or `, x[0] <- x[0], b` behind a result; the position behind it."""
    swapped = bool(eqn.results)
    found, pieces, end = reference(text, blanks(text, at + 1) if swapped else at, body)
    end = skip(text, end)
    sign = text[end : end + 2]
    if sign not in ("<-", "+="):
        raise problem(text, end, "A reference stands here with nothing written to it.", "`<-` or `+=`")
    end, between = blanks(text, end + 2), Pieces([f" {sign} "])
    if swapped:
        _, again, end = reference(text, end, body)
        between += [*again, ", "]
        end = blanks(text, end + 1)
    value, end = atom(text, end, body)
    eqn.operands = [found[0], value, *found[1:]]
    eqn.primitive, eqn.effect = ("addupdate", "Accum") if sign == "+=" else ("swap", "Write")
    said = value if value.aval is None else _said(value)
    eqn.pieces = [*_bound(eqn.results), *([", "] if swapped else []), *pieces, *between, said]
    if sign == "<-" and not swapped:
        # By its definition the value that was there has the type of the one that is written; nothing reads it.
        eqn.results = [Binder("_", _type(value, body))]
    end = _extras(text, end, eqn, body, "masked_swap")
    if eqn.primitive == "masked_swap":
        eqn.operands.insert(len(found), eqn.operands.pop(1))
    return end


def _type(value: Atom, body: Body) -> str:
    return body.types.get(value.text, "") if value.aval is None else value.aval


def _said(value: Atom) -> str:
    return f"{value.text}:{value.aval}" if value.aval else value.text


def _bound(results: list[Binder]) -> Pieces:
    return [piece for result in results for piece in (Atom(result.name, None), f":{result.aval}")]


def _extras(text: str, at: int, eqn: Equation, body: Body, masked: str) -> int:
    while found := _EXTRA.match(text, at):
        value, end = atom(text, found.end(), body)
        eqn.operands.append(value)
        eqn.primitive = masked
        assert eqn.pieces is not None
        eqn.pieces += [found.group(), value if value.aval is None else _said(value)]
        at = end
    return at
