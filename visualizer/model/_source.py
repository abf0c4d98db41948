"""Places in the text that the person pasted, and what went wrong there."""

from typing import Literal

from ._base import Wire

Severity = Literal["error", "warning", "info"]
Stage = Literal["read", "run", "trace", "lower", "compile"]


class Span(Wire):
    """A range of the paste as the person sees it.

    `line` is 1-based, `col` 0-based in UTF-16 units, as editors count. The end is excluded.
    """

    line: int
    col: int
    end_line: int
    end_col: int


class Frame(Wire):
    """One of the person's own frames of a traceback."""

    function: str
    span: Span


class Diagnostic(Wire):
    """One problem: what (`message`), where (`span`, `frames`), and what to do (`advice`).

    `code` is ours and stable (`python-error`, `cpu-limit`, ...); `type` is the Python exception's name, or "". `field` names the part of
    the request that is at fault (`fun`, `args`, `signature.w`, `transforms[0].steps[1]`), null where it is the paste.
    """

    severity: Severity
    code: str
    type: str
    message: str
    advice: str
    span: Span | None
    frames: tuple[Frame, ...]
    stage: Stage
    field: str | None = None
