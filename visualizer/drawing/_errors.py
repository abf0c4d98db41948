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
