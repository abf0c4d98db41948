"""What can go wrong when a picture is drawn."""

from pathlib import Path


class DrawingError(Exception):
    """The drawing refused its input: not a program or module of the wire model."""


class BundleMissingError(DrawingError):
    """The drawing was never built into the package, as in a checkout where only the Python side was set up."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"The built drawing is missing ({path}). Run `make build` in the repository, or install a released wheel, which has it."
        )


class EngineNotFoundError(DrawingError):
    """Graphviz is not on this machine. DOT text can be written without it, and so can every other format."""

    def __init__(self) -> None:
        super().__init__(
            "Graphviz is not installed: there is no `dot` on the PATH. Install it (`apt-get install graphviz`, `brew install graphviz`, or "
            "`conda install graphviz`), or take another format: SVG, PNG and PDF need no Graphviz."
        )


class ExtraMissingError(DrawingError):
    """A format needs a package that is not installed."""

    def __init__(self, extra: str, what: str) -> None:
        super().__init__(f'{what} needs a package that is not installed: pip install "jaxpr-visualizer[{extra}]".')
