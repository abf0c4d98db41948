"""Files that a person opens, as one Trace.

A saved Trace is taken as it is; every other file goes through the sandbox as a request of its own, so that one that cannot be read costs
itself only.

Promises: what could not be read is said by name, in a note or a diagnostic; ids are unique. Must never: run a file of Python.
"""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from visualizer.model import merge_messages

from ._names import BEFORE, beside, kind_of, named, order, plain
from ._pairs import paired
from ._refused import Refused

Dict = dict[str, Any]
Run = Callable[[Dict], Iterator[bytes]]
MOST_FILES = 1_000
MOST_PROBLEMS = 20
_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{")


class File(NamedTuple):
    """A name, with the folders that were opened with it, and the bytes."""

    name: str
    data: bytes


def is_saved_trace(data: bytes) -> bool:
    """Whether a file looks like a saved Trace: an object with a schema number, whatever else is wrong with it."""
    return _START.match(data) is not None and b'"schema"' in data and b'"programs"' in data


def trace_of(files: Sequence[File], run: Run, title: str = "") -> Dict:
    """The Trace of files that are not one saved Trace. `run` answers a TraceRequest."""
    if not files:
        raise Refused("There is no file to open.", "Name files, or a folder with files in it.")
    files = [File(plain(file.name), file.data) for file in files]
    left, tried = _sorted(files)
    if len(tried) > MOST_FILES:
        raise Refused(f"{len(tried):,} files are more than are opened at once ({MOST_FILES:,}).", "Open a part of the folder.")
    work = _Work(run, several=len(files) > 1)
    for file in tried:
        work.read(file)
    trace = work.trace(plain(title) or _common(files))
    if left:
        counted = ", ".join(f"{count} with {what}" for what, count in Counter(left.values()).items())
        trace["notes"].append(f"{len(left)} {'file is' if len(left) == 1 else 'files are'} not drawn: {counted}.")
    return trace


def _sorted(files: Iterable[File]) -> tuple[dict[str, str], list[File]]:
    """What is left out and why, and the rest: jaxprs first, then what follows from them, each as it was written."""
    left: dict[str, str] = {}
    tried = []
    for file in files:
        why = beside(file.name) or ("nothing in them" if not file.data.strip() else None)
        if why is None:
            tried.append(file)
        else:
            left[file.name] = why
    return left, sorted(tried, key=lambda file: (_level(file.name), *order(file.name)))


def _level(name: str) -> int:
    return 0 if ".jaxpr" in name else 2 if named(name).stage.endswith("optimizations") or name.endswith(".hlo") else 1


class _Work:
    def __init__(self, run: Run, *, several: bool) -> None:
        self._run = run
        self._several = several
        self._programs: list[Dict] = []
        self._diagnostics: list[Dict] = []
        self._notes: list[str] = []
        self._read = 0.0
        self._jax = ""
        self._kinds: Counter[str] = Counter()
        self._faulty: dict[tuple[str, str], list[str]] = {}
        """What is wrong, and the files that it is wrong with."""

    def read(self, file: File) -> None:
        if is_saved_trace(file.data):
            raise Refused(
                f"{file.name} is a saved trace, which is opened by itself.", "Open it alone, or take it out of what is opened together."
            )
        # The StableHLO of a jaxpr that JAX dumped is in the file beside it: nothing is said of how to get it.
        levels = ["jaxpr"] if self._several and _level(file.name) == 0 else ["jaxpr", "stablehlo"]
        # A text that is of no kind is not tried as Python: nothing that is opened is run.
        request = {
            "source": "",
            "data": base64.b64encode(file.data).decode(),
            "levels": levels,
            "input": kind_of(file.name),
            "engine": "none",
        }
        if file.name.lower().endswith(".py"):
            self._problem(file, "This is Python, which is not run when files are opened.", "Paste it, or `jaxpr-visualizer trace` it.")
            return
        trace = merge_messages(self._run(request))
        self._jax = trace["jax"]
        self._kinds[trace["input"]] += bool(trace["programs"])
        for name, milliseconds in trace["timings"].items():
            if name == "read":
                self._read += milliseconds
        for note in trace["notes"]:
            said = f"{file.name}: {note}" if self._several else note
            if said not in self._notes:
                self._notes.append(said)
        for found in trace["diagnostics"]:
            self._diagnose(file, found)
        self._take(file, trace)

    def _take(self, file: File, trace: Dict) -> None:
        about = named(file.name)
        for program in trace["programs"]:
            if self._several:
                _without_places(program)
                if about.number or about.stage or program["name"] in ("", "main", "module", "jaxpr"):
                    program["name"] = about.program
                program["name"] = program["name"].removeprefix("@")
                if about.stage == BEFORE:
                    program["name"] += " before optimizations"
            self._programs.append(program)
        if not trace["programs"] and not trace["diagnostics"]:
            self._problem(file, "There is no program in it.", "")

    def _diagnose(self, file: File, found: Dict) -> None:
        if not self._several:
            self._diagnostics.append(found)
            return
        line = f", line {found['span']['line']}" if found["span"] else ""
        names = self._faulty.setdefault((found["code"], found["message"]), [])
        if not names:
            self._diagnostics.append({**found, "span": None, "frames": []})
        names.append(file.name + line)

    def _problem(self, file: File, message: str, advice: str) -> None:
        self._diagnose(
            file,
            {
                "severity": "warning",
                "code": "not-opened",
                "type": "",
                "message": message,
                "advice": advice,
                "span": None,
                "frames": [],
                "stage": "read",
                "field": None,
            },
        )

    def _named(self, found: Dict) -> Dict:
        names = self._faulty.get((found["code"], found["message"]))
        if names is None:
            return found
        some = ", ".join(names[:3]) + (f" and {len(names) - 3} more files" if len(names) > 3 else "")
        return {**found, "message": f"{some}: {found['message']}"[:4000]}

    def trace(self, title: str) -> Dict:
        programs = paired(self._programs)
        for number, program in enumerate(programs):
            program["id"] = f"p{number}"
        problems = len(self._diagnostics) - MOST_PROBLEMS
        if problems > 0:
            self._notes.append(f"{problems} more problems are not listed.")
        if not programs:  # then what was wrong with the files is the answer
            self._diagnostics = [{**found, "severity": "error"} for found in self._diagnostics]
        kind = self._kinds.most_common(1)[0][0] if self._kinds else "mlir"
        return {
            "schema": 1,
            "input": kind,
            "jax": self._jax,
            "programs": programs,
            "output": {"text": "", "truncated": False},
            "diagnostics": [self._named(found) for found in self._diagnostics[:MOST_PROBLEMS]],
            "notes": self._notes,
            "offers": [],
            "timings": {"read": round(self._read, 3)},
            "title": title,
            "text": None,
        }


def _without_places(value: Any) -> None:
    """Places are those of one file, and there are several."""
    stack = [value]
    while stack:
        here = stack.pop()
        if isinstance(here, dict):
            if "span" in here:
                here["span"] = None
            stack += here.values()
        elif isinstance(here, list | tuple):
            stack += here


def _common(files: Sequence[File]) -> str:
    """The folder, or the file where it is one."""
    if len(files) == 1:
        return files[0].name
    folders = {file.name.rpartition("/")[0] for file in files}
    return f"{folders.pop()}/" if len(folders) == 1 and folders != {""} else f"{len(files)} files"


def to_json(trace: Dict) -> bytes:
    """A Trace as it is kept in a file."""
    return json.dumps(trace, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
