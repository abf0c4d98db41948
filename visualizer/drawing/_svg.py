"""A program or a module of the wire model as an SVG picture."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from visualizer.model import Module, Program

from ._engine import engine

Theme = Literal["light", "dark", "auto"]
Open = Literal["initial", "all", "none"] | Iterable[str]


def draw(
    program: Program | Mapping[str, Any],
    *,
    open: Open = "initial",  # noqa: A002 - the word of the whole drawing
    theme: Theme = "light",
    title: str | None = None,
    legend: bool = True,
) -> str:
    """The jaxprs of a program as one self-contained SVG, without ids, scripts or outside references.

    `open` says which nested bodies are drawn open: what fits on a screen, all, none, or instance paths (`e3/e7`). `theme` `auto`
    follows the reader's system. `title` is the picture's alt text, by default the program's name. Raises BundleMissingError, DrawingError.
    """
    data = program.model_dump(mode="json", by_alias=True) if isinstance(program, Program) else dict(program)
    request = {"program": data, "title": title or str(data.get("name", "Program"))}
    return engine().draw({**request, "open": _paths(open), "theme": theme, "legend": legend})


def draw_module(
    module: Module | Mapping[str, Any],
    *,
    open: Open = "initial",  # noqa: A002
    theme: Theme = "light",
    title: str | None = None,
    legend: bool = True,
) -> str:
    """A lowered module as one self-contained SVG; arguments as in `draw`."""
    data = module.model_dump(mode="json", by_alias=True) if isinstance(module, Module) else dict(module)
    request = {"module": data, "title": title or f"{data.get('dialect', 'lowered')} module"}
    return engine().draw({**request, "open": _paths(open), "theme": theme, "legend": legend})


def _paths(wish: Open) -> str | list[str]:
    return wish if isinstance(wish, str) else sorted(wish)
