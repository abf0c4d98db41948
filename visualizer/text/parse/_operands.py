"""Operands, types and results: variables and literals between blanks.

Promises: a word is a variable where one of that name is bound, else a literal if it can be one. Must never: invent a type.
"""

from __future__ import annotations

from ._errors import BEFORE, CUT_OFF, Problem, problem
from ._nodes import Atom, Binder, Body
from ._tokens import BINDER, NAME, NUMBER, SPACE, TYPE, WORDS

_OPENERS, _CLOSERS = "([{<", ")]}>"


def skip(text: str, at: int) -> int:
    """The position of the next word."""
    found = SPACE.match(text, at)
    return at if found is None else found.end()


def type_end(text: str, at: int) -> int:
    """Where a type that begins here ends: at a blank, or at what closes or separates."""
    found = TYPE.match(text, at)
    if found is not None and not text.startswith(".", found.end()):
        return found.end()
    depth, start, length = 0, at, len(text)
    while at < length:
        char = text[at]
        if char in _OPENERS:
            depth += 1
        elif char in _CLOSERS and depth:
            depth -= 1
        elif (not depth and (char in " \t\n;,)]}" or (char == "." and text[at + 1 : at + 2] in ("", " ", "\n")))) or char == "\n":
            break
        at += 1
    if at == start:
        raise Problem(at, "A type is missing.", "a type such as f32[3]", CUT_OFF if at >= length else BEFORE)
    return at


def binders(text: str, at: int, into: list[Binder]) -> int:
    """Read `a:f32[3] b:f32[]` into a list; the position behind the last one."""
    while True:
        found = BINDER.match(text, at)
        if found is None:
            return at
        end = type_end(text, found.end())
        into.append(Binder(found.group(1), text[found.end() : end]))
        at = skip(text, end)


def literal(text: str, at: int) -> tuple[Atom, int] | None:
    """A literal that begins here, and where it ends."""
    char = text[at : at + 1]
    if char in ("(", "["):
        end = balanced(text, at)
        if end is None:
            return None
    elif found := NUMBER.match(text, at):
        end = found.end()
    elif (word := NAME.match(text, at)) and (word.group() in WORDS or text.startswith((":", "("), word.end())):
        end = word.end()
        if text.startswith("(", end):
            end = balanced(text, end) or end
    else:
        return None
    value = text[at:end]
    if text.startswith(":", end) and not text.startswith(": ", end):
        stop = type_end(text, end + 1)
        return Atom(value, text[end + 1 : stop]), stop
    return Atom(value, ""), end


def atom(text: str, at: int, body: Body) -> tuple[Atom, int]:
    """The operand that begins here, and where it ends. Raises Problem where nothing is bound to the name."""
    word = NAME.match(text, at)
    if word is not None and word.group() in body.types and not text.startswith(":", word.end()):
        return Atom(word.group(), None), word.end()
    found = literal(text, at)
    if found is not None:
        return found
    if word is None:
        raise problem(text, at, f"{_shown(text, at)} is neither a variable nor a literal.", "an operand")
    name = word.group()
    if body.left_out is None:
        message = f"{name} is used before it is defined."
        raise Problem(at, message, "a variable that is bound before", BEFORE, word.end())
    body.left_out.results.append(Binder(name, ""))
    body.types[name] = ""
    return Atom(name, None), word.end()


def balanced(text: str, at: int) -> int | None:
    """The position behind the bracket that closes the one here; None where the line has none."""
    depth = 0
    for index in range(at, min(len(text), at + 100_000)):
        char = text[index]
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if depth == 0:
                return index + 1
        elif char == "\n" and depth == 0:
            return None
    return None


def _shown(text: str, at: int) -> str:
    word = text[at : at + 20].split()[:1]
    return f"`{word[0]}`" if word else "The end of the text"
