"""A link as its pages show it: the program that was kept with it, at the level and with what is open that it was shared with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args

from flask import request

from visualizer.drawing import Grouping
from visualizer.links import Content
from visualizer.web._admission import client_key

from ._glance import LEVELS as LEVELS
from ._glance import Glance, glance
from ._words import line

_GROUPINGS: tuple[str, ...] = get_args(Grouping)
Dict = dict[str, Any]


@dataclass(frozen=True)
class Subject:
    """`kept` is b"" where nothing was kept of the program."""

    id: str
    content: Content
    name: str
    kept: bytes

    @property
    def title(self) -> str:
        return line(self.name, 120) or "A program in JAX"

    @property
    def source(self) -> str:
        return self.content.state.source

    @property
    def level(self) -> str:
        return self.content.state.view.removesuffix("-text")

    @property
    def as_text(self) -> bool:
        return self.content.state.view.endswith("-text")

    @cached_property
    def _glance(self) -> Glance:
        return glance(self.kept)

    @property
    def levels(self) -> tuple[str, ...]:
        """What it can be drawn at; nothing where nothing was kept."""
        return self._glance.levels

    def options(self, level: str | None = None) -> Dict:
        """As `drawing.Options` takes them: as it was shared, at that level or another one."""
        wanted = level or self.level
        shown = wanted if wanted in self.levels else next(iter(self.levels), None)
        state = self.content.state
        by, depth = state.levels or ("auto", None)
        opened: Any = "initial"
        if shown == self.level and state.open is not None:
            opened = state.open
        elif depth == "all" or (isinstance(depth, int) and 0 <= depth < 100):
            opened = depth
        way = "LR" if state.direction == "LR" else "TB"
        alone = {"alone": state.alone} if shown == self.level and state.alone is not None else {}
        return {"level": shown, "title": self.title, "open": opened, "by": by if by in _GROUPINGS else "auto", "direction": way, **alone}

    def text(self, level: str) -> str:
        """The text of a level, cut where it is very long; "" where it was not kept."""
        return self._glance.text(level)

    @property
    def size(self) -> str:
        """`57 equations`, or ""."""
        return self._glance.size


# Raises ApiError where there is none.
Find = Callable[[str], Subject]


def client() -> str:
    """Who asks, as the limits of one client know them."""
    return client_key(request.remote_addr)


def address(path: str) -> str:
    """The absolute address of one of our paths (`s/abc`), as whoever asks reaches it."""
    return request.url_root + path
