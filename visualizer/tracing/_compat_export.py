"""What reading a file of `jax.export` takes of JAX. Part of `compat`.

Promises: nothing of the exported function is called. Must never: hold logic of ours beyond translating what JAX gives.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.export


def exported_of(data: bytes) -> Any:
    """The `Exported` that was serialised. Raises whatever the bytes make it raise."""
    return jax.export.deserialize(bytearray(data))


def vjp_of(exported: Any) -> Any:
    """The exported derivative that is in the file, or None. One that is not there would have to be traced: it is not asked for."""
    return exported.vjp() if exported.has_vjp() else None


def exported_arguments(exported: Any) -> list[tuple[str, str]]:
    """The path of each array among the arguments (`[0]['w']`, or its keyword) and its type."""
    args, kwargs = jax.tree.unflatten(exported.in_tree, exported.in_avals)
    positional = _named(args)
    return [*positional, *((path.removeprefix("['").replace("']", "", 1), kind) for path, kind in _named(kwargs))]


def exported_results(exported: Any) -> list[tuple[str, str]]:
    """The path of each array among the results, and its type."""
    return _named(jax.tree.unflatten(exported.out_tree, exported.out_avals))


def _named(tree: Any) -> list[tuple[str, str]]:
    found = jax.tree_util.tree_flatten_with_path(tree)[0]
    return [(jax.tree_util.keystr(path), str(aval.str_short(short_dtypes=True))) for path, aval in found]
