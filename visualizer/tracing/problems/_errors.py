"""An exception of the paste as a diagnostic: what, where, and what to do.

Promises: only the person's own frames; a message without JAX's internal frames; never an exception of its own, whatever `__str__` does.
Must never: show a path of this machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import CodeType, FrameType, TracebackType
from typing import Any

from visualizer.tracing._ours import without_our_frames, without_paths
from visualizer.tracing.source._paste import PasteSource

from ._advice import advice_for

Dict = dict[str, Any]
MAX_MESSAGE = 4000
MAX_FRAMES = 40
MAX_NAME = 200
# How far out from the innermost frame a running program is looked at: a recursion may be millions deep, and the time is over.
_MAX_DEPTH = 20_000
_NAME_OF: Any = type.__dict__["__name__"]  # a metaclass may hide it


def diagnostic(
    code: str,
    message: str,
    *,
    severity: str = "error",
    type_: str = "",
    advice: str = "",
    span: Dict | None = None,
    frames: list[Dict] | None = None,
    stage: str = "read",
) -> Dict:
    """A wire Diagnostic."""
    return {
        "severity": severity,
        "code": code,
        "type": type_,
        "message": clean_text(message),
        "advice": advice,
        "span": span,
        "frames": frames or [],
        "stage": stage,
        "field": None,
    }


def from_exception(error: BaseException, source: PasteSource, stage: str, *, code: str = "python-error", severity: str = "error") -> Dict:
    """The Diagnostic of an exception that the paste raised."""
    name = type_name(error)
    message = said_by(error)
    frames = frames_of(error, source)
    span = frames[-1]["span"] if frames else None
    if is_a(error, (SyntaxError,)):
        span = _syntax_span(error, source) or span
    return diagnostic(
        code, message, severity=severity, type_=name, advice=advice_for(error, message), span=span, frames=frames, stage=stage
    )


def said_by(error: BaseException) -> str:
    """What the exception says, or what its class means where it says nothing; never raises."""
    name = type_name(error)
    return message_of(error) or _WITHOUT_TEXT.get(name) or f"{name} was raised, without a message."


_WITHOUT_TEXT = {"AssertionError": "The assertion does not hold.", "MemoryError": "There is not enough memory."}


def type_name(error: BaseException) -> str:
    """The name of the exception's class, no longer than it can be read."""
    return str(_NAME_OF.__get__(type(error)))[:MAX_NAME]


def is_a(error: BaseException, kinds: tuple[type[BaseException], ...]) -> bool:
    """`isinstance` that asks the class itself, not what the object says of its class."""
    return issubclass(type(error), kinds)


def message_of(error: BaseException) -> str:
    """What the exception says, without JAX's notes about its own frames and without addresses; never raises."""
    try:
        text = error.msg or "" if is_a(error, (SyntaxError,)) else str(error)  # type: ignore[attr-defined]
        if type(error) is KeyError and error.args:
            text = repr(error.args[0])
    except BaseException:  # a __str__ of the person's may do anything
        text = "(its message could not be read: str() of this exception fails)"
    return tidy(text)


_DOCS = re.compile(r"\n*See https?://\S+\s*$")
_ADDRESS = re.compile(r" at 0x[0-9a-f]{6,}\b")
# What a callback raised comes with its whole stack, ours too: the last line says what it was.
_CALLBACK_STACK = re.compile(r"(?<=error calling callback: )Traceback \(most recent call last\):\n(?:[ \t][^\n]*\n)*")
_FILTER_NOTE = re.compile(r"\n-{10,}\nFor simplicity, JAX has removed.*\Z", re.DOTALL)


def tidy(text: str) -> str:
    """A message without links, without the note on filtered frames, without this machine's paths, no longer than it can be read."""
    text = without_our_frames(_CALLBACK_STACK.sub("", _FILTER_NOTE.sub("", text)))
    text = _ADDRESS.sub("", _DOCS.sub("", text))
    text = without_paths(text).strip()
    return text if len(text) <= MAX_MESSAGE else text[:MAX_MESSAGE] + " ..."


def clean_text(text: str) -> str:
    """Text that strict JSON can carry: no lone surrogates, no null bytes."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text.replace("\0", "\\0")


def frames_of(error: BaseException, source: PasteSource) -> list[Dict]:
    """The person's own frames, outermost first; a long recursion keeps both its ends."""
    return _frames(list(_raised_in(error.__traceback__)), source)


def frames_at(frame: FrameType | None, source: PasteSource) -> list[Dict]:
    """The person's own frames of a running program, outermost first."""
    found: list[_At] = []
    while frame is not None and len(found) < _MAX_DEPTH:
        found.append((frame.f_code, frame.f_lasti, frame.f_lineno))
        frame = frame.f_back
    return _frames(found[::-1], source)


# Code, index of the instruction, line.
_At = tuple[CodeType, int, int | None]


def _raised_in(trace: TracebackType | None) -> Iterator[_At]:
    while trace is not None:
        yield trace.tb_frame.f_code, trace.tb_lasti, trace.tb_lineno
        trace = trace.tb_next


def _frames(found: list[_At], source: PasteSource) -> list[Dict]:
    own = [at for at in found if at[0].co_filename == source.filename]
    if len(own) > MAX_FRAMES:
        own = own[: MAX_FRAMES // 2] + own[-MAX_FRAMES // 2 :]
    return [{"function": clean_text(at[0].co_name[:MAX_NAME]), "span": span} for at in own if (span := _place(at, source)) is not None]


def _place(at: _At, source: PasteSource) -> Dict | None:
    code, instruction, known_line = at
    positions = list(code.co_positions())
    index = instruction // 2
    line, end_line, col, end_col = positions[index] if 0 <= index < len(positions) else (known_line, None, None, None)
    if line is None or col is None:
        return source.whole_line(line or known_line or 1)
    return source.span(line, col, end_line, end_col)


def _syntax_span(error: Any, source: PasteSource) -> Dict | None:
    if error.filename != source.filename or not error.lineno:
        return None
    line = min(error.lineno, len(source.lines))
    text = source.lines[line - 1].text
    col = min(max((error.offset or 1) - 1, 0), len(text))
    end_line, end_col = error.end_lineno or line, (error.end_offset or 0) - 1
    if end_line < line or (end_line == line and end_col <= col):
        end_line, end_col = line, min(col + 1, len(text))
    return source.chars(line, col, end_line, end_col)
