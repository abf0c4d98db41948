"""A saved Trace, which anyone may have written: checked as an answer of the sandbox is, by the same gate.

Promises: what passes can be walked and drawn. Raises Refused that says what is wrong. Must never: believe a file.
"""

from __future__ import annotations

import json
from typing import Any

from visualizer.sandbox import BadResult, Gate, Limits

from ._refused import Refused

Dict = dict[str, Any]
MOST_BYTES = 32 * 1024 * 1024
_MARK = b"\xef\xbb\xbf"


def checked(data: bytes) -> Dict:
    """The Trace. Refused where it may not be shown."""
    if len(data) > MOST_BYTES:
        said = f"The trace is larger than {MOST_BYTES // (1024 * 1024)} MB, which is the most that is read."
        raise Refused(said, "Save fewer programs, or fewer levels of them.", "too-large")
    text = data.removeprefix(_MARK)
    _schema(text)
    try:
        line = Gate(Limits()).check(b'{"level":"jaxpr","trace":' + text + b',"patch":null}')
    except BadResult as error:
        said = f"This is not a trace that can be shown: {error}."
        raise Refused(said, "Save it again, or trace the program anew.", "bad-trace") from None
    found: Dict = json.loads(line)["trace"]
    if any(program["left_out"] for program in found["programs"]):
        said = "This trace is not whole: what is large was left out of the answer that it is."
        raise Refused(said, "Save it on the page or with `trace -o`, or ask for it without parts.", "bad-trace")
    return found


def _schema(text: bytes) -> None:
    """Say what a file is that is not of this schema."""
    try:
        head = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = str(error).split(":")[0] if isinstance(error, ValueError) else "it is nested too deeply"
        raise Refused(f"The trace is not JSON: {reason}.", "The file may have been cut off; save it again.", "bad-json") from None
    number = head.get("schema") if isinstance(head, dict) else None
    if number != 1:
        known = f"schema {number!r}"[:40] if number is not None else "no schema number"
        raise Refused(f"The file has {known}; this version reads schema 1.", "Open it with a newer version.", "bad-schema")
