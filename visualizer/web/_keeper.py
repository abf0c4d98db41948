"""The store of links as the views use it: opened when it is first needed, its problems told as every error of the API is.

Promises: a server whose database cannot be had serves everything else, and tries again with the next request.
Must never: load SQLAlchemy before someone asks for a link; say in an answer where the database is.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from visualizer.links import Code, Removed, StoreProblem

from ._errors import ApiError

if TYPE_CHECKING:
    from visualizer.links import LinkStore

log = logging.getLogger("visualizer.web")
# By the code of the problem.
STATUS: Mapping[Code, int] = {"busy": 503, "full": 507, "read-only": 503, "unreachable": 503, "damaged": 500, "newer": 503, "setting": 503}
_OPEN_SECONDS = 5.0


class Links:
    """Thread-safe. `database` None is a server that keeps no links."""

    def __init__(self, database: str | None, most_bytes: int) -> None:
        self._database = database
        self._most_bytes = most_bytes
        self._store: LinkStore | None = None
        self._lock = threading.Lock()

    @property
    def kept(self) -> bool:
        """Whether this server is one that keeps links."""
        return self._database is not None

    @contextmanager
    def store(self) -> Iterator[LinkStore]:
        """The open store. What goes wrong with it in the block is an ApiError."""
        try:
            yield self._opened()
        except StoreProblem as problem:
            raise _told(problem) from problem
        except Removed:
            said = "Whoever runs this server has removed this link."
            raise ApiError(410, "link-removed", said, "Ask whoever gave you the link for the code itself.") from None

    def close(self) -> None:
        with self._lock:
            if self._store is not None:
                self._store.close()
                self._store = None

    def _opened(self) -> LinkStore:
        if self._database is None:
            raise ApiError(501, "no-links", "This server keeps no links.", "Copy the long address instead: it holds everything by itself.")
        if self._store is not None:
            return self._store
        # One opens it; who waits for that waits as long as for a lock of the database itself.
        if not self._lock.acquire(timeout=_OPEN_SECONDS):
            raise StoreProblem("busy", "the store is being opened")
        try:
            if self._store is None:
                from visualizer.links import LinkStore

                self._store = LinkStore(self._database, self._most_bytes)
            return self._store
        finally:
            self._lock.release()


def _told(problem: StoreProblem) -> ApiError:
    log.error("the store of links: %s (%s)", problem, problem.detail)
    again = {"Retry-After": "2"} if problem.code in {"busy", "unreachable"} else {}
    return ApiError(STATUS[problem.code], f"links-{problem.code}", str(problem), problem.advice, again)
