"""The file that a command is given, as the fields of a request, and the Trace that it is answered with.

Promises: a file that cannot be read is an error of usage that says why; nothing of it is judged here.
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path
from typing import Any

import click

from visualizer.model import TraceRequest, merge_messages
from visualizer.web.opening import kind_of

from . import _wishes
from ._output import read_at_most
from ._tracer import ALONE_SECONDS, make_tracer

_MOST = 16_000_000


def wishes_of(signature: str | None, transforms: tuple[str, ...], **wishes: Any) -> dict[str, Any]:
    """The options of a command line as fields of a request."""
    typed = None if signature is None else _wishes.signature(signature)
    return {**wishes, "signature": typed, "transforms": tuple(map(_wishes.transform, transforms))}


def trace_file(fields: dict[str, Any], cpu_seconds: int | None, wishes: dict[str, Any]) -> dict[str, Any]:
    """The Trace of a file's fields, as plain values."""
    if wishes.get("signature") is not None and not wishes.get("fun"):
        raise click.UsageError("--signature needs --fun: the function whose parameters it types.")
    # In parts a large program is within what one answer may hold; they are put together again here.
    request = TraceRequest(**fields, parts=True, **wishes)
    tracer = make_tracer(cpu_seconds or ALONE_SECONDS)
    try:
        tracer.start()
        return merge_messages(tracer.trace(request.model_dump(mode="json")))
    finally:
        tracer.close()


def read_file(file: str) -> dict[str, Any]:
    """The fields of a request that hold a file: its text and what its name says of it, or its bytes."""
    if file == "-" and sys.stdin is None:
        raise click.UsageError("There is no standard input to read: it is closed.")
    try:
        data = sys.stdin.buffer.read(_MOST + 1) if file == "-" else read_at_most(Path(file), _MOST)
    except OSError as error:
        raise click.UsageError(f"{file} cannot be read: {error.strerror}.") from None
    if len(data) > _MOST:
        whole = file != "-" and Path(file).is_file()
        size = f"{Path(file).stat().st_size:,}" if whole else f"more than {_MOST:,}"
        raise click.UsageError(f"{file} has {size} bytes; at most {_MOST:,} are read.")
    try:
        source = data.decode("utf-8")
    except UnicodeDecodeError:
        return {"source": "", "data": base64.b64encode(data).decode()}
    return {"source": source, "input": kind_of(file)}
