"""The modules that a program calls as they are: what `jax.export` made, which JAX keeps as StableHLO and not as a jaxpr.

Promises: each module once, with the equations that call it; only JAX's own `Exported` is asked for its module.
Must never: fail on a module that cannot be read, or read one that is larger than what is shown.
"""

from __future__ import annotations

from typing import Any

from visualizer.tracing.compat import exported_module, is_exported

from ._module import serialize_module

Dict = dict[str, Any]
CALL = "call_exported"
LARGEST = 1 << 20  # bytes of a serialised module: about as much again in StableHLO's text


def embedded_modules(calls: dict[str, Any]) -> list[Dict]:
    """`calls` are the equations {id: JaxprEqn} that call an exported module; equations that call the same one share it."""
    users: dict[int, list[str]] = {}
    modules: dict[int, Any] = {}
    for key, eqn in calls.items():
        exported = eqn.params.get("exported")
        if is_exported(exported):
            users.setdefault(id(exported), []).append(key)
            modules[id(exported)] = exported
    found = ((eqns, _module(modules[which])) for which, eqns in users.items())
    return [{"eqns": eqns, "module": module} for eqns, module in found if module is not None]


def _module(exported: Any) -> Dict | None:
    if len(exported.mlir_module_serialized) > LARGEST:
        return None
    try:
        with exported_module(exported) as module:
            return serialize_module(module).module
    except Exception:  # of a version of StableHLO that this one cannot read
        return None
