"""The embedded V8 with the drawing in it: started on first use, kept, used by one thread at a time.

Must never: hand the engine anything but JSON, or let it reach the network or files (a bare V8 has neither).
"""

import atexit
import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

from ._errors import BundleMissingError, DrawingError

BUNDLE = Path(__file__).with_name("bundle") / "drawing.js"
TIMEOUT_SECONDS = 60.0
MEMORY_BYTES = 1 << 30


class Engine:
    """One V8 context. `bundle` is the path of the built script."""

    def __init__(self, bundle: Path = BUNDLE) -> None:
        from py_mini_racer import MiniRacer

        if not bundle.is_file():
            raise BundleMissingError(bundle)
        self._context = _apart(MiniRacer)
        _apart(self._context.eval, bundle.read_text(encoding="utf-8"))
        self._lock = Lock()
        # V8's thread is a daemon. Left to the end of the interpreter, which stops it first, the collector waits for it for ever.
        atexit.register(self.close)

    def close(self) -> None:
        """End V8 and its thread. Idempotent; nothing can be drawn afterwards."""
        self._context.close()
        atexit.unregister(self.close)

    def draw(self, request: dict[str, Any]) -> str:
        """The SVG of a request (see frontend/src/drawing/bundle.ts). Raises DrawingError with V8's message."""
        return self._call("draw", request)

    def estimate(self, request: dict[str, Any]) -> dict[str, Any]:
        """What a program costs, as plain values. Raises DrawingError with V8's message."""
        found = json.loads(self._call("estimate", request))
        if not isinstance(found, dict):
            raise DrawingError("The estimate is no object.")
        return found

    def diagram(self, request: dict[str, Any]) -> dict[str, Any]:
        """The plain graph of a request, as plain values. Raises DrawingError with V8's message."""
        found = json.loads(self._call("diagram", request))
        if not isinstance(found, dict):
            raise DrawingError("The graph is no object.")
        return found

    def card(self, request: dict[str, Any]) -> dict[str, Any]:
        """The card of a link and its words, as plain values. Raises DrawingError with V8's message."""
        found = json.loads(self._call("card", request))
        if not isinstance(found, dict):
            raise DrawingError("The card is no object.")
        return found

    def outline(self, graph: dict[str, Any]) -> str:
        """A plain graph with a title, in words. Raises DrawingError with V8's message."""
        return self._call("outline", graph)

    def _call(self, function: str, request: dict[str, Any]) -> str:
        from py_mini_racer import JSEvalException

        text = json.dumps(request, ensure_ascii=True, allow_nan=False)
        with self._lock:
            try:
                call = partial(self._context.call, timeout_sec=TIMEOUT_SECONDS, max_memory=MEMORY_BYTES)
                drawn = _apart(call, f"JaxprDrawing.{function}", text)
            except JSEvalException as error:
                raise DrawingError(f"The drawing failed: {_reason(str(error))}") from None
        if not isinstance(drawn, str):
            raise DrawingError("The drawing gave no text.")
        return drawn


def _apart(do: Callable[..., Any], *args: Any) -> Any:
    """Call in a thread of its own: where an event loop is running (a notebook), V8 would join that loop and refuse time limits."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(do, *args).result()


def _reason(text: str) -> str:
    """The first line of V8's report; the rest quotes the minified script."""
    return re.sub(r"^<anonymous>:\d+: (?:\w*Error: )?", "", text.strip().splitlines()[0])


_engine: Engine | None = None
_starting = Lock()


def engine() -> Engine:
    """The one engine of this process. Raises BundleMissingError."""
    global _engine  # noqa: PLW0603 - starting V8 costs 20 ms and several MB; one is enough
    with _starting:
        if _engine is None:
            _engine = Engine()
        return _engine
