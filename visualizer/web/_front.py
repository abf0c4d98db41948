"""The program in front of a state, `v1:...`: read from what a client sent, traced by the server itself, packed as a link keeps it.

Promises: a crowd neither fills the memory nor takes the threads of others: states are unpacked one at a time, and so are answers.
Must never: believe what a client says of a program.
"""

from __future__ import annotations

import threading
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from visualizer.links import BadLink, Content, keep, read, request_of
from visualizer.model import merge_messages

from ._errors import ApiError
from ._gone import Gone
from ._request import field_path
from ._settings import MEGABYTE, Settings
from ._trace import TraceEndpoint

BODY_BYTES = MEGABYTE // 4
# The text of an answer that is looked at for its program in front; one at a time, for unpacked it is twenty times as much.
_MOST_TRACE = 12 * MEGABYTE
# Who waits for that, with the answer in hand.
_KEEPERS = 6
# What is kept or nothing, the title, and why nothing is, in words.
Kept = tuple[bytes | None, str, str]


class Stated(BaseModel):
    """A request about a state."""

    model_config = ConfigDict(extra="forbid", strict=True)
    state: str


Wanted = TypeVar("Wanted", bound=Stated)


class Fronts:
    """Shared by all who ask for them: its limits are those of the server."""

    def __init__(self, settings: Settings, traces: TraceEndpoint) -> None:
        self._traces = traces
        self._reading = threading.Lock()
        self._keeping = threading.Lock()
        self._keepers = threading.BoundedSemaphore(_KEEPERS)
        self._wait = settings.queue_seconds

    def read(self, body: bytes, kind: type[Wanted], shape: str) -> tuple[Wanted, Content]:
        """The request and its state, one at a time: what unpacks to megabytes is thirty times as much while it is looked at.

        Raises ApiError; `shape` says what to send.
        """
        if not self._reading.acquire(timeout=self._wait):
            raise ApiError(503, "busy", "The server reads other links.", "Try again in a few seconds.", {"Retry-After": "2"})
        try:
            return _content(body, kind, shape)
        finally:
            self._reading.release()

    def of(self, content: Content, gone: Gone) -> Kept:
        """As `keep`. Raises ApiError as a request for the trace does."""
        wanted = request_of(content.state)
        if wanted is None:
            return None, "", "this server cannot ask for what it asks"
        lines = self._traces.gathered(wanted, gone, _MOST_TRACE)
        if lines is None:
            return None, "", "the program is too large to be kept"
        return self._packed(lines, content)

    def _packed(self, lines: list[bytes], content: Content) -> Kept:
        """As `keep`, one at a time; a crowd that waits for it would leave no thread for others."""
        busy = (None, "", "the server has much to do")
        if not self._keepers.acquire(blocking=False):
            return busy
        try:
            if not self._keeping.acquire(timeout=self._wait):
                return busy
            try:
                return keep(merge_messages(lines), content.state)
            finally:
                self._keeping.release()
        finally:
            self._keepers.release()


def _content(body: bytes, kind: type[Wanted], shape: str) -> tuple[Wanted, Content]:
    try:
        wanted = kind.model_validate_json(body)
        return wanted, read(wanted.state)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = field_path(first["loc"])
        raise ApiError(400, "bad-field", f"The request cannot be read: {where or 'it'}: {first['msg']}.", shape) from None
    except BadLink as error:
        raise ApiError(413 if error.code == "too-large" else 400, error.code, str(error), error.advice) from None
