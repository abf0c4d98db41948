"""What `jax.export` wrote to a file: the exported function with its module, and the functions for its derivatives that are in it.

Promises: what the file says of itself is told in words; a file that cannot be read says why. Must never: call what was exported, nor raise
on what a file holds.
"""

from __future__ import annotations

from typing import Any

from visualizer.tracing import compat
from visualizer.tracing._answer import Answer
from visualizer.tracing._given import Emit, Given
from visualizer.tracing.mlir._derived_roles import derive_roles
from visualizer.tracing.mlir._module import serialize_module
from visualizer.tracing.problems._errors import diagnostic, said_by, type_name

Dict = dict[str, Any]
# Derivatives of derivatives that are shown: each is larger than the one before.
MOST_ORDERS = 3
MOST_ARGS = 8


def read_export(given: Given, answer: Answer, emit: Emit) -> None:
    """Read the bytes of an exported function (see `_readers.py`)."""
    answer.trace["input"] = "mlir"
    with answer.timed("read"):
        try:
            exported = compat.exported_of(given.data or b"")
        except BaseException as error:  # the bytes are a stranger's, and nothing checks them before they are followed
            answer.add(_refused(error))
        else:
            _take(exported, answer)
    emit(answer.message())


def _take(exported: Any, answer: Answer) -> None:
    name = str(exported.fun_name)
    for order in range(MOST_ORDERS + 1):
        title = name if order == 0 else f"{name} vjp" if order == 1 else f"{name} vjp {order}"
        try:
            answer.trace["programs"].append(_program(exported, title, f"p{order}"))
            answer.note(_told(exported, title, first=order == 0))
            derivative = compat.vjp_of(exported)
        except BaseException as error:
            answer.add(_refused(error, title))
            return
        if derivative is None:
            return
        exported = derivative
    answer.note(f"The first {MOST_ORDERS} derivatives are shown.")


def _program(exported: Any, name: str, key: str) -> Dict:
    with compat.exported_module(exported) as module:
        made = serialize_module(module)
        derive_roles(made.module)
    _label(made.module, exported)
    spans = {wire["id"]: wire["text_span"] for _, wire in made.ops if wire["text_span"] is not None}
    return {
        "id": key,
        "name": name,
        "origin": "export",
        "count": 1,
        "span": None,
        "entry": None,
        "jaxprs": {},
        "twins": [],
        "texts": {"stablehlo": {"text": made.module["text"], "spans": spans}},
        "modules": {"stablehlo": made.module},
        "links": {},
    }


def _label(module: Dict, exported: Any) -> None:
    """The arguments by their paths. In front of them a module for several platforms takes the number of its own."""
    main = next((function for function in module["functions"] if function["name"] == "main"), None)
    names = [name for name, _ in compat.exported_arguments(exported)]
    kept = [names[index] for index in exported.module_kept_var_idx if index < len(names)]
    if main is None or not len(kept) <= len(main["args"]) <= len(kept) + 1:
        return
    for value, name in zip(main["args"][len(main["args"]) - len(kept) :], kept, strict=True):
        module["values"][value]["label"] = name


def _told(exported: Any, name: str, *, first: bool) -> str:
    """What the file says of a function, in words."""
    takes = _listed([f"{path}: {kind}" for path, kind in compat.exported_arguments(exported)])
    gives = _listed([f"{path}: {kind}" if path else kind for path, kind in compat.exported_results(exported)])
    text = f"{name} takes {takes or 'nothing'} and gives {gives or 'nothing'}."
    if first:
        count = exported.nr_devices
        devices = "one device" if count == 1 else f"{count} devices"
        text += f" Exported for {', '.join(exported.platforms)} and {devices}, calling convention {exported.calling_convention_version}."
    effects = [str(effect) for effect in (*exported.ordered_effects, *exported.unordered_effects)]
    if effects:
        text += f" It has effects: {_listed(effects)}."
    unchecked = [str(check) for check in exported.disabled_safety_checks]
    if unchecked:
        text += f" Checks that are off: {_listed(unchecked)}."
    return text


def _listed(texts: list[str]) -> str:
    rest = len(texts) - MOST_ARGS
    return ", ".join(texts[:MOST_ARGS]) + (f" and {rest} more" if rest > 0 else "")


def _refused(error: BaseException, name: str = "") -> Dict:
    what = f"The derivative {name} in it" if name else "The file"
    advice = "Export it again with the JAX that this server runs, or open its StableHLO (`exported.mlir_module()`)."
    return diagnostic(
        "export-error", f"{what} cannot be read as jax.export wrote it: {said_by(error)}", type_=type_name(error), advice=advice
    )
