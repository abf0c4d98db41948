"""Arguments typed as shapes: `w: f32[3], xs: f32[6,2,3]`.

Promises: shapes and dtypes in JAX's own short words; names may stand before them. Anything else is left to Python.
Must never: take a text for shapes whose words the paste itself defines.
"""

from __future__ import annotations

import re
from typing import Any

import jax

_Shape = jax.ShapeDtypeStruct
_NAMES = {"bool": "bool", "bf16": "bfloat16", "c64": "complex64", "c128": "complex128"}
_NAMES |= {f"f{bits}": f"float{bits}" for bits in (16, 32, 64)}
_NAMES |= {f"{sign[0]}{bits}": f"{sign}{bits}" for sign in ("int", "uint") for bits in (4, 8, 16, 32, 64)}
_NAMES |= {f"f8_{kind}": f"float8_{kind}" for kind in ("e4m3fn", "e5m2", "e4m3b11fnuz", "e4m3fnuz", "e5m2fnuz")}
_ONE = re.compile(r"\s*(?:(?P<name>\w+)\s*:\s*)?(?P<dtype>\w+)\[(?P<shape>[\d\s,]*)\]\s*(?:,|$)")
MAX_RANK = 64


def shapes(text: str, namespace: dict[str, Any]) -> tuple[Any, ...] | None:
    """The ShapeDtypeStructs of a text, in order (names are for the reader); None when it is not of this form."""
    text = text.strip()
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip()
    found: list[Any] = []
    at = 0
    while at < len(text):
        one = _ONE.match(text, at)
        if one is None or one["dtype"] in namespace or one["dtype"] not in _NAMES:
            return None
        sizes = [size.strip() for size in one["shape"].split(",") if size.strip()]
        if len(sizes) > MAX_RANK or not all(size.isdigit() for size in sizes):
            return None
        found.append(_Shape(tuple(map(int, sizes)), _NAMES[one["dtype"]]))
        at = one.end()
    return tuple(found) or None
