"""What reading a module takes of jaxlib's MLIR bindings. Part of `compat.py`."""

from __future__ import annotations

from typing import Any

from jax._src.interpreters import mlir as _mlir
from jaxlib.mlir.dialects import stablehlo as _stablehlo


def mlir_context() -> Any:
    """A context with every dialect that JAX loads."""
    return _mlir.make_ir_context()


def deserialize_artifact(context: Any, data: bytes) -> Any:
    """The module of a portable artefact (VHLO in bytecode), in StableHLO. Raises what the bindings raise."""
    return _stablehlo.deserialize_portable_artifact(context, data)
