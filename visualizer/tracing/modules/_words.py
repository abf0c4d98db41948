"""What is said of a module that cannot be read, in words.

Promises: each says what happened and what to do; the parser's own message is quoted whole.
"""

from __future__ import annotations

from typing import Any

from visualizer.tracing.problems._errors import diagnostic

Dict = dict[str, Any]


def advice(message: str) -> str:
    """What to do about a message of the parser."""
    if "not found for custom op" in message or "unregistered dialect" in message:
        return (
            "jaxlib has no parser for this dialect. Print the module in the generic form (mlir-opt --mlir-print-op-generic), or leave "
            "these lines out."
        )
    if "StableHLO_v" in message:
        return "A newer jaxlib reads it. Or save it again for an older version: serialize_portable_artifact takes the version to write."
    return "This is what jaxlib's own MLIR parser says."


MLIR = "jaxlib's MLIR parser"
_WHY = {
    "cpu": "{parser} did not come to an end on {what} within the time of a run.",
    "wall": "{parser} did not come to an end on {what} within the time of a run.",
    "memory": "{parser} took more memory on {what} than one run may use.",
}


def dead(why: str, span: Dict | None, several: bool, parser: str = MLIR) -> Dict:
    """The parser did not survive a section."""
    what = "this section" if several else "this module"
    said = _WHY.get(why, "{parser} crashed on {what}" + (f" ({why})." if why.startswith("SIG") else "."))
    todo = "This is a fault of the parser, not of the page. Leave out half of the text, again and again, to find what it cannot take."
    return diagnostic("parser-crash", said.format(parser=parser, what=what), advice=todo, span=span)


def given_up(span: Dict | None, parser: str = MLIR) -> Dict:
    """Too many sections before this one were like that."""
    message = f"{parser} failed on too many sections before this one, so what follows was not read."
    return diagnostic("parser-crash", message, severity="warning", advice="Paste the sections that matter by themselves.", span=span)
