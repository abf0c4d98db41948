"""From a traced program to the StableHLO module JAX lowers it to, linked to its equations.

The program that is lowered is the person's own with one thing added: each equation's name stack holds our id of it, which reaches the
locations of the operations and nothing else (a test holds the text equal to that of the program as it was, over the corpus). So one
lowering gives both the module that is shown and the links.

Promises: any exception of the lowering becomes a diagnostic; links that cannot be read are left out, and a note says so.
Must never: raise on a stranger's program; show a module that JAX would not have made.

"""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from visualizer.tracing._serialize import SerializedProgram
from visualizer.tracing.compat import ClosedJaxpr, closed_traced, function_site, has_symbolic_shape, is_jit, lower_traced, traced_with
from visualizer.tracing.eqns._garbage import left, no_collection
from visualizer.tracing.mlir._derived_roles import derive_roles
from visualizer.tracing.mlir._module import serialize_module

from ._links import END, argument_label, owners_of
from ._module_roles import set_roles
from ._tagging import tag

Dict = dict[str, Any]
NO_LINKS = "The operations of this module could not be told apart by equation, so hovering an equation does not show its operations."


@dataclass
class LoweredProgram:
    """What lowering a program adds to its trace."""

    patch: Dict
    """`ProgramPatch`-shaped; empty where the lowering failed."""
    notes: list[str] = field(default_factory=list)
    diagnostics: list[Dict] = field(default_factory=list)


def lower(serialized: SerializedProgram, *, traced: Sequence[Any] = (), name: str | None = None) -> LoweredProgram:
    """Lower a serialised program to StableHLO.

    `traced` are JAX's `Traced` of the person's own function, as far as there are any: the first that is of the very jaxpr that was
    serialised, or of the only equation in it (a program that is one call of a jitted function is lowered as JAX lowers that function),
    is used, so its name, donation, shardings and layouts are kept. `name` names the module (`@jit_<name>`) where there is none.
    """
    try:
        own, whole = own_traced(serialized, traced, name)
        module, notes = _lower(serialized, own)
        with no_collection():
            lowered = _patch(serialized, module, notes)
    except Exception as error:
        return LoweredProgram(empty_patch(), [], [diagnostic(error)])
    if whole is not None:
        _link_main(lowered.patch, serialized.eqn_of[id(whole)])
    return lowered


def own_traced(serialized: SerializedProgram, traced: Sequence[Any] = (), name: str | None = None) -> tuple[Any, Any]:
    """What of `traced` is lowered (see `lower`), and the equation that is the whole program where its function is lowered instead."""
    closed = serialized.closed
    whole = whole_call(closed)
    body = None if whole is None else whole.params["jaxpr"]
    own = next((t for t in traced if t.jaxpr is body), None) or next((t for t in traced if t.jaxpr is closed), None)
    own = closed_traced(closed, name or function_name(closed)) if own is None else own
    return own, whole if own.jaxpr is body else None


def whole_call(closed: Any) -> Any:
    """The equation of a program that is nothing but one call of a jitted function, or None."""
    eqns, jaxpr = closed.jaxpr.eqns, closed.jaxpr
    if len(eqns) != 1 or not isinstance(eqns[0].params.get("jaxpr"), ClosedJaxpr) or not is_jit(eqns[0].primitive) or jaxpr.constvars:
        return None
    passed = len(eqns[0].invars) == len(jaxpr.invars) and all(a is b for a, b in zip(eqns[0].invars, jaxpr.invars, strict=True))
    given = len(eqns[0].outvars) == len(jaxpr.outvars) and all(a is b for a, b in zip(eqns[0].outvars, jaxpr.outvars, strict=True))
    return eqns[0] if passed and given else None


def _link_main(patch: Dict, eqn: str) -> None:
    """The call that is the whole program became the main function: it owns what stands at its top."""
    for made in patch["modules"].values():
        main = next((f for f in made["functions"] if f["name"] == "main"), None)
        if main is not None and patch["links"]["stablehlo"]:
            ops = [op["id"] for block in main["region"]["blocks"] for op in block["ops"] if op["name"] != END]
            patch["links"]["stablehlo"] = {eqn: ops, **patch["links"]["stablehlo"]}


def _lower(serialized: SerializedProgram, own: Any) -> tuple[Any, list[str]]:
    """The module, tagged where the tagged program can be lowered."""
    symbolic = has_symbolic_shape(own.jaxpr)
    try:
        return lower_traced(traced_with(own, tag(own.jaxpr, serialized.eqn_of)), symbolic=symbolic), []
    except Exception:  # the program's own fault, or the tags'? Without them it is the person's own error, with its own message
        return lower_traced(own, symbolic=symbolic), [NO_LINKS]


def _patch(serialized: SerializedProgram, module: Any, notes: list[str]) -> LoweredProgram:
    made = serialize_module(module, label=argument_label)
    left(made)
    owners = owners_of(made)
    eqns = {eqn["id"]: eqn for jaxpr in serialized.program["jaxprs"].values() for eqn in jaxpr["eqns"]}
    set_roles(made, owners, eqns)
    derive_roles(made.module)
    for _, wire in made.ops:
        own = owners.of.get(wire["id"], ())
        wire["span"] = eqns[own[0]]["span"] if len(own) == 1 and own[0] in eqns else None
    if not owners.of and not notes and any(wire["name"] not in PLUMBING for _, wire in made.ops):
        notes = [NO_LINKS]
    spans = {wire["id"]: wire["text_span"] for _, wire in made.ops if wire["text_span"] is not None}
    patch: Dict = {
        "texts": {"stablehlo": {"text": made.module["text"], "spans": spans}},
        "modules": {"stablehlo": made.module},
        "links": {"stablehlo": owners.links(made)},
    }
    return LoweredProgram(patch, notes)


PLUMBING = frozenset({"func.return", "func.call", "stablehlo.constant", "sdy.mesh"})


def empty_patch() -> Dict:
    """A patch that adds nothing."""
    return {"texts": {}, "modules": {}, "links": {}}


def function_name(closed: Any) -> str:
    """The name of the function that was traced, as JAX would name its module."""
    return str(function_site(closed.jaxpr)[1] or "main")


def diagnostic(error: Exception) -> Dict:
    """What to tell the person about a lowering that failed."""
    message = str(error).strip() or traceback.format_exception_only(error)[-1].strip()
    return {
        "severity": "error",
        "code": "lowering-failed",
        "type": type(error).__name__,
        "message": message[:4_000],
        "advice": ADVICE.get(type(error).__name__, "The jaxpr above is good: JAX could trace this program, but cannot lower it for a CPU."),
        "span": None,
        "frames": [],
        "stage": "lower",
        "field": None,
    }


ADVICE = {
    "NotImplementedError": "The jaxpr above is good, but a primitive in it has no lowering for a CPU: it needs another kind of device.",
    "RecursionError": "The jaxpr above is good, but its bodies are nested too deeply to lower.",
}
