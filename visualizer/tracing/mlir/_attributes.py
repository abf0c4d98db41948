"""Attributes of MLIR operations as text a page can hold.

Promises: short attributes are MLIR's own text; a constant of more than 64 elements is its type and size only, so that a captured array of
any size costs a few characters.
Must never: print an array of millions only to cut it off.

"""

from __future__ import annotations

from typing import Any

from visualizer.tracing.compat import attributes_of, mlir

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


class Attributes:
    """The attributes of a module's operations as text, each said once: MLIR keeps equal attributes as one."""

    def __init__(self) -> None:
        self._known: dict[Any, str] = {}

    def of(self, op: Any) -> dict[str, str]:
        """Every attribute of an operation by name, in MLIR's order."""
        if not len(op.attributes):
            return {}
        if op.name == "stablehlo.constant" and "complex" in str(kind := op.results[0].type):
            return {"value": _complex_constant(op, kind)}  # JAX's bindings have no class for these, and refuse by printing all of them
        try:
            return {name: self._text(attribute) for name, attribute in attributes_of(op)}
        except TypeError:
            return dict.fromkeys(op.attributes, "…")

    def _text(self, attribute: Any) -> str:
        text = self._known.get(attribute)
        if text is None:
            text = self._known[attribute] = attribute_text(attribute)
        return text


def _complex_constant(op: Any, kind: Any) -> str:
    text = str(op.get_asm(large_elements_limit=MAX_ELEMENTS))
    if "__elided__" in text:
        count = 1
        for size in kind.shape:
            count *= size
        return f"dense<… {count:,} x {kind.element_type}> : {kind}"
    return text.partition("stablehlo.constant ")[2].strip()
