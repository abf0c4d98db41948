"""Pictures of links, drawn in processes of their own and kept for a while.

Promises: no more than `places` are drawn at a time, none for longer than `SECONDS`, and the same one by one process only; what failed is
not tried again for a while. No more than `WAITERS` callers wait, and no client has all places. What is kept is never more than
`cache_bytes`.
Must never: draw in the server's own process, or give out what the drawing said: that is for the log.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import subprocess
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from pathlib import Path
from threading import Lock
from typing import Any

from visualizer._version import __version__
from visualizer.web._settings import PICTURE_THREADS

log = logging.getLogger("visualizer.web")
PLACES = 2
# Of the processor, and altogether: other work may be under way.
CPU_SECONDS = 15
SECONDS = 45
WAITING = 12
# Of these, pictures that one client began: every word of an address can ask for another one.
CLIENT_WAITING = 8
# Threads of the server that may wait for pictures, their own or others': the rest answers everybody else.
WAITERS = PICTURE_THREADS
AGAIN_SECONDS = 600.0
CACHE_BYTES = 48 << 20
_CHILD = "visualizer.drawing._child"
# What a Python needs to start; the rest of the server's environment is none of its business.
_NEEDED = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "SYSTEMROOT", "LD_LIBRARY_PATH")

_children: set[subprocess.Popen[bytes]] = set()


class NotPainted(Exception):
    """There is no picture. `later`: there may be one in a while."""

    def __init__(self, reason: str, *, later: bool = False) -> None:
        super().__init__(reason)
        self.later = later


class Painter:
    """Thread-safe. `run` takes a request as bytes and the most seconds that it may take, and gives the picture or raises NotPainted."""

    def __init__(self, run: Callable[[bytes, int], bytes] | None = None, places: int = PLACES, cache_bytes: int = CACHE_BYTES) -> None:
        self._run = run or in_a_process
        # Its threads are started when they are needed: in the process that serves.
        self._pool = ThreadPoolExecutor(places, thread_name_prefix="painter")
        self._most = cache_bytes
        self._size = 0
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._failed: OrderedDict[str, float] = OrderedDict()
        # With the client who began each.
        self._running: dict[str, tuple[Future[bytes], str]] = {}
        self._waiters = 0
        self._lock = Lock()
        self._closed = False

    def paint(self, make: str, kept: bytes, about: Mapping[str, Any], wait: float, client: str = "") -> bytes:
        """What is made of the program that was kept, b"" for none, within so many seconds. Raises NotPainted."""
        words = json.dumps({"make": make, "options": {}, "code": "", "framed": {}, "cpu_seconds": CPU_SECONDS, **about}, sort_keys=True)
        request = words.encode() + b"\n" + kept
        key = hashlib.sha256(f"{__version__} ".encode() + request).hexdigest()
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
            if self._failed.get(key, 0.0) > time.monotonic():
                raise NotPainted("it could not be drawn a moment ago")
            if self._waiters >= WAITERS:
                raise NotPainted("as many as may wait are waiting", later=True)
            running, _ = self._running.get(key, (None, ""))
            if running is None:
                if self._closed:
                    raise NotPainted("the server ends", later=True)
                own = sum(who == client for _, who in self._running.values())
                if len(self._running) >= WAITING or own >= CLIENT_WAITING:
                    raise NotPainted("as many pictures as may wait are waiting", later=True)
                running = self._pool.submit(self._make, key, request)
                self._running[key] = (running, client)
            self._waiters += 1
        try:
            return running.result(wait)
        except NotYet:
            raise NotPainted("it takes a while", later=True) from None
        except CancelledError:
            raise NotPainted("the server ends", later=True) from None
        finally:
            with self._lock:
                self._waiters -= 1

    def close(self) -> None:
        """Whoever waits for a picture is told that there is none. What is being drawn ends: the server's end waits for nothing."""
        with self._lock:
            self._closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)
        for child in tuple(_children):
            child.kill()

    def _make(self, key: str, request: bytes) -> bytes:
        try:
            made = self._run(request, SECONDS)
        except BaseException as error:
            if not isinstance(error, NotPainted):
                log.error("a picture of a link failed", exc_info=error)
            with self._lock:
                self._failed[key] = time.monotonic() + AGAIN_SECONDS
                while len(self._failed) > 1000:
                    self._failed.popitem(last=False)
                del self._running[key]
            raise NotPainted(str(error)) from None
        with self._lock:
            del self._running[key]
            if len(made) <= self._most // 4:
                self._kept[key] = made
                self._size += len(made)
                while self._size > self._most:
                    self._size -= len(self._kept.popitem(last=False)[1])
        return made


def in_a_process(request: bytes, seconds: int) -> bytes:
    """Raises NotPainted."""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-m", _CHILD], stdin=pipe, stdout=pipe, stderr=pipe, env=_environment()) as child:
        _children.add(child)
        try:
            made, problem = child.communicate(request, seconds)
        except subprocess.TimeoutExpired:
            log.warning("a picture of a link was given up after %d seconds", seconds)
            raise NotPainted("it took too long") from None
        finally:
            child.kill()
            _children.discard(child)
    if child.returncode != 0:
        said = problem.decode(errors="replace").strip().splitlines()
        log.warning("a picture of a link was not drawn (exit code %d): %s", child.returncode, said[-1][:500] if said else "")
        raise NotPainted("it could not be drawn")
    return made


def _environment() -> dict[str, str]:
    """The package is the one that serves, wherever it lies."""
    paths = [str(Path(__file__).parents[3]), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return {**{name: os.environ[name] for name in _NEEDED if name in os.environ}, "PYTHONPATH": os.pathsep.join(paths)}
