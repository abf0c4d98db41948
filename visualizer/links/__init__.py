"""Short links: what a link holds, and the store that keeps it. Never imports flask, and SQLAlchemy only once a store is opened.

Promises: what `LinkStore.add` has answered for is there, whole, after any crash; what is given out is what was put in, or an error.
Must never: believe what a client says of a program; the picture of a link is of what the server itself traced.
"""

from typing import TYPE_CHECKING, Any

from ._content import BadLink as BadLink
from ._content import Content as Content
from ._content import read as read
from ._kept import keep as keep
from ._kept import kept_trace as kept_trace
from ._problems import Code as Code
from ._problems import Removed as Removed
from ._problems import StoreProblem as StoreProblem
from ._wanted import request_of as request_of

if TYPE_CHECKING:
    from ._store import Added as Added
    from ._store import Link as Link
    from ._store import LinkStore as LinkStore

_LATER = ("Added", "Link", "LinkStore")
__all__ = [
    "Added",
    "BadLink",
    "Code",
    "Content",
    "Link",
    "LinkStore",
    "Removed",
    "StoreProblem",
    "keep",
    "kept_trace",
    "read",
    "request_of",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(name)
    from . import _store

    return getattr(_store, name)
