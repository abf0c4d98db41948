"""From what a person pasted to Python that can run.

Promises: a text that is Python as it stands is not touched; everything that was changed is said in a note.
Must never: change what a program means.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

from visualizer.text.parse import holds_jaxpr, without_colours
from visualizer.tracing.problems._errors import diagnostic, from_exception
from visualizer.tracing.source._paste import Line, PasteSource, split_lines
from visualizer.tracing.source._scan import scan
from visualizer.tracing.source._sites import parse

from ._detect import BYTECODE, NAMES, is_binary, is_notebook, kind_of_text
from ._readers import reader_of
from ._repair import REPAIRS, unfenced

Dict = dict[str, Any]
MAX_CHARS = 1_000_000
# Of what is no Python: constants that no program has in its source.
MAX_OTHER_CHARS = 16_000_000
# Each round of repairs may show what another can mend; a text that needs more is no program.
_ROUNDS = 8
_UNREADABLE = (SyntaxError, ValueError, MemoryError, RecursionError)


@dataclass
class Reading:
    """A paste that was read: `tree` is None where there is nothing to run, and `diagnostics` say why, or `input` names the reader for it.

    `data` are the bytes of a file that is no text.
    """

    source: PasteSource
    tree: ast.Module | None = None
    input: str = "python"
    notes: list[str] = field(default_factory=list)
    diagnostics: list[Dict] = field(default_factory=list)
    data: bytes | None = None

    def refuse(self, found: Dict) -> Reading:
        """The reading with the reason why there is nothing to run."""
        self.tree = None
        self.diagnostics.append(found)
        return self


def is_code(reading: Reading) -> bool:
    """Whether a reading is Python that would be run, or what was taken for it and is none."""
    return reading.tree is not None or any(found["code"] == "python-error" for found in reading.diagnostics)


def read_paste(text: str, wanted: str | None = None) -> Reading:
    """Read a paste: what kind it is (or is said to be), cleaned and parsed where it is Python.

    Where there is a reader for another kind, `tree` is None, `input` names it, and no diagnostic stands against it.
    """
    most = MAX_CHARS if wanted in (None, "python") and kind_of_text(text) == "python" and not holds_jaxpr(text) else MAX_OTHER_CHARS
    if len(text) > most:
        message = f"The paste has {len(text):,} characters; at most {most:,} can be read."
        return Reading(PasteSource.of("")).refuse(diagnostic("too-large", message, advice="Paste the part that makes the program."))
    if text.startswith(BYTECODE):
        message = "This is MLIR bytecode pasted as text: some of its bytes are lost."
        advice = "Open the file itself, or drop it on the page."
        return Reading(PasteSource.of(""), input="mlir").refuse(diagnostic("not-text", message, advice=advice))
    kind = kind_of_text(text) if text[:1] in ("M", "\ufeff") else "python"
    if kind == "python" and is_binary(text):
        message = "The paste is not text: it holds null bytes or many control characters."
        return Reading(PasteSource.of("")).refuse(diagnostic("not-text", message, advice="Paste Python source."))
    if not text.strip(" \t\r\n\f\ufeff"):
        return Reading(PasteSource.of(text)).refuse(diagnostic("empty-paste", "The paste is empty.", advice=_HOW))
    if is_notebook(text):
        message = "This is a notebook file (.ipynb): its code stands in strings of JSON."
        return Reading(PasteSource.of(text)).refuse(
            diagnostic("unsupported-input", message, advice="Open it, and paste the code of its cells.")
        )
    return _read(text, wanted)


_HOW = "Paste a Python program that uses JAX, for example a function and a call of it."


def _read(text: str, wanted: str | None = None) -> Reading:
    lines, notes = _normalised(text)
    reading = Reading(PasteSource.cleaned(text, lines), notes=notes)
    error = None if wanted not in (None, "python") else _parse(reading)
    if error is not None or wanted not in (None, "python"):
        bare = unfenced(lines)[0]
        kind = wanted or kind_of_text("\n".join(line.text for line in bare))
        if kind != "python":
            reading.input = kind
            if reader_of(kind) is not None:
                reading.source = PasteSource.cleaned(text, bare)
                return reading
            message = f"This is {NAMES[kind]}. This kind of text cannot be read yet, only Python programs can."
            return reading.refuse(diagnostic("unsupported-input", message, advice="Paste the Python program that it was made from."))
    if error is not None:
        error = _repaired(reading, lines, error)
    if wanted is None and (error is not None or (reading.tree is not None and not reading.tree.body)) and _is_log(lines, error is None):
        # A log or a lesson with prints in it: what is around them is passed over.
        return Reading(PasteSource.cleaned(text, lines), input="jaxpr", notes=notes)
    if error is not None:
        found = from_exception(error, reading.source, "read")
        if isinstance(error, (MemoryError, RecursionError)):
            found |= {"message": "The code is nested too deeply for Python to read.", "advice": "Split it into several statements."}
        return reading.refuse(found)
    if reading.tree is not None and not reading.tree.body:
        return reading.refuse(diagnostic("empty-paste", "There is no code in the paste.", advice=_HOW))
    return reading


def _is_log(lines: list[Line], only_comments: bool) -> bool:
    """Whether printed jaxprs stand in a text that is no program: in comments only where there is nothing else, and in no string."""
    texts = [without_colours(line.text) for line in lines]
    if only_comments or not holds_jaxpr("\n".join(texts)):
        return only_comments and holds_jaxpr("\n".join(texts))
    for text, state in zip(texts, scan(texts), strict=True):
        start = text.find("{ lambda")
        if start >= 0 and any(first <= start < last for first, last in state.code) and holds_jaxpr(text[start:]):
            return True
    return False


def _normalised(text: str) -> tuple[list[Line], list[str]]:
    """Lines without what Python never takes: a byte order mark, lone surrogates, foreign line ends."""
    notes = []
    if "\r" in text:
        notes.append("Line ends of another system (CR) were read as line ends.")
    seen = split_lines(text)
    lines = [Line(line, line) for line in seen]
    if text.startswith("\ufeff"):
        lines[0] = lines[0].edited([(0, 1, "")])
        notes.append("A byte order mark at the start was left out.")
    if not text.isascii():
        broken = [number for number, line in enumerate(seen) if any("\ud800" <= char <= "\udfff" for char in line)]
        for number in broken:
            halves = [(at, at + 1, "\ufffd") for at, char in enumerate(lines[number].text) if "\ud800" <= char <= "\udfff"]
            lines[number] = lines[number].edited(halves)
        if broken:
            notes.append("Halves of characters (lone surrogates) were replaced.")
    return lines, notes


def _parse(reading: Reading) -> BaseException | None:
    try:
        reading.tree = parse(reading.source.text, reading.source.filename)
    except _UNREADABLE as error:
        return error
    return None


def _repaired(reading: Reading, lines: list[Line], error: BaseException) -> BaseException | None:
    """Repair until Python can read it, or nothing is left to repair. The error that remains."""
    seen = reading.source.seen
    for _ in range(_ROUNDS):
        before = lines
        for repair in REPAIRS:
            repaired, note = repair(lines)
            if [line.text for line in repaired] == [line.text for line in lines]:
                continue
            lines = repaired
            if note not in reading.notes:
                reading.notes.append(note)
            reading.source = PasteSource.cleaned(seen, lines)
            problem = _parse(reading)
            if problem is None:
                return None
            error = problem
        if lines is before:
            break
    return error


def clean(text: str) -> PasteSource:
    """The cleaned paste alone."""
    return read_paste(text).source
