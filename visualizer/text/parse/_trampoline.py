"""Running generators that call each other by yielding: the depth of a text cannot exhaust Python's stack.

Promises: the answer of the first; an exception of any ends the run. Must never: recurse.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

Step = Generator[Any, Any, Any]


def run(step: Step) -> Any:
    """What a generator returns, where each that it yields is run in its place and what that returns is sent back."""
    stack, value = [step], None
    while stack:
        try:
            child = stack[-1].send(value)
        except StopIteration as done:
            stack.pop()
            value = done.value
        else:
            stack.append(child)
            value = None
    return value
