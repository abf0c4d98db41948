"""What a function waits for, in our second run of it: the first has waited.

Promises: a sleep ends at once, and gives what it gives. Must never: cut short what another thread is waited for.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from typing import Any

_sleep = time.sleep


def _at_once(seconds: float, /) -> None:
    if seconds < 0:
        _sleep(seconds)  # as it raises
    _sleep(0)


@contextlib.contextmanager
def not_waiting(namespace: dict[str, Any]) -> Iterator[None]:
    """While this lasts no sleep takes its time: those of `time`, of `asyncio`, and by whatever name `namespace` has them."""
    found = sys.modules.get("asyncio")
    slept = getattr(found, "sleep", None)

    async def turn(delay: float, result: Any = None) -> Any:
        return await slept(min(delay, 0), result)  # type: ignore[misc]

    instead = {id(_sleep): _at_once} | ({} if slept is None else {id(slept): turn})
    swapped: list[tuple[dict[str, Any], str, Any]] = []
    for names in (vars(time), vars(found) if found is not None else {}, namespace):
        swapped += [(names, name, value) for name, value in names.items() if id(value) in instead]
    for names, name, value in swapped:
        names[name] = instead[id(value)]
    try:
        yield
    finally:
        for names, name, value in swapped:
            if names.get(name) is instead[id(value)]:
                names[name] = value
