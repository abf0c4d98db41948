"""The params of an equation as text.

Promises: what JAX's printer shows for a param, of any length up to a cap, with the ids of ours where a jaxpr stands; strict text (no lone
surrogates). Whatever a stranger's `__repr__` does, the answer is a text.
Must never: raise.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ._nested import PLAIN, children, jaxprs_in, may_hold
from .compat import ClosedJaxpr, Jaxpr

LIMIT = 10_000
_ADDRESS = re.compile(r" at 0x([0-9a-fA-F]+)")
_SURROGATE = re.compile("[\ud800-\udfff]")


def param_text(value: Any, name_of: Callable[[Any], str] | None = None) -> str:
    """The text of one param. `name_of` gives the id of a Jaxpr or ClosedJaxpr; without it `value` is known to hold none."""
    kind = type(value)
    if kind is bool or (kind is int and -(1 << 60) < value < (1 << 60)) or value is None:
        return str(value)
    if name_of is not None:
        try:
            if isinstance(value, (Jaxpr, ClosedJaxpr)):
                return name_of(value)
            if kind not in PLAIN and may_hold(value) and jaxprs_in({"": value}):
                return clamp(_container(value, name_of))
        except Exception:  # a class may refuse even to be hashed or compared
            return safe_text(value)
    return safe_text(value)


def safe_text(value: Any) -> str:
    """`str(value)` as JAX prints it, addresses masked, clamped, and never an exception."""
    try:
        text = _frozenset(value) if isinstance(value, frozenset) else str(value)
        text = "".join([text])  # an instance of a subclass of str becomes a plain one
    except BaseException as error:
        return f"<{_type_name(value)}: its text raised {_type_name(error)}>"
    if " at 0x" in text:
        text = _ADDRESS.sub(lambda found: " at 0x" + "X" * len(found.group(1)), text)
    return clamp(text)


def clamp(text: str) -> str:
    """`text` without lone surrogates, and no longer than `LIMIT` characters; what was cut is said."""
    if len(text) > LIMIT:
        text = f"{text[:LIMIT]}… ({len(text):,} characters in all)"
    return text if text.isascii() else _SURROGATE.sub("�", text)


def _frozenset(value: frozenset[Any]) -> str:
    return f"frozenset({{{', '.join(sorted(repr(item) for item in value))}}})"


def _type_name(value: Any) -> str:
    return clamp(type.__getattribute__(type(value), "__name__"))


def _container(value: Any, name_of: Callable[[Any], str]) -> str:
    parts = children(value)
    texts = [(step, param_text(child, name_of)) for step, child in parts]
    if isinstance(value, dict):
        return "{" + ", ".join(f"{step[1:-1]}: {text}" for step, text in texts) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(text for _, text in texts) + "]"
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return "(" + ", ".join(text for _, text in texts) + ("," if len(texts) == 1 else "") + ")"
    return f"{_type_name(value)}({', '.join(f'{step[1:]}={text}' for step, text in texts)})"
