"""Writes links until it is told to stop, or killed: `python -m tests.links.writer DATABASE FIRST COUNT`, `-` for no end.

Each link that the store has answered for is one line: its number, id and token. Nothing is printed of one that it has not.
"""

from __future__ import annotations

import hashlib
import itertools
import sys

from visualizer.links import LinkStore, StoreProblem

from .contents import content


def kept_of(number: int) -> bytes:
    """Some pages of a database, other ones for each number."""
    seed = hashlib.sha256(str(number).encode()).digest()
    return b"".join(hashlib.sha256(seed + bytes([at % 256])).digest() for at in range(600 + 400 * (number % 7)))


def write(database: str, first: int, count: int | None) -> None:
    store = LinkStore(database)
    for number in itertools.count(first) if count is None else range(first, first + count):
        while True:
            try:
                added = store.add(content(f"x = {number}"), kept_of(number), f"x{number}")
                break
            except StoreProblem as problem:
                if problem.code != "busy":
                    raise
        print(number, added.id, added.delete_token, flush=True)
    store.close()


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]), None if sys.argv[3] == "-" else int(sys.argv[3]))
