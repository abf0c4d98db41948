"""What kind of text a paste is, when it is not Python.

Asked only about text that Python cannot parse, and answered from its first words as the formats' grammars demand them, so Python that
merely mentions a module or a lambda is never taken for one.

Promises: linear in the text. Must never: guess from a word in the middle.
"""

from __future__ import annotations

import re

_COMMENTS = re.compile(r"(?:\s+|//[^\n]*(?:\n|\Z)|#[\w-]+\s*=[^\n]*(?:\n|\Z))+")
_MLIR = re.compile(
    r"(?:builtin\.)?module(?:\s+@(?:[\w.$\-]+|\"[^\"\n]*\"))?(?:\s+attributes\s*\{[^\n]*\})?\s*\{|\"builtin\.module\"\s*\("
    r"|(?:func\.)?func(?:\s+(?:public|private))?\s+@(?:[\w.$\-]+|\"[^\"\n]*\")\s*\("
    # A file without a module around it: aliases, other symbols, operations.
    r"|!\w+\s*=\s*[!\w<(]|[a-z]\w*\.\w+(?:\s+\w+)?\s+@[\w.$\-]+|\"[a-z]\w*\.[\w.]+\"\s*(?:<\{|\()"
    r"|%[\w$.\-]+(?::\d+)?(?:\s*,\s*%[\w$.\-]+)*\s*=\s*(?:\"|[a-z]\w*\.)"
)
_HLO = re.compile(r"HloModule\s+[\w.\-]+(?:\s*,|\s*$)|ENTRY\s+%?[\w.\-]+\s*(?:\([^\n]*\)\s*->[^\n]*)?\{", re.MULTILINE)
# `{ lambda a:f32[3]; b:f32[] c:f32[2]. let`; a long one is preceded by `let f = { lambda ...` bodies.
_JAXPR = re.compile(r"(?:let\s+)?(?:\w+\s*=\s*)?\{\s*lambda\b[^;]{0,20000};[^;]{0,200000}?\.\s*let\b")
BYTECODE = "ML\u00efR", "ML\ufffdR"


def kind_of_text(text: str) -> str:
    """`mlir`, `hlo`, `jaxpr`, or `python` for anything else."""
    text = text.lstrip("\ufeff")
    start = _COMMENTS.match(text)
    at = start.end() if start else 0
    for kind, pattern in (("mlir", _MLIR), ("hlo", _HLO), ("jaxpr", _JAXPR)):
        if pattern.match(text, at):
            return kind
    return "python"


NAMES = {"mlir": "MLIR (StableHLO)", "hlo": "HLO", "jaxpr": "a printed jaxpr"}
_NOTEBOOK = re.compile(r"\s*\{\s*\"(?:cells|metadata|nbformat|nbformat_minor)\"\s*:")


def is_notebook(text: str) -> bool:
    """Whether a text is a notebook file, JSON whose strings hold the code; much of it parses as a Python dictionary."""
    return bool(_NOTEBOOK.match(text)) and '"cell_type"' in text


_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]")
_SAMPLE = 20_000


def is_binary(text: str) -> bool:
    """Whether a text is the bytes of something else: a null, or many control characters."""
    if "\0" in text:
        return True
    sample = text[:_SAMPLE]
    return len(_CONTROL.findall(sample)) * 20 > len(sample)
