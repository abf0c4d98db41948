"""A picture where it is shown: in the notebooks of Jupyter, VS Code, Colab and marimo, and in what they are exported to.

Promises: what is shown is an image with its words, no script and no viewer, so that twenty of them are no burden; it is light or dark as
the notebook is. Must never: make a form that nobody is going to look at.
"""

from __future__ import annotations

import base64
import html
import sys
from collections.abc import Callable, Container

from visualizer.drawing import ExtraMissingError, pdf, style


def fragment_of(svg: str) -> str:
    """The picture as HTML for another page. The style stands on the image too, for some of them take sheets away."""
    data = base64.b64encode(svg.encode()).decode()
    image = f'<img class="dark-light" src="data:image/svg+xml;base64,{data}" alt="{html.escape(alt_of(svg), quote=True)}"'
    sized = 'style="max-width:max(100%,576px);height:auto"'
    return f'<style>{style()}</style><div class="jaxpr-diagram" style="overflow-x:auto" tabindex="0">{image} {sized}></div>'


def bundle_of(svg: str, words: str, include: Container[str] | None, exclude: Container[str] | None) -> dict[str, str]:
    """The forms that are asked for; without a wish those that a notebook shows or exports, and in a terminal the words."""
    forms: dict[str, Callable[[], str | None]] = {
        "text/html": lambda: fragment_of(svg),
        "image/svg+xml": lambda: svg,
        "application/pdf": lambda: _pdf(svg),
        "text/plain": lambda: f"{words}\n{alt_of(svg)}",
    }
    wanted: Container[str] = include if include is not None else ("text/plain",) if in_a_terminal() else tuple(forms)
    made = {kind: form() for kind, form in forms.items() if kind in wanted and (exclude is None or kind not in exclude)}
    return {kind: data for kind, data in made.items() if data is not None}


def in_a_terminal() -> bool:
    """Whether this is IPython without a kernel, which shows text and nothing else."""
    shell = _shell()
    return shell is not None and not hasattr(shell, "kernel")


def in_a_notebook() -> bool:
    """Whether something is there that displays: a kernel, not the terminal's IPython."""
    return hasattr(_shell(), "kernel")


def _shell() -> object:
    return getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()


def _pdf(svg: str) -> str | None:
    # nbconvert makes LaTeX and PDF of it. Of the SVG alone it does so by Inkscape, and ends with an error where there is none.
    try:
        return base64.b64encode(pdf(svg)).decode()
    except ExtraMissingError:
        return None


def alt_of(svg: str) -> str:
    """What the picture shows, in one breath."""
    start = svg.index('aria-label="') + len('aria-label="')
    return html.unescape(svg[start : svg.index('"', start)])
