"""What reading and compiling HLO takes of jaxlib's bindings. Part of `compat.py`."""

from __future__ import annotations

from typing import Any

from jax._src.lib import xla_client as _xla_client

try:  # jaxlib 0.8 and later have HLO in a library of its own
    from jaxlib import _hlo as _bindings  # type: ignore[attr-defined, unused-ignore]
except ImportError:
    _bindings = _xla_client._xla

_module_class: Any = getattr(_bindings, "HloModule", None)


def compiled_text(traced: Any) -> str:
    """What XLA makes of a `Traced` for this machine, as it prints it. Compiles; runs nothing. Raises what JAX and XLA raise."""
    return str(traced.lower().compile().as_text() or "")


def parse_hlo(text: str) -> Any:
    """XLA's own module of a text. Raises what its parser says, with the line and the column."""
    return _bindings.hlo_module_from_text(text)


def hlo_of_proto(data: bytes) -> Any:
    """The module of a serialised HloModuleProto. Raises where it is none."""
    return _module_class.from_serialized_hlo_module_proto(data)


def print_hlo(module: Any) -> str:
    """A module as XLA prints it."""
    return str(module.to_string())


def instructions_of(module: Any) -> dict[str, list[str]] | None:
    """The names of the instructions of each computation in XLA's order; None where the bindings do not give them."""
    found: dict[str, list[str]] = {}
    for computation in module.computations():
        if not hasattr(computation, "instructions"):
            return None
        found[computation.name] = [instruction.name for instruction in computation.instructions()]
    return found
