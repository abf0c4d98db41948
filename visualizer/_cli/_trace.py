"""`jaxpr-visualizer trace`: one program in, one Trace out, as JSON or as the text of its jaxprs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from visualizer.model import Trace
from visualizer.text import jaxpr_text
from visualizer.web.opening import plain

from ._given import read_file, trace_file, wishes_of
from ._output import say, write


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
    wishes = wishes_of(signature, transforms, **wishes)
    if output is not None and format_ != "json":
        raise click.UsageError("--output is for the JSON: text goes to standard output.")
    if format_ == "jaxpr":
        wishes["levels"] = ("jaxpr",)  # nothing of the others is printed
    fields = read_file(file)
    # What is kept says what it is of, and opens with its text.
    kept = {"title": "" if file == "-" else plain(Path(file).name), "text": None if fields.get("data") else fields["source"]}
    trace = {**trace_file(fields, cpu_seconds, wishes), **kept}
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
        say(f"note: {note}")
    if not texts and trace.offers:
        offers = ", ".join(offer.fun for offer in trace.offers)
        say(f"Nothing here calls JAX. Name a function and the types of its arguments: --fun and --signature ({offers})")
    for diagnostic in trace.diagnostics:
        line = f"line {diagnostic.span.line}: " if diagnostic.span else ""
        advice = f" {diagnostic.advice}" if diagnostic.code == "unknown-jax" else ""  # a command to type, not a thing to change in the code
        say(f"{diagnostic.severity}: {line}{diagnostic.message}{advice}")
    if texts:
        _print("\n\n".join(texts))


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
    # UTF-8 whatever the terminal's encoding is: the reader is a program.
    write(text.encode() + b"\n")
