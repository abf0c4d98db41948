"""How one frame of a person's was called from another through JAX's own: part of `compat`, which gives out its names.

Promises: a kind only where nothing but JAX's transformations stands between.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jax._src import api as _api

_FOLDER = str(Path(_api.__file__).parent)
# Frames that every transformation goes through.
_PLUMBING = frozenset(
    f"{_FOLDER}/{name}.py"
    for name in ("api", "api_util", "linear_util", "traceback_util", "core", "interpreters/ad", "interpreters/batching")
)
# What stands between a call and the function that it names: nothing that people call by its name.
_INNARDS = _PLUMBING | {
    f"{_FOLDER}/{name}.py"
    for name in ("pjit", "source_info_util", "numpy/array_methods", "numpy/ufunc_api", "custom_derivatives", "tree_util", "tree")
}
_INTERPRETERS = f"{_FOLDER}/interpreters/"
_WRAPPERS = frozenset({"contextlib.py", "functools.py", "_module.py", "module.py", "object.py"})
# Where a tracer is iterated over: `a, b = x`, `for row in x`, `f(*x)`.
_ITERATES = f"{_FOLDER}/lax/lax.py"
# What a tree's map computes are the parts of its value.
_TREES = f"{_FOLDER}/tree_util.py"
_MAPPED = {"vmap_f": "vmap"}
_DERIVATIVES = {
    "vjp": "vjp",
    "jvp": "jvp",
    "_jvp": "jvp",
    "linearize": "linearize",
    "value_and_grad_f": "value_and_grad",
    "grad_f": "grad",
    "grad_f_aux": "grad",
    "jacfun": "jacobian",
}
# What one transformation is made of, innermost first.
_ONE: dict[tuple[str, ...], str] = {
    (): "",
    ("vmap",): "vmap",
    ("vjp",): "vjp",
    ("jvp",): "jvp",
    ("jvp", "jvp"): "jvp",
    ("linearize",): "linearize",
    ("vjp", "value_and_grad"): "value_and_grad",
    ("vjp", "value_and_grad", "grad"): "grad",
}


def called_through(between: Sequence[Any], *, innermost: bool) -> str | None:
    """What called the inner code for the outer: "" for a plain call, the name of a transformation, `iter`, None for anything else.

    `between` are the code objects between two frames of the person's, innermost first; with `innermost` those up to an equation.
    """
    if not between:
        return ""
    if innermost and between[-1].co_name == "<genexpr>" and between[-1].co_filename == _ITERATES:
        return "iter"
    if innermost and any(code.co_filename == _TREES for code in between):
        return None
    api = _api.__file__
    kinds: list[str] = []
    for code in reversed(between):  # outermost first
        name = code.co_filename
        if name == api:
            kinds.append(_DERIVATIVES.get(code.co_name) or _MAPPED.get(code.co_name) or "other")
        elif name not in _PLUMBING:
            if innermost:
                break
            return None
    return _ONE.get(tuple(reversed(kinds)), "other") if kinds or innermost else None


def library_function(between: Sequence[Any]) -> str | None:
    """The function of a library that the person's frame called, None where it has no name for people.

    `between` are the codes below the frame, innermost first.
    """
    for code in reversed(between):
        folder, _, name = code.co_filename.rpartition("/")
        if code.co_filename in _INNARDS or name in _WRAPPERS or f"{folder}/".startswith(_INTERPRETERS):
            continue
        function = str(code.co_qualname).rpartition("<locals>.")[2]
        return None if function.startswith(("_", "<")) else function
    return None


def value_paths(jaxpr: Any, paths: Sequence[str]) -> list[str | None]:
    """The paths of a jaxpr's results in what the person's function returned; None for those that JAX added.

    The body of `fori_loop` is called after the person's, and returns more: as a scan `((i, value), None)`, as a while `(i, upper, value)`.
    `shard_map` numbers the leaves of what its function returned, after what a derivative saves; in 0.10 there are no other paths, so these
    say nothing, and the list is empty.
    """
    traced_for = getattr(jaxpr.debug_info, "traced_for", None)
    if traced_for == "shard_map" and list(paths) == [f"result[{index}]" for index in range(len(paths))]:
        return []
    if traced_for != "fori_loop":
        return list(paths)
    front = "result[0][1]" if any(path.startswith("result[0][") for path in paths) else "result[2]"
    return ["result" + path.removeprefix(front) if path.startswith(front) else None for path in paths]
