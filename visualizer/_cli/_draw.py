"""`jaxpr-visualizer draw`: a program in, one picture of it out.

Promises: a file is written whole or not at all, and with --check not at all; everything but the picture goes to standard error.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import click

from visualizer.drawing import (
    FORMATS,
    BundleMissingError,
    DrawingError,
    EngineNotFoundError,
    ExtraMissingError,
    Options,
    format_of,
    made,
    page_of,
)
from visualizer.model import Program, Trace
from visualizer.web.opening import Refused, checked

from ._given import read_file, trace_file
from ._output import say, write
from ._own import is_own, trace_own

_MISSING = (BundleMissingError, EngineNotFoundError, ExtraMissingError)
_OWN = {".html": "html", ".htm": "html", ".json": "json"}
_SAID = {"error": "error", "warning": "warning", "info": "note"}


def run(
    file: str,
    output: str,
    format_: str | None,
    program: str | None,
    check: bool,
    cpu_seconds: int | None,
    options: dict[str, Any],
    wishes: dict[str, Any],
) -> int:
    """Exit code 0, 1 when there is no picture or the committed one is stale, 3 when something is not installed."""
    wanted = format_ or format_of(output) or _OWN.get(Path(output).suffix.lower())
    if wanted is None:
        known = ", ".join((*FORMATS, "html", "json"))
        raise click.UsageError(
            f"The name {output!r} does not say which format is wanted. End it in .svg, .png, .pdf ..., or give --format: {known}."
        )
    if check and output == "-":
        raise click.UsageError("--check compares with a file: name it with -o.")
    level = options.get("level")
    trace = _trace(file, (level,) if level in ("stablehlo", "hlo") else ("jaxpr",), cpu_seconds, wishes)
    chosen = _chosen(trace, program)
    if chosen is None:
        return 1
    try:
        data = _data(trace, chosen, wanted, Options(**options))
    except DrawingError as error:
        say(f"Error: {error}")
        return 3 if isinstance(error, _MISSING) else 1
    if check:
        return _compared(Path(output), data)
    if output == "-":
        write(data)
    else:
        _write(Path(output), data)
    return 0


def _trace(file: str, levels: tuple[str, ...], cpu_seconds: int | None, wishes: dict[str, Any]) -> Trace:
    wishes = {**wishes, "levels": ("jaxpr", *(level for level in levels if level != "jaxpr"))}
    if is_own(file):
        return trace_own(file, wishes)
    fields = read_file(file)
    text = fields["source"]
    if file.endswith(".json") or (text.lstrip()[:1] == "{" and '"programs"' in text):
        try:
            return Trace.model_validate(checked(text.encode()))
        except Refused as error:
            raise click.UsageError(f"{file} is no saved trace that can be drawn. {error} {error.advice}") from None
    return Trace.model_validate(trace_file(fields, cpu_seconds, wishes))


def _chosen(trace: Trace, wanted: str | None) -> Program | None:
    """The program that is asked for by its id, its name or its number; the first where nothing is asked."""
    for found in trace.diagnostics:
        line = f"line {found.span.line}: " if found.span else ""
        advice = f" {found.advice}" if found.advice else ""
        say(f"{_SAID.get(found.severity, found.severity)}: {line}{found.message}{advice}")
    if not trace.programs:
        if trace.offers:
            offers = ", ".join(offer.fun for offer in trace.offers)
            say(f"Nothing here calls JAX. Name a function and the types of its arguments: --fun and --signature ({offers})")
        elif not trace.diagnostics:
            say("There is no program in it.")
        return None
    listed = ", ".join(f"{at}: {program.name}" for at, program in enumerate(trace.programs, 1))
    if wanted is None:
        if len(trace.programs) > 1:
            say(f"note: the first of {len(trace.programs)} programs is drawn; --program takes another ({listed}).")
        return trace.programs[0]
    for at, program in enumerate(trace.programs, 1):
        if wanted in (program.id, str(at)) or wanted == program.name:
            return program
    raise click.UsageError(f"There is no program {wanted!r}. There are {listed}.")


def _data(trace: Trace, program: Program, format_: str, options: Options) -> bytes:
    if format_ == "json":
        return _json(trace, program)
    if format_ == "html":
        return page_of(program, options).encode()
    return made(program, next(known for known in FORMATS if known == format_), options)


def _json(trace: Trace, program: Program) -> bytes:
    alone = trace.model_copy(update={"programs": (program,), "timings": {}})
    return alone.model_dump_json(by_alias=True, indent=1).encode() + b"\n"


def _compared(path: Path, data: bytes) -> int:
    try:
        found = path.read_bytes()
    except FileNotFoundError:
        say(f"{path} is missing. Make it with the same command without --check.")
        return 1
    except OSError as error:
        raise click.UsageError(f"{path} cannot be read: {error.strerror}.") from None
    if found == data:
        return 0
    say(f"{path} is stale: the program draws another picture now. Make it again with the same command without --check.")
    return 1


def _write(path: Path, data: bytes) -> None:
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            # As a file that is simply written would have it.
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(name, 0o666 & ~mask)  # noqa: PTH101 - of a name, too
            os.replace(name, path)  # noqa: PTH105
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {error.strerror}.") from None
    say(f"{path}: {len(data):,} bytes")
