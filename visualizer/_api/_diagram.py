"""A program as a diagram: an immutable value that can be looked at, saved and shown.

Promises: a method that changes something returns another diagram; nothing here imports jax, so a saved one is drawn where there is none.
Must never: run the program.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from visualizer.drawing import Direction, Grouping, Open, Options, Overlay, Theme, format_of, graph, made, outline_text, page_of, svg_of
from visualizer.model import Program, Trace
from visualizer.text import jaxpr_text

from ._shown import alt_of, bundle_of, fragment_of

_FORMATS = ".svg, .png, .pdf, .html, .dot, .mmd, .txt or .json"


@dataclass(frozen=True, repr=False)
class Diagram:
    """One program of a trace, and how it is to be drawn. Made by `trace`, `diagram` and `load`."""

    traced: Trace
    index: int = 0
    options: Options = field(default_factory=Options)

    def __post_init__(self) -> None:
        if not 0 <= self.index < len(self.traced.programs):
            raise IndexError(f"There are {len(self.traced.programs)} programs, and none of the number {self.index}.")

    # ------------------------------------------------------------------ what it is
    @property
    def program(self) -> Program:
        """The program, as the wire model has it."""
        return self.traced.programs[self.index]

    @property
    def alt(self) -> str:
        """What the picture shows, in one breath."""
        return self.options.alt or alt_of(self.svg())

    def __repr__(self) -> str:
        program = self.program
        if program.entry is None:
            functions = sum(len(module.functions) for module in program.modules.values())
            return f"<Diagram {program.name}: a module of {functions} function{'' if functions == 1 else 's'}>"
        eqns = sum(len(jaxpr.eqns) for jaxpr in program.jaxprs.values())
        bodies = len(program.jaxprs) - 1
        nested = f", {bodies} nested bod{'y' if bodies == 1 else 'ies'}" if bodies else ""
        return f"<Diagram {program.name}: {eqns} equation{'' if eqns == 1 else 's'}{nested}>"

    # ------------------------------------------------------------------ another one
    def open(self, *paths: str, depth: int | None = None) -> Diagram:
        """With these bodies open: instance paths of equations (`e3/e7`), everything down to a depth, or all where nothing is named."""
        if depth is not None:
            return self._with(open=depth)
        return self._with(open=tuple(sorted({*self._paths(), *paths})) if paths else "all")

    def collapse(self, *paths: str) -> Diagram:
        """With these bodies closed and all others as they are; all where nothing is named."""
        if not paths:
            return self._with(open="none")
        return self._with(open=tuple(path for path in self._paths() if not any(path == it or path.startswith(f"{it}/") for it in paths)))

    def _paths(self) -> list[str]:
        opened = graph(self.program, self.options)
        return sorted({group.eqn for group in opened.groups if group.eqn is not None})

    def stablehlo(self) -> Diagram:
        """The same program as it was lowered."""
        return self._with(level="stablehlo")

    def jaxpr(self) -> Diagram:
        """The same program as its jaxprs."""
        return self._with(level="jaxpr")

    def styled(
        self,
        *,
        theme: Theme | None = None,
        title: str | None = None,
        alt: str | None = None,
        width: float | None = None,
        legend: bool | None = None,
        overlay: Overlay | None = None,
        by: Grouping | None = None,
        direction: Direction | None = None,
        scale: float | None = None,
    ) -> Diagram:
        """With other options for the picture; what is not named stays as it is.

        `width` is that of an SVG or PDF in pixels, `scale` the pixels of a PNG for each of those. Values flow down, or to
        the right with the `direction` `LR`.
        """
        shape = {"width": width, "direction": direction, "scale": scale, "by": by}
        return self._given(theme=theme, title=title, alt=alt, legend=legend, overlay=overlay, **shape)

    def _given(self, **options: Any) -> Diagram:
        return self._with(**{name: value for name, value in options.items() if value is not None})

    def _with(self, **options: Any) -> Diagram:
        return replace(self, options=replace(self.options, **options))

    # ------------------------------------------------------------------ what it can become
    def svg(self, *, theme: Theme | None = None, open: Open | None = None) -> str:  # noqa: A002 - the word of the whole drawing
        """The picture as SVG. Raises DrawingError, as all that follow."""
        return svg_of(self.program, self._given(theme=theme, open=open).options)

    def png(self, *, scale: float | None = None) -> bytes:
        """The picture as PNG; `scale` pixels for each of the SVG. Needs the extra `export`."""
        return made(self.program, "png", self.options if scale is None else replace(self.options, scale=scale))

    def pdf(self) -> bytes:
        """The picture as a PDF of one page. Needs the extra `export`."""
        return made(self.program, "pdf", self.options)

    def dot(self) -> str:
        """The graph in DOT, with clusters and the colours of the roles."""
        return made(self.program, "dot", self.options).decode()

    def mermaid(self) -> str:
        """The graph as a Mermaid flowchart."""
        return made(self.program, "mermaid", self.options).decode()

    def json(self) -> str:
        """The program as a saved trace, which `load` and the page open."""
        return self.traced.model_copy(update={"programs": (self.program,)}).model_dump_json(by_alias=True)

    def text(self) -> str:
        """The program as text, and under it the graph in words."""
        program, level = self.program, self.options.level
        if program.entry is not None and level in (None, "jaxpr"):
            printed = jaxpr_text(program)
        else:
            printed = next((module.text for name, module in program.modules.items() if level in (None, name)), "")
        return f"{printed.rstrip()}\n\n{outline_text(graph(program, self.options))}"

    def html(self, *, fragment: bool = False) -> str:
        """A page of its own, interactive and without a network; or, as a fragment, the picture alone for another page."""
        return self._fragment() if fragment else page_of(self.program, self.options)

    def _fragment(self) -> str:
        return fragment_of(self._as_seen())

    def _as_seen(self) -> str:
        """The picture for a page that may be light or dark, unless it is to be of one kind."""
        return self.svg(theme="auto" if self.options.theme == "light" else None)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the picture, in the format that the suffix names; the path that was written. Raises ValueError for another suffix."""
        target = Path(path)
        suffix = target.suffix.lower()
        wanted = format_of(str(target))
        if suffix in (".html", ".json"):
            data = (self.html() if suffix == ".html" else self.json()).encode()
        elif wanted is not None:
            data = made(self.program, wanted, self.options)
        else:
            raise ValueError(f"The name {str(path)!r} does not say which format is wanted: end it in {_FORMATS}.")
        target.write_bytes(data)
        return target

    # ------------------------------------------------------------------ notebooks
    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return bundle_of(self._as_seen(), repr(self), include, exclude)

    def _mime_(self) -> tuple[Literal["text/html"], str]:
        """What marimo shows."""
        return "text/html", self._fragment()


def in_a_file(diagram: Diagram) -> Path:
    """The interactive page of a diagram in a new file of the system's folder for such."""
    handle, name = tempfile.mkstemp(prefix="jaxpr-", suffix=".html")
    os.close(handle)
    return diagram.save(name)
