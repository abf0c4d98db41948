"""Writes messages to the result pipe from inside the job, beside a stranger's code.

Promises: strict JSON (no NaN), ASCII only, no lone surrogate, one line per message, partial writes completed.
Must never: look anything up that the stranger's code can replace: encoder, write and their helpers are captured when the module loads,
before that code runs. (Code with ctypes can still forge a result: the reader checks every line and trusts none.)
"""

import json.encoder
import os
import re
from collections.abc import Callable
from typing import Any

from ._protocol import RESULT_FD

_encode_string = json.encoder.encode_basestring_ascii
_LONE_SURROGATE = re.compile(r"\\\\|\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|\\ud[89a-f][0-9a-f]{2}")


def _refuse(value: object) -> Any:
    raise TypeError(f"a {type(value).__name__} cannot be sent as JSON")


def _make_encoder() -> Callable[[object], str]:
    """An encoder that holds its own parts. The C one is what json.dumps uses; json's Python one is the way where it is missing."""
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return json.encoder.JSONEncoder(allow_nan=False, separators=(",", ":")).encode
    chunks = make(None, _refuse, _encode_string, None, ":", ",", False, False, False)
    join = "".join

    def encode(value: object) -> str:
        return join(chunks(value, 0))

    return encode


def make_emitter(descriptor: int = RESULT_FD) -> Callable[[object], None]:
    """A function that writes one JSON value as a line. ValueError for NaN, TypeError for what is not JSON, OSError when nobody reads."""

    encoder = _make_encoder()

    def emit(
        value: object,
        encode: Callable[[object], str] = encoder,
        mend: Callable[[Callable[[re.Match[str]], str], str], str] = _LONE_SURROGATE.sub,
        write: Callable[[int, memoryview], int] = os.write,
        view: type[memoryview] = memoryview,
    ) -> None:
        text = encode(value)
        if "\\ud" in text:
            text = mend(_mend, text)
        rest = view((text + "\n").encode("ascii"))
        while rest:
            rest = rest[write(descriptor, rest) :]

    return emit


def _mend(found: re.Match[str]) -> str:
    """Keep an escaped backslash and a whole pair; a lone half becomes the replacement character."""
    text = found.group()
    return "\\ufffd" if text[1] == "u" and text.count("u") == 1 else text
