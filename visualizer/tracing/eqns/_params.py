"""The params of an equation as text.

Promises: what JAX's printer shows for a param, with the ids of ours where a jaxpr stands; strict text (no lone surrogates). It is whole
while the program's budget for long texts lasts; a text that is cut says so. Whatever a stranger's `__repr__` does, the answer is a text.
Must never: raise.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from visualizer.tracing.compat import SORTS_SETS, ClosedJaxpr, FrozenDict, Jaxpr

from ._nested import PLAIN, children, jaxprs_in, may_hold

LIMIT = 10_000
BUDGET = 1_000_000  # characters of longer texts that one program may have all the same
_ADDRESS = re.compile(r" at 0x([0-9a-fA-F]+)")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Budget:
    """The long texts of one program: whole while all of them together keep to `left` characters; the rest are cut at `LIMIT`."""

    def __init__(self, left: int = BUDGET) -> None:
        self.left = left

    def cut(self, text: str) -> str:
        """`text`, or as much of it as any text may have. A text that was cut before stays as it is."""
        if not is_long(text):
            return text
        if len(text) > self.left:
            return clamp(text)
        self.left -= len(text)
        return text


def is_long(text: str) -> bool:
    """Whether a text counts against the budget: longer than one that was cut at `LIMIT` and says so."""
    return len(text) > LIMIT + 40


def param_text(value: Any, name_of: Callable[[Any], str] | None = None, most: int | None = LIMIT) -> str:
    """The text of one param, of `most` characters (None: all). `name_of` gives the id of a Jaxpr; without it `value` holds none."""
    kind = type(value)
    if kind is bool or (kind is int and -(1 << 60) < value < (1 << 60)) or value is None:
        return str(value)
    if name_of is not None:
        try:
            if isinstance(value, (Jaxpr, ClosedJaxpr)):
                return name_of(value)
            if kind not in PLAIN and may_hold(value) and jaxprs_in({"": value}):
                return clamp(_container(value, name_of, most), most)
        except Exception:  # a class may refuse even to be hashed or compared
            return safe_text(value, most)
    return safe_text(value, most)


def safe_text(value: Any, most: int | None = LIMIT) -> str:
    """`str(value)` as JAX prints it, addresses masked, clamped, and never an exception."""
    return _said(value, _str, most)


def safe_repr(value: Any, most: int | None = LIMIT) -> str:
    """`repr(value)` in the same way. A long text is cut before, as its repr may be more than there is memory for."""
    if type(value) in (str, bytes) and most is not None and len(value) > most:
        return clamp(repr(value[: most + 1]), most)
    return _said(value, repr, most)


def _str(value: Any) -> str:
    return _frozenset(value) if SORTS_SETS and isinstance(value, frozenset) else str(value)


def _said(value: Any, say: Callable[[Any], str], most: int | None) -> str:
    try:
        text = say(value)
        text = "".join([text])  # an instance of a subclass of str becomes a plain one
    except BaseException as error:
        return f"<{_type_name(value)}: its text raised {_type_name(error)}>"
    if " at 0x" in text:
        text = _ADDRESS.sub(lambda found: " at 0x" + "X" * len(found.group(1)), text)
    return clamp(text, most)


def clamp(text: str, most: int | None = LIMIT) -> str:
    """`text` without lone surrogates, and no longer than `most` characters (None: all of it); what was cut is said."""
    if most is not None and len(text) > most:
        text = f"{text[:most]}… ({len(text):,} characters in all)"
    return text if text.isascii() else _SURROGATE.sub("�", text)


def _frozenset(value: frozenset[Any]) -> str:
    try:
        items = [repr(item) for item in sorted(value)]
    except TypeError:  # things without an order, which JAX cannot print
        items = sorted(repr(item) for item in value)
    return f"frozenset({{{', '.join(items)}}})"


def _type_name(value: Any) -> str:
    return clamp(type.__getattribute__(type(value), "__name__"))


def _container(value: Any, name_of: Callable[[Any], str], most: int | None) -> str:
    parts = children(value)
    texts = [(step, param_text(child, name_of, most)) for step, child in parts]
    if isinstance(value, (dict, FrozenDict)):
        held = "{" + ", ".join(f"{step[1:-1]}: {text}" for step, text in texts) + "}"
        return held if isinstance(value, dict) else f"FrozenDict({held})"
    if isinstance(value, list):
        return "[" + ", ".join(text for _, text in texts) + "]"
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return "(" + ", ".join(text for _, text in texts) + ("," if len(texts) == 1 else "") + ")"
    return f"{_type_name(value)}({', '.join(f'{step[1:]}={text}' for step, text in texts)})"
