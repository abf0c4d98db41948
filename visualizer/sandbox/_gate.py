"""What a job's line must be before anyone else sees it: a message of the model, whole, in order, and true to itself.

Promises: returns JSON made anew from what was checked, so that a reader sees exactly that (no NaN, no doubled keys, no lone surrogates);
raises BadResult and nothing else. Must never: repair a message that is wrong, or let a program through that refers to what is not there.
"""

from visualizer.model import LevelMessage

from . import _diagnostics, _integrity, _reader
from ._errors import BadResult
from ._limits import Limits


class Gate:
    """The gate of one answer: first the trace, then patches to it, each level once (of hlo one for each program); behind each
    the parts it left out."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._levels: set[str] = set()
        self._shape: _integrity.Shape | None = None

    @property
    def passed(self) -> bool:
        """Whether a message went through already."""
        return bool(self._levels)

    @property
    def levels(self) -> frozenset[str]:
        return frozenset(self._levels)

    def check(self, line: bytes) -> bytes:
        """The message as strict JSON on one line, without a newline. BadResult when it is not a message that may stand here."""
        message = _reader.read(line)
        if message.part is not None:
            if self._shape is None or message.trace is not None or message.patch is not None:
                raise BadResult("a part of nothing")
            _integrity.check_part(message.part, self._shape)
            return to_json(message)
        # What is compiled comes program by program: one that is stopped leaves those before it.
        if message.level in self._levels and message.level != "hlo":
            raise BadResult("a level that was there already")
        if self._shape is None:
            if message.trace is None or message.patch is not None:
                raise BadResult("a first message without its trace")
            self._shape = _integrity.check_trace(message.trace)
        else:
            if message.patch is None or message.trace is not None:
                raise BadResult("a second trace")
            _integrity.check_patch(message.patch, self._shape)
        self._levels.add(message.level)
        return to_json(self._explain(message))

    def _explain(self, message: LevelMessage) -> LevelMessage:
        """The one thing that is added: a job that came to a limit does not know how much it had."""
        part = message.trace or message.patch
        assert part is not None
        explained = tuple(_diagnostics.explain(found, self._limits) for found in part.diagnostics)
        if explained == part.diagnostics:
            return message
        name = "trace" if message.trace is not None else "patch"
        return message.model_copy(update={name: part.model_copy(update={"diagnostics": explained})})


def to_json(message: LevelMessage) -> bytes:
    """A message as one line. BadResult when it holds what JSON in UTF-8 cannot."""
    try:
        return message.model_dump_json().encode()
    except (ValueError, RecursionError, MemoryError) as problem:
        raise BadResult(f"not writable: {type(problem).__name__}") from None
