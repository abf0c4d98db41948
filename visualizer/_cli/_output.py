"""Standard output, for what a program reads.

Must never: raise where nobody reads it any more.
"""

from __future__ import annotations

import os
import sys

import click


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


def _forget_stdout() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
