"""A program or a module of the wire model as an SVG picture."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from visualizer.model import Module, Program

from ._engine import engine

Theme = Literal["light", "dark", "auto"]
Overlay = Literal["bytes", "flops", "memory", "lines", "scopes"]
Open = Literal["initial", "all", "none"] | Iterable[str]


def draw(
    program: Program | Mapping[str, Any],
    *,
    open: Open = "initial",  # noqa: A002 - the word of the whole drawing
    theme: Theme = "light",
    title: str | None = None,
    legend: bool = True,
    overlay: Overlay | None = None,
) -> str:
    """The jaxprs of a program as one self-contained SVG, without ids, scripts or outside references.

    `open` says which nested bodies are drawn open: what fits on a screen, all, none, or instance paths (`e3/e7`). `theme` `auto`
    follows the reader's system. `title` is the picture's alt text, by default the program's name. `overlay` colours the boxes by an amount
    or an origin, and the legend says which. Raises BundleMissingError, DrawingError.
    """
    data = as_data(program)
    request = {"program": data, "title": title or str(data.get("name", "Program"))}
    return engine().draw({**request, "open": _paths(open), "theme": theme, "legend": legend, "overlay": overlay})


def draw_module(
    module: Module | Mapping[str, Any],
    *,
    open: Open = "initial",  # noqa: A002
    theme: Theme = "light",
    title: str | None = None,
    legend: bool = True,
    overlay: Overlay | None = None,
) -> str:
    """A lowered module as one self-contained SVG; arguments as in `draw`."""
    data = as_module(module)
    request = {"module": data, "title": title or f"{data.get('dialect', 'lowered')} module"}
    return engine().draw({**request, "open": _paths(open), "theme": theme, "legend": legend, "overlay": overlay})


def as_data(program: Program | Mapping[str, Any]) -> dict[str, Any]:
    """A program as it is on the wire."""
    return program.model_dump(mode="json", by_alias=True) if isinstance(program, Program) else dict(program)


def as_module(module: Module | Mapping[str, Any]) -> dict[str, Any]:
    """A module as it is on the wire."""
    return module.model_dump(mode="json", by_alias=True) if isinstance(module, Module) else dict(module)


def _paths(wish: Open) -> str | list[str]:
    return wish if isinstance(wish, str) else sorted(wish)
