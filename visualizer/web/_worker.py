"""gunicorn's threaded worker with this server's manners: one shape for its own errors, and no thread that waits for ever.

Promises: what is no HTTP is answered with the JSON shape of every error; a client that sends nothing for `READ_SECONDS` while its request
is read loses its connection, and the thread is free. Must never: be imported where gunicorn is not installed.
"""

from __future__ import annotations

import json
import socket
import struct
from typing import Any

from gunicorn.http import errors
from gunicorn.workers.gthread import ThreadWorker

from ._errors import KNOWN, UNEXPECTED, error_object

READ_SECONDS = 10
_STATUS = (
    (errors.LimitRequestLine, 414, "URI Too Long"),
    (errors.LimitRequestHeaders, 431, "Request Header Fields Too Large"),
    (errors.ExpectationFailed, 417, "Expectation Failed"),
    (errors.UnsupportedTransferCoding, 501, "Not Implemented"),
    (errors.ParseException, 400, "Bad Request"),
)


class Worker(ThreadWorker):  # type: ignore[misc]
    """Named in the settings of gunicorn, which makes it."""

    def handle(self, conn: Any) -> Any:
        # In the kernel, not settimeout: gunicorn sets its sockets to blocking, and whether the client is gone is asked without waiting.
        conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", READ_SECONDS, 0))
        return super().handle(conn)

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:  # noqa: ARG002 - gunicorn's signature
        """Answer what never became a request. Nothing is logged of it: it may be written to annoy the log."""
        status, reason = _status_of(exc)
        if status == 500:
            self.log.exception("Error handling request")
        told = KNOWN.get(status, UNEXPECTED if status >= 500 else KNOWN[400])
        body = json.dumps(error_object(*told)).encode()
        head = f"HTTP/1.1 {status} {reason}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        try:
            client.sendall(head.encode() + body)
        except OSError as problem:
            self.log.debug("an error could not be told: %s", problem)


def _status_of(problem: Exception) -> tuple[int, str]:
    for kind, status, reason in _STATUS:
        if isinstance(problem, kind):
            return status, reason
    return 500, "Internal Server Error"
