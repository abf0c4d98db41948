"""Standard output, for what a program reads, and standard error, for what a person reads.

Must never: raise where nobody reads it any more; hand a terminal the control characters of a file.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from visualizer.web.opening import plain


def write(data: bytes) -> None:
    """Write all of it, or say why not. Raises click.UsageError."""
    if sys.stdout is None:
        raise click.UsageError("There is no standard output to write to: it is closed.")
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # The reader has seen enough; without this Python complains again when it closes stdout.
        _forget_stdout()
    except OSError as error:
        _forget_stdout()
        raise click.UsageError(f"The result cannot be written to standard output: {error.strerror}.") from None


def say(text: str) -> None:
    """A line for a person. What it quotes may be a stranger's: it moves no cursor and hides nothing."""
    click.echo(plain(text), err=True)


def read_at_most(path: Path, most: int) -> bytes:
    """The bytes of a file; one more than `most` where it has more. A device has no end. Raises OSError."""
    with path.open("rb") as file:
        return file.read(most + 1)


def _forget_stdout() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
