"""The picture that goes with a link in chats and posts, 1200 x 630 pixels, and what is said of a program in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from visualizer.model import Program

from ._engine import engine
from ._formats import Options, shown
from ._svg import as_data, as_module, wish


@dataclass(frozen=True)
class Card:
    """`svg` is the card; `alt` says what the picture of the same options shows; `size` is like `57 equations, 2 nested bodies`."""

    svg: str
    alt: str
    size: str


def card(program: Program | None, options: Options, *, code: str = "") -> Card:
    """The card of a program; without one it shows the code. Raises BundleMissingError, DrawingError."""
    drawn = None if program is None else shown(program, options.level)
    title = options.title or (program.name if program is not None else "Code")
    request: dict[str, Any] = {"title": title, "open": wish(options.open), "code": code}
    request |= {key: getattr(options, key) for key in ("by", "overlay", "alone")}
    if drawn is None:
        request["level"] = "not traced"
    elif isinstance(drawn, Program):
        request |= {"level": "jaxpr", "program": as_data(drawn)}
    else:
        request |= {"level": drawn.dialect, "module": as_module(drawn)}
    found = engine().card(request)
    return Card(found["svg"], found["alt"], found["facts"]["size"])
