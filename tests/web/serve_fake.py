"""A server with a tracer that runs nothing, for test_serve.py: prints its address, then what happens to the tracer.

Arguments: the server, and the database of its links, if any. `wait` as a source gives one level and then waits until the job is closed.
"""

from __future__ import annotations

import signal
import sys
import threading
import time

from tests.web.conftest import first, later
from visualizer.web import Settings
from visualizer.web._serve import address_of, bind, serve


def say(text: str) -> None:
    print(text, flush=True)


class Talkative:
    def __init__(self) -> None:
        self.closing = threading.Event()

    def start(self) -> None:
        say("started")

    def close(self) -> None:
        self.closing.set()
        say("closed")

    def health(self) -> dict[str, object]:
        return {"ready": True, "tier": "A", "leaks": [], "jax": "0.10.2"}

    def allows_public(self) -> bool:
        return True

    def trace(self, request, cancelled):
        return self.lines(request["source"], cancelled)

    def lines(self, source, cancelled):
        say("job started")
        try:
            yield first(notes=[source])
            # Half a minute at most: a test that fails must not leave a server behind.
            end = time.monotonic() + 30
            while source == "wait" and time.monotonic() < end and not self.closing.wait(0.05):
                if cancelled():
                    say("cancelled")
                    return
            yield later()
        finally:
            say("job closed")


if __name__ == "__main__":
    # A shell that runs the tests in the background has it ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sock = bind("127.0.0.1", 0)
    address = address_of(sock)
    database = sys.argv[2] if len(sys.argv) > 2 else None
    serve(Settings(capacity=2, queue=1, queue_seconds=0.2, database=database), Talkative, sock, sys.argv[1], lambda: say(address))
    say("end")
