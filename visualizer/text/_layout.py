"""Laying out text with optional line breaks, as JAX's pretty printer does.

Promises: the line breaks and indentation of `jax._src.pretty_printer` (after Wadler, "A prettier printer", and Lindig, "Strictly pretty"):
a group stands on one line if all of it fits, and breaks at each of its own breaks otherwise. Documents may be as deep as they like: what
is inside is made when it is needed, and nothing here recurses.
Must never: know what a jaxpr is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

WIDTH = 80


@dataclass(frozen=True, slots=True)
class Break:
    """A new line, or `flat` where the group around it fits on one."""

    flat: str = " "


@dataclass(frozen=True, slots=True)
class Group:
    """All on one line if it fits."""

    doc: Doc


@dataclass(frozen=True, slots=True)
class Nest:
    """Lines that begin in here are indented by `by` more spaces."""

    by: int
    doc: Doc


Doc = str | Break | Group | Nest | list["Doc"] | Callable[[], "Doc"]
"""A document: text, one of the above, several in a row, or a function that makes one when it is needed."""


def join(separator: Doc, docs: list[Doc]) -> list[Doc]:
    """`docs` with `separator` between them."""
    joined: list[Doc] = []
    for doc in docs:
        joined += [separator, doc] if joined else [doc]
    return joined


def layout(doc: Doc) -> str:
    """The text of `doc`, in lines of `WIDTH` bytes of UTF-8 where its groups allow it."""
    out: list[str] = []
    column = 0
    agenda: list[tuple[int, bool, Doc]] = [(0, False, doc)]
    while agenda:
        indent, flat, doc = agenda.pop()
        if isinstance(doc, str):
            out.append(doc)
            column += _width(doc)
        elif isinstance(doc, list):
            agenda += [(indent, flat, part) for part in reversed(doc)]
        elif isinstance(doc, Break):
            if flat:
                out.append(doc.flat)
                column += _width(doc.flat)
            else:
                out.append("\n" + " " * indent)
                column = indent
        elif isinstance(doc, Nest):
            agenda.append((indent + doc.by, flat, doc.doc))
        elif isinstance(doc, Group):
            agenda.append((indent, flat or _fits(doc.doc, WIDTH - column), doc.doc))
        else:
            agenda.append((indent, flat, doc()))
    return "".join(out)


def _fits(doc: Doc, left: int) -> bool:
    agenda = [doc]
    while agenda and left >= 0:
        doc = agenda.pop()
        if isinstance(doc, str):
            left -= _width(doc)
        elif isinstance(doc, list):
            agenda += reversed(doc)
        elif isinstance(doc, Break):
            left -= _width(doc.flat)
        elif isinstance(doc, (Nest, Group)):
            agenda.append(doc.doc)
        else:
            agenda.append(doc())
    return left >= 0


def _width(text: str) -> int:
    # JAX's printer counts the bytes of UTF-8.
    return len(text) if text.isascii() else len(text.encode(errors="surrogatepass"))
