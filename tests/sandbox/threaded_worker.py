"""A worker that must not be accepted: its prepare() leaves a thread, which a fork would lose."""

import threading
from typing import Any

from fake_worker import describe as describe
from fake_worker import trace_request as trace_request

_wait: Any = threading.Event()


def prepare() -> None:
    threading.Thread(target=_wait.wait, daemon=True).start()
