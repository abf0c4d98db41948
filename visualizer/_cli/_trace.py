"""`jaxpr-visualizer trace`: one program in, one Trace out, as JSON or as the text of its jaxprs."""

from __future__ import annotations

import base64
import json
import os
import sys
from pathlib import Path
from typing import Any, Literal

import click

from visualizer.model import Trace, TraceRequest, merge_messages
from visualizer.text import jaxpr_text

from . import _wishes
from ._tracer import ALONE_SECONDS, make_tracer

_MOST = 16_000_000
# What the end of a file's name says of its text; of any other, its text says it.
_KINDS: dict[str, Literal["mlir", "hlo", "jaxpr"]] = {".mlir": "mlir", ".hlo": "hlo", ".jaxpr.txt": "jaxpr", ".jaxpr": "jaxpr"}


def run(
    file: str,
    indent: int | None,
    cpu_seconds: int | None,
    format_: str,
    signature: str | None,
    transforms: tuple[str, ...],
    output: str | None,
    **wishes: Any,
) -> int:
    """Exit code 0, or 1 when a diagnostic of the trace is an error."""
    wishes["signature"] = None if signature is None else _wishes.signature(signature)
    wishes["transforms"] = tuple(map(_wishes.transform, transforms))
    if signature is not None and not wishes["fun"]:
        raise click.UsageError("--signature needs --fun: the function whose parameters it types.")
    if output is not None and format_ != "json":
        raise click.UsageError("--output is for the JSON: text goes to standard output.")
    if format_ == "jaxpr":
        wishes["levels"] = ("jaxpr",)  # nothing of the others is printed
    # In parts a large program is within what one answer may hold; they are put together again here.
    request = TraceRequest(**_read(file), parts=True, **wishes)
    tracer = make_tracer(cpu_seconds or ALONE_SECONDS)
    try:
        tracer.start()
        trace = merge_messages(tracer.trace(request.model_dump(mode="json")))
        # What is kept says what it is of, and opens with its text.
        trace = {**trace, "title": "" if file == "-" else Path(file).name, "text": request.source if request.data is None else None}
    finally:
        tracer.close()
    if format_ == "jaxpr":
        _print_jaxprs(Trace.model_validate(trace))
    else:
        separators = (",", ":") if indent is None else (",", ": ")
        _write(json.dumps(trace, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators), output)
    return 1 if any(diagnostic["severity"] == "error" for diagnostic in trace["diagnostics"]) else 0


def _print_jaxprs(trace: Trace) -> None:
    """Every program, under a comment that names it where there are several. Problems go to standard error."""
    several = len(trace.programs) > 1
    texts: list[str] = []
    for program in trace.programs:
        line = f", line {program.span.line}" if program.span else ""
        head = f"# {' '.join(program.name.split())}{line}"
        if program.entry is None:
            modules = [module.text for module in program.modules.values()]
            texts.append(f"{head}: a module without a jaxpr" if not modules else "\n\n".join((head, *modules) if several else modules))
        else:
            texts.append(f"{head}\n{jaxpr_text(program)}" if several else jaxpr_text(program))
    for note in trace.notes:
        click.echo(f"note: {note}", err=True)
    if not texts and trace.offers:
        offers = ", ".join(offer.fun for offer in trace.offers)
        click.echo(f"Nothing here calls JAX. Name a function and the types of its arguments: --fun and --signature ({offers})", err=True)
    for diagnostic in trace.diagnostics:
        line = f"line {diagnostic.span.line}: " if diagnostic.span else ""
        advice = f" {diagnostic.advice}" if diagnostic.code == "unknown-jax" else ""  # a command to type, not a thing to change in the code
        click.echo(f"{diagnostic.severity}: {line}{diagnostic.message}{advice}", err=True)
    if texts:
        _print("\n\n".join(texts))


def _read(file: str) -> dict[str, Any]:
    """The fields of a request that hold a file: its text and what its name says of it, or its bytes."""
    if file == "-" and sys.stdin is None:
        raise click.UsageError("There is no standard input to read: it is closed.")
    try:
        data = sys.stdin.buffer.read(_MOST + 1) if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise click.UsageError(f"{file} cannot be read: {error.strerror}.") from None
    if len(data) > _MOST:
        size = f"more than {_MOST:,}" if file == "-" else f"{len(data):,}"
        raise click.UsageError(f"{file} has {size} bytes; at most {_MOST:,} are read.")
    try:
        source = data.decode("utf-8")
    except UnicodeDecodeError:
        return {"source": "", "data": base64.b64encode(data).decode()}
    return {"source": source, "input": next((kind for end, kind in _KINDS.items() if file.lower().endswith(end)), None)}


def _write(text: str, output: str | None) -> None:
    if output in (None, "-"):
        _print(text)
        return
    assert output is not None
    try:
        Path(output).write_bytes(text.encode() + b"\n")
    except OSError as error:
        raise click.UsageError(f"{output} cannot be written: {error.strerror}.") from None


def _print(text: str) -> None:
    if sys.stdout is None:
        raise click.UsageError("There is no standard output to write to: it is closed.")
    # UTF-8 whatever the terminal's encoding is: the reader is a program.
    try:
        sys.stdout.buffer.write(text.encode() + b"\n")
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # The reader has seen enough; without this Python complains again when it closes stdout.
        _forget_stdout()
    except OSError as error:
        _forget_stdout()
        raise click.UsageError(f"The trace cannot be written to standard output: {error.strerror}.") from None


def _forget_stdout() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
