"""Types in the notation that jaxprs print."""

from __future__ import annotations

from typing import Any


def spec(text: str, /) -> Any:
    """`spec("f32[8,128]")`: a jax.ShapeDtypeStruct; a pytree of types (`{'w': f32[3]}`) gives a pytree of them. Raises ValueError."""
    from visualizer.tracing import read_spec

    return read_spec(text)
