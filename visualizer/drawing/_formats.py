"""One program of a trace in any format that a diagram can have.

Promises: the format follows from the suffix of a file name, or is named; text is UTF-8 and ends in a line end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Literal, get_args

from visualizer.model import Module, Program

from ._diagram import Graph, graph_of
from ._dot import dot_source, render_dot
from ._errors import DrawingError
from ._mermaid import mermaid_source
from ._outline import outline_text
from ._raster import pdf, png
from ._svg import Direction, Grouping, Open, Overlay, Theme, draw, draw_module

Level = Literal["jaxpr", "stablehlo", "hlo"]
Format = Literal["svg", "png", "pdf", "dot", "mermaid", "txt"]
FORMATS: tuple[Format, ...] = get_args(Format)
_SUFFIXES: Mapping[str, Format] = {
    ".svg": "svg",
    ".png": "png",
    ".pdf": "pdf",
    ".dot": "dot",
    ".gv": "dot",
    ".mmd": "mermaid",
    ".mermaid": "mermaid",
    ".txt": "txt",
}


@dataclass(frozen=True)
class Options:
    """What a picture shows, and how. `level` None is the jaxpr, or the module where there is none; `scale` is that of a PNG, `alone` the
    path of the one body that is drawn."""

    level: Level | None = None
    open: Open = "initial"
    by: Grouping = "auto"
    theme: Theme = "light"
    title: str | None = None
    alt: str | None = None
    width: float | None = None
    legend: bool = True
    overlay: Overlay | None = None
    direction: Direction = "TB"
    scale: float = 2.0
    alone: str | None = None


def format_of(path: str) -> Format | None:
    """The format that a file name asks for, or None."""
    return _SUFFIXES.get(PurePath(path).suffix.lower())


def shown(program: Program, level: Level | None) -> Program | Module:
    """What is drawn of a program at a level. Raises DrawingError where the program has no such level."""
    if level == "jaxpr" or (level is None and program.entry is not None):
        if program.entry is None:
            raise DrawingError(f"{program.name} has no jaxpr: it was read from a module. Take the level {_levels(program)}.")
        return program
    wanted = level or next(iter(program.modules), None)
    module = program.modules.get(wanted) if wanted is not None else None
    if module is None:
        raise DrawingError(f"{program.name} has no {wanted or 'level'} here. What it has: {_levels(program)}.")
    return module


def _levels(program: Program) -> str:
    return ", ".join([*(["jaxpr"] if program.entry is not None else []), *program.modules]) or "nothing"


def svg_of(program: Program, options: Options) -> str:
    """A program as SVG. Raises DrawingError."""
    drawn = shown(program, options.level)
    common = {
        key: getattr(options, key) for key in ("open", "by", "theme", "title", "alt", "width", "legend", "overlay", "direction", "alone")
    }
    if isinstance(drawn, Program):
        return draw(drawn, **common)
    return draw_module(drawn, **{**common, "title": options.title or f"{program.name}: {drawn.dialect}"})


def graph(program: Program, options: Options) -> Graph:
    """A program as a plain graph. Raises DrawingError."""
    drawn = shown(program, options.level)
    title = options.title or (program.name if isinstance(drawn, Program) else f"{program.name}: {drawn.dialect}")
    return graph_of(drawn, open=options.open, by=options.by, title=title)


def made(program: Program, format_: Format, options: Options) -> bytes:
    """A program in a format. Raises DrawingError, or one of its kinds: ExtraMissingError, BundleMissingError."""
    return _MAKERS[format_](program, options)


def rendered_by_graphviz(program: Program, format_: str, options: Options) -> bytes:
    """What Graphviz makes of a program's DOT. Raises EngineNotFoundError, DrawingError."""
    return render_dot(graph(program, options), format_, direction=options.direction)


def _png(program: Program, options: Options) -> bytes:
    return png(svg_of(program, _still(options)), scale=options.scale)


def _pdf(program: Program, options: Options) -> bytes:
    return pdf(svg_of(program, _still(options)))


def _still(options: Options) -> Options:
    """Neither of them can follow the reader's system."""
    return replace(options, theme="light") if options.theme == "auto" else options


_MAKERS: Mapping[Format, Callable[[Program, Options], bytes]] = {
    "svg": lambda program, options: svg_of(program, options).encode() + b"\n",
    "png": _png,
    "pdf": _pdf,
    "dot": lambda program, options: dot_source(graph(program, options), direction=options.direction).encode(),
    "mermaid": lambda program, options: mermaid_source(graph(program, options), direction=options.direction).encode(),
    "txt": lambda program, options: outline_text(graph(program, options)).encode(),
}
