"""What the bytes of a file are: a text, a kind that a reader takes as bytes, or something that is refused in words.

Promises: decided by the first bytes alone, as the formats demand them; a table has a row for each kind.
Must never: unpack anything.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Any

from visualizer.tracing.problems._errors import diagnostic

Dict = dict[str, Any]
MAX_BYTES = 16_000_000

# How a file begins -> the kind whose reader (`_readers.py`) takes its bytes.
BEGINNINGS: dict[bytes, str] = {b"ML\xefR": "mlir"}
# How a file begins -> what it is and what to do. Longer beginnings first.
REFUSED: dict[bytes, tuple[str, str]] = {
    b"\x1f\x8b": ("a compressed file (gzip)", "Unpack it (gunzip), and open what comes out."),
    b"\x28\xb5\x2f\xfd": ("a compressed file (zstd)", "Unpack it (unzstd), and open what comes out."),
    b"PK\x03\x04": ("a zip archive", "Unpack it, and open the file that you want to see."),
    b"\x93NUMPY": ("a NumPy array", "An array is no program: open the code or the module that uses it."),
    b"%PDF": ("a PDF", "Copy the text out of it."),
    b"\x89PNG": ("a picture", "Paste the code or the module as text."),
}


@dataclass(frozen=True)
class Opened:
    """A file: its text, or its kind and bytes, or why it cannot be read."""

    text: str | None = None
    kind: str | None = None
    data: bytes = b""
    problem: Dict | None = None


def opened(encoded: str) -> Opened:
    """The file that a request holds in base64."""
    try:
        data = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        return _refused("bad-data", "The field data is not base64.", "Send the bytes of the file in base64, or its text as source.")
    if len(data) > MAX_BYTES:
        return _refused("too-large", f"The file has {len(data):,} bytes; at most {MAX_BYTES:,} can be read.", "Open a smaller module.")
    if not data:
        return _refused("empty-paste", "The file is empty.", "Open another one.")
    for beginning, kind in BEGINNINGS.items():
        if data.startswith(beginning):
            return Opened(kind=kind, data=data)
    if _is_export(data):
        return Opened(kind="export", data=data)
    for beginning, (what, advice) in REFUSED.items():
        if data.startswith(beginning):
            return _refused("unsupported-input", f"This is {what}, which cannot be read.", advice)
    try:
        return Opened(text=data.decode("utf-8"))
    except UnicodeDecodeError as error:
        message = f"This file is neither text in UTF-8 (byte {error.start} does not belong) nor MLIR bytecode, nor an export of JAX."
        return _refused("not-text", message, "Open Python source, MLIR as text or bytecode, HLO text or a printed jaxpr.")


def _is_export(data: bytes) -> bool:
    """Whether this is what `jax.export` wrote: a flatbuffer, which begins with where its table is, and has a module of bytecode in it."""
    if len(data) < 64:
        return False
    root = int.from_bytes(data[:4], "little")
    if not 4 <= root <= len(data) - 4:
        return False
    fields = root - int.from_bytes(data[root : root + 4], "little", signed=True)
    if not 4 <= fields <= len(data) - 4:
        return False
    size = int.from_bytes(data[fields : fields + 2], "little")
    return size % 2 == 0 and 4 <= size <= 256 and fields + size <= len(data) and b"ML\xefR" in data


def _refused(code: str, message: str, advice: str) -> Opened:
    found = diagnostic(code, message, advice=advice)
    return Opened(problem={**found, "field": "data"})
