"""Has the client left? Asked while a job runs, so that nobody's job does not run to its end.

Promises: true only when the connection is closed, and from then on; false on servers that cannot say.
Must never: read a byte of the next request.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from typing import Any


class Gone:
    """Callable from any thread. `seen` says whether it has ever answered yes."""

    def __init__(self, environ: Mapping[str, Any]) -> None:
        self._ask = _question(environ)
        self.seen = False

    def __call__(self) -> bool:
        self.seen = self.seen or self._ask()
        return self.seen


def _question(environ: Mapping[str, Any]) -> Callable[[], bool]:
    if callable(waitress := environ.get("waitress.client_disconnected")):
        return lambda: bool(waitress())
    connection = environ.get("gunicorn.socket")
    if isinstance(connection, socket.socket) and hasattr(socket, "MSG_DONTWAIT"):
        return lambda: _is_closed(connection)
    return lambda: False


def _is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
