"""From a traced program to what XLA makes of it, linked to its equations.

What is compiled is the program that is lowered, tagged as for StableHLO (`_tagging.py`), this time with the place of every equation: the
tags reach the `op_name` of the instructions and nothing else (a test holds the text equal to that of the program as it was), and are taken
out of what is shown. So one compilation gives both.

Promises: any exception becomes a diagnostic; nothing is executed.
Must never: raise on a stranger's program; show a tag.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Sequence
from typing import Any

from visualizer.tracing._compat_hlo import compiled_text
from visualizer.tracing._serialize import SerializedProgram
from visualizer.tracing.compat import has_symbolic_shape, traced_with
from visualizer.tracing.eqns._garbage import no_collection
from visualizer.tracing.lowering._stablehlo import LoweredProgram, empty_patch, own_traced
from visualizer.tracing.lowering._tagging import tag, tag_in
from visualizer.tracing.problems._errors import diagnostic

from ._attributes import op_name
from ._module import END, HloModule
from ._reader import spans_of
from ._text import HloError, read_hlo

Dict = dict[str, Any]
NO_LINKS = "The instructions of the compiled program could not be told apart by equation, so hovering an equation does not show them."
# A tag as XLA prints it, with the slash that set it apart from what follows, or from what stands before it.
_TAG = re.compile(r'\\037e\d+\\037/|/\\037e\d+\\037(?=[")/])|\\037e\d+\\037')


def compile_program(serialized: SerializedProgram, *, traced: Sequence[Any] = ()) -> LoweredProgram:
    """Compile a serialised program for this machine; `traced` as in `lower`. The patch is empty where that failed."""
    try:
        own, whole = own_traced(serialized, traced)
        if has_symbolic_shape(own.jaxpr):
            return LoweredProgram(empty_patch(), [], [_symbolic()])
        text, notes = _compiled(serialized, own)
        with no_collection():
            return LoweredProgram(_patch(serialized, text, notes, whole), notes)
    except HloError:
        return LoweredProgram(empty_patch(), [], [_failed("HloError", "XLA printed the compiled program in a way that is not known here.")])
    except Exception as error:
        message = str(error).strip() or traceback.format_exception_only(error)[-1].strip()
        return LoweredProgram(empty_patch(), [], [_failed(type(error).__name__, message[:4_000])])


def _compiled(serialized: SerializedProgram, own: Any) -> tuple[str, list[str]]:
    """The text of the compiled program, tagged where the tagged program can be compiled."""
    try:
        tagged = traced_with(own, tag(own.jaxpr, serialized.eqn_of, places=True))
        return compiled_text(tagged), []
    except Exception:  # the program's own fault, or the tags'? Without them it is the person's own error, with its own message
        return compiled_text(own), [NO_LINKS]


def untagged(text: str) -> str:
    """A text of XLA's without the tags."""
    return _TAG.sub("", text)


def _patch(serialized: SerializedProgram, text: str, notes: list[str], whole: Any) -> Dict:
    shown = untagged(text)
    module = read_hlo(shown)
    made = HloModule(module, shown)
    owners: dict[str, str] = {}
    if shown is not text:
        tags = [(one.name, tag_in(op_name(one))) for each in read_hlo(text).computations for one in each.instructions]
        names = [one.name for each in module.computations for one in each.instructions]
        if [name for name, _ in tags] == names:
            owners = {name: own for name, own in tags if own is not None}
    links = _links(made, owners)
    if not links and not notes and serialized.eqn_of:
        notes.append(NO_LINKS)
    eqns = {eqn["id"]: eqn for jaxpr in serialized.program["jaxprs"].values() for eqn in jaxpr["eqns"]}
    for instruction, wire in made.ops:
        own = eqns.get(owners.get(instruction.name, ""))
        wire["span"] = None if own is None else own["span"]
    if whole is not None and links:
        entry = next(function for function in made.module["functions"] if "entry" in function["attributes"])
        links = {
            serialized.eqn_of[id(whole)]: [op["id"] for block in entry["region"]["blocks"] for op in block["ops"] if op["name"] != END],
            **links,
        }
    return {
        "texts": {"hlo": {"text": shown, "spans": spans_of(made)}},
        "modules": {"hlo": made.module},
        "links": {"hlo": links},
    }


def _links(made: HloModule, owners: dict[str, str]) -> dict[str, list[str]]:
    """Equation id -> ids of its instructions, in the order of the text. A name is one instruction's in all of a module."""
    links: dict[str, list[str]] = {}
    for instruction, wire in made.ops:
        own = owners.get(instruction.name)
        if own is not None:
            links.setdefault(own, []).append(wire["id"])
    return links


def _symbolic() -> Dict:
    message = "A program of symbolic shapes is compiled when the sizes are known."
    return diagnostic("not-compiled", message, severity="warning", advice="Trace it with numbers in place of the symbols.", stage="compile")


def _failed(kind: str, message: str) -> Dict:
    advice = "The levels above are good: XLA cannot compile this program for a CPU."
    return diagnostic("compile-failed", message, type_=kind, advice=advice, stage="compile")
