"""`jaxpr-visualizer open`: a report, a saved trace, or the files of a dump, on the page or in a file.

Promises: a folder is read with what is in it, hidden files left out. Must never: follow a link out of a folder.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from visualizer.web.opening import File, Refused, is_saved_trace, trace_of
from visualizer.web.opening._files import MOST_FILES, to_json
from visualizer.web.opening._names import beside

from ._output import read_at_most, say, write
from ._tracer import ALONE_SECONDS, make_tracer

_MOST = 256 * 1024 * 1024
_MOST_IN_FOLDER = 20_000


def run(paths: tuple[str, ...], output: str | None, **serving: Any) -> int:
    """Exit code 0, or 1 when nothing of it can be shown."""
    files = _read(paths)
    title = ", ".join(Path(path).name or str(path) for path in paths)[:200]
    if output is not None:
        return _write(files, title, output)
    from ._serve import run as serve

    return serve(**serving, opened=tuple(files), opened_title=title)


def _write(files: list[File], title: str, output: str) -> int:
    if len(files) == 1 and is_saved_trace(files[0].data):
        raise click.UsageError(f"{files[0].name} is a saved trace already; --output is for what is not.")
    tracer = make_tracer(ALONE_SECONDS)
    try:
        tracer.start()
        trace = trace_of(files, tracer.trace, title)
    except Refused as error:
        say(f"Error: {error} {error.advice}")
        return 1
    finally:
        tracer.close()
    for note in trace["notes"]:
        say(f"note: {note}")
    for found in trace["diagnostics"]:
        say(f"{found['severity']}: {found['message']} {found['advice']}".rstrip())
    data = to_json(trace)
    if output == "-":
        write(data + b"\n")
    else:
        try:
            Path(output).write_bytes(data)
        except OSError as error:
            raise click.UsageError(f"{output} cannot be written: {error.strerror}.") from None
        count = len(trace["programs"])
        say(f"{count:,} {'program is' if count == 1 else 'programs are'} in {output} ({len(data):,} bytes).")
    return 0 if trace["programs"] else 1


def _read(paths: tuple[str, ...]) -> list[File]:
    found: list[tuple[str, Path]] = []
    for path in map(Path, paths):
        if path.is_dir():
            found += _within(path)
        else:
            found.append((path.name, path))
    if not found:
        raise click.UsageError(f"There is no file in {', '.join(paths)}.")
    tried = sum(beside(name) is None for name, _ in found)
    if tried > MOST_FILES:
        raise click.UsageError(f"{tried:,} files are more than are opened at once ({MOST_FILES:,}). Name a part of them.")
    files, size = [], 0
    for name, path in found:
        try:
            # Of what is not read the name is enough.
            data = read_at_most(path, _MOST - size) if beside(name) is None else b" "
        except OSError as error:
            raise click.UsageError(f"{path} cannot be read: {error.strerror}.") from None
        size += len(data)
        if size > _MOST:
            raise click.UsageError(f"The files are larger than {_MOST // (1024 * 1024)} MB together, which is the most that is read.")
        files.append(File(name, data))
    return files


def _within(folder: Path) -> list[tuple[str, Path]]:
    """The files in a folder and below it, by their paths from it."""
    found: list[tuple[str, Path]] = []
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(here, name)
            if not name.startswith(".") and path.is_file() and not path.is_symlink():
                found.append((path.relative_to(folder).as_posix(), path))
        if len(found) > _MOST_IN_FOLDER:
            raise click.UsageError(f"{folder} has more than {_MOST_IN_FOLDER:,} files. Name the folder of the dump itself.")
    return found
