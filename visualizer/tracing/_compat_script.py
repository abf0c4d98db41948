"""What the report of a script reads from JAX. Part of `compat`.

Must never: hold logic of ours beyond translating what JAX gives.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import jax
from jax._src import stages as _stages

_structure = jax.tree.structure
_TOLD = ("donated_invars", "ctx_mesh", "name", "keep_unused", "inline", "compiler_options_kvs")


def traced_of(arguments: Any, params: dict[str, Any]) -> Any:
    """The `Traced` that JAX lowered with these argument types and params of `_resolve_and_lower`."""
    told = (*("in_shardings", "out_shardings", "in_layouts", "out_layouts"), *_TOLD)
    closed = params["jaxpr"]
    taken = _structure(((0,) * len(closed.in_avals), {}))
    given = _structure((0,) * len(closed.out_avals))
    return _stages.Traced(list(arguments), {"jaxpr": closed, **{name: params[name] for name in told}}, taken, given, [])


def hlo_text(executable: Any) -> str | None:
    """The optimised HLO of an executable that JAX made, or None where the backend has none to show."""
    try:
        return str(executable.xla_executable.hlo_modules()[0].to_string())
    except Exception:
        return None


_LOUD = {"jax_dump_ir_to": "", "jax_log_compiles": False, "jax_explain_cache_misses": False, "jax_debug_nans": False}


@contextmanager
def quietly() -> Iterator[None]:
    """Nothing that is lowered meanwhile is logged, checked, or written to a folder of dumps, whatever the script asked for."""
    known = {name: jax.config.values[name] for name in _LOUD if name in jax.config.values}
    try:
        for name in known:
            jax.config.update(name, _LOUD[name])
        yield
    finally:
        for name, value in known.items():
            jax.config.update(name, value)
