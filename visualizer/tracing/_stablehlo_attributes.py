"""Attributes of MLIR operations as text a page can hold.

Promises: short attributes are MLIR's own text; a constant of more than 64 elements is its type and size only, so that a captured array of
any size costs a few characters.
Must never: print an array of millions only to cut it off.

"""

from __future__ import annotations

from typing import Any

from .compat import mlir

MAX_ELEMENTS = 64
MAX_CHARS = 4_000


def attribute_text(attribute: Any) -> str:
    """An attribute as MLIR prints it, large constants elided: `dense<… 1,024 x f32>`."""
    ir = mlir()
    if isinstance(attribute, ir.DenseElementsAttr) and len(attribute) > MAX_ELEMENTS and not attribute.is_splat:
        return f"dense<… {len(attribute):,} x {attribute.type.element_type}> : {attribute.type}"
    if isinstance(attribute, ir.DenseResourceElementsAttr):
        return f"dense_resource<…> : {attribute.type}"
    if isinstance(attribute, ir.ArrayAttr) and len(attribute) > 1_000:
        return f"[… {len(attribute):,} attributes]"
    text = str(attribute)
    return text if len(text) <= MAX_CHARS else f"{text[:MAX_CHARS]}… ({len(text):,} characters)"


def attributes_of(op: Any, without: tuple[str, ...] = ()) -> dict[str, str]:
    """Every attribute of an operation by name, in MLIR's order."""
    texts: dict[str, str] = {}
    for item in op.attributes:
        name = item if isinstance(item, str) else item.name
        if name not in without:
            texts[name] = _text_of(op, name)
    return texts


def _text_of(op: Any, name: str) -> str:
    if name == "value" and op.name == "stablehlo.constant":
        kind = op.results[0].type
        if "complex" in str(kind):  # JAX's bindings have no class for these, and refuse by printing all of them
            return _complex_constant(op, kind)
    try:
        attribute = op.attributes[name]
    except TypeError:
        return "…"
    return attribute_text(attribute)


def _complex_constant(op: Any, kind: Any) -> str:
    text = str(op.get_asm(large_elements_limit=MAX_ELEMENTS))
    if "__elided__" in text:
        count = 1
        for size in kind.shape:
            count *= size
        return f"dense<… {count:,} x {kind.element_type}> : {kind}"
    return text.partition("stablehlo.constant ")[2].strip()
