"""A program or a module of the wire model as an SVG picture."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from visualizer.model import Module, Program

from ._engine import engine

Theme = Literal["light", "dark", "auto"]
Overlay = Literal["bytes", "flops", "memory", "lines", "scopes"]
Open = Literal["initial", "all", "none"] | int | Iterable[str]
Direction = Literal["TB", "LR"]
Grouping = Literal["auto", "scopes", "calls", "modules", "repeats", "none"]


def draw(
    program: Program | Mapping[str, Any],
    *,
    open: Open = "initial",  # noqa: A002 - the word of the whole drawing
    theme: Theme = "light",
    title: str | None = None,
    alt: str | None = None,
    width: float | None = None,
    legend: bool = True,
    overlay: Overlay | None = None,
    by: Grouping = "auto",
    direction: Direction = "TB",
    alone: str | None = None,
) -> str:
    """The jaxprs of a program as one self-contained SVG, without ids, scripts or outside references.

    `open` says which nested bodies are drawn open: what fits on a screen, all, none, down to a depth, or instance paths (`e3/e7`). `theme`
    `auto` follows the reader's system. `title` is by default the program's name; `alt` is what is spoken of the picture, by default its
    title and what is in it. `width` in pixels scales it. `overlay` colours the boxes by an amount or an origin, and the legend
    says which. `by` is what a large level is grouped by. `direction` is the way of the values: to the bottom or
    to the right. `alone` is the path of a body that is drawn by itself. Raises BundleMissingError, DrawingError.
    """
    data = as_data(program)
    request = {"program": data, "title": title or str(data.get("name", "Program"))}
    return _draw(
        request, open=open, theme=theme, alt=alt, width=width, legend=legend, overlay=overlay, by=by, direction=direction, alone=alone
    )


def draw_module(
    module: Module | Mapping[str, Any],
    *,
    open: Open = "initial",  # noqa: A002
    theme: Theme = "light",
    title: str | None = None,
    alt: str | None = None,
    width: float | None = None,
    legend: bool = True,
    overlay: Overlay | None = None,
    by: Grouping = "auto",
    direction: Direction = "TB",
    alone: str | None = None,
) -> str:
    """A lowered module as one self-contained SVG; arguments as in `draw`."""
    data = as_module(module)
    request = {"module": data, "title": title or f"{data.get('dialect', 'lowered')} module"}
    return _draw(
        request, open=open, theme=theme, alt=alt, width=width, legend=legend, overlay=overlay, by=by, direction=direction, alone=alone
    )


def _draw(request: dict[str, Any], *, open: Open, **options: Any) -> str:  # noqa: A002
    return engine().draw({**request, "open": wish(open), **options})


def as_data(program: Program | Mapping[str, Any]) -> dict[str, Any]:
    """A program as it is on the wire."""
    return program.model_dump(mode="json", by_alias=True) if isinstance(program, Program) else dict(program)


def as_module(module: Module | Mapping[str, Any]) -> dict[str, Any]:
    """A module as it is on the wire."""
    return module.model_dump(mode="json", by_alias=True) if isinstance(module, Module) else dict(module)


def wish(open: Open) -> str | int | list[str]:  # noqa: A002
    """What is to be open, as the drawing takes it."""
    return open if isinstance(open, (str, int)) else sorted(open)
