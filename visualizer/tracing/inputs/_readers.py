"""What reads an input that is no Python: one reader for each kind.

A reader gets what was given and fills the answer with programs whose `origin` is `module` (or, for a printed jaxpr, `expression`), and with
diagnostics that name lines of the text as the person sees it. It emits the first message itself, and later ones for the levels after it.

Promises: a kind without a reader here is refused in words. Must never: import a parser before it is needed, nor run anything of the text.
"""

from __future__ import annotations

from collections.abc import Callable

from visualizer.tracing._given import Reader


def _mlir() -> Reader:
    from visualizer.tracing.modules import read_modules

    return read_modules


def _hlo() -> Reader:
    from visualizer.tracing.hlo import read_hlo_texts

    return read_hlo_texts


def _jaxpr() -> Reader:
    from ._printed import read_printed

    return read_printed


def _export() -> Reader:
    from ._exports import read_export

    return read_export


# The kind -> a function that imports the reader when it is first asked for.
READERS: dict[str, Callable[[], Reader]] = {"mlir": _mlir, "hlo": _hlo, "jaxpr": _jaxpr, "export": _export}


def reader_of(kind: str) -> Reader | None:
    """The reader of a kind of input, or None where it cannot be read yet."""
    found = READERS.get(kind)
    return None if found is None else found()
