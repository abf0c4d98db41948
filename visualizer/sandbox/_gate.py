"""What a job's line must be before anyone else sees it: a message of the model, whole, in order, and true to itself.

Promises: returns JSON made anew from what was checked, so that a reader sees exactly that (no NaN, no doubled keys, no lone surrogates);
raises BadResult and nothing else. Must never: repair a message, or let a program through that refers to what is not there.
"""

from visualizer.model import LevelMessage

from . import _integrity, _reader
from ._errors import BadResult


class Gate:
    """The gate of one answer: first the trace, then patches to it, each level once."""

    def __init__(self) -> None:
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
        if message.level in self._levels:
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
        return to_json(message)


def to_json(message: LevelMessage) -> bytes:
    """A message as one line. BadResult when it holds what JSON in UTF-8 cannot."""
    try:
        return message.model_dump_json().encode()
    except (ValueError, RecursionError, MemoryError) as problem:
        raise BadResult(f"not writable: {type(problem).__name__}") from None
