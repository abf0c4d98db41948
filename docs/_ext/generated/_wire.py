"""The wire models, field by field, from pydantic: types as links, defaults, and what the docstrings say."""

from __future__ import annotations

import inspect
import re
from typing import Any

from pydantic_core import PydanticUndefined

import visualizer.model._base as base
from visualizer import model

from ._table import code, flowing, table

_NAME = re.compile(r"[A-Za-z_][\w.]*")


def classes() -> dict[str, Any]:
    """Every model, those that an answer begins with first."""
    found: dict[str, Any] = {}

    def walk(one: Any) -> None:
        if one.__name__ in found:
            return
        found[one.__name__] = one
        for field in one.model_fields.values():
            for name in _NAME.findall(_plain(field.annotation)):
                if name in known:
                    walk(known[name])

    known = {one.__name__: one for one in _all(base.Wire)}
    for first in (model.Trace, model.TraceRequest, model.LevelMessage, model.OpenRequest):
        walk(first)
    for rest in known.values():
        walk(rest)
    return found


def _all(parent: Any) -> list[Any]:
    below = [one for one in parent.__subclasses__() if one.__module__.startswith("visualizer.model")]
    return [each for one in below for each in (one, *_all(one))]


def _plain(annotation: Any) -> str:
    text = annotation.__name__ if inspect.isclass(annotation) and not hasattr(annotation, "__args__") else str(annotation)
    text = re.sub(r"\bvisualizer\.model\.\w+\.", "", text.replace("typing.", ""))
    return text.replace("NoneType", "null").replace("None", "null").replace(", ...]", "]")


def _type(annotation: Any) -> str:
    """The type with links to the models in it."""
    words = _plain(annotation)
    links = [(name, f"[{name}](#wire-{name.lower()})") for name in sorted(set(_NAME.findall(words)) & set(_known()))]
    if not links:
        return code(words)
    parts = re.split(rf"\b({'|'.join(name for name, _ in links)})\b", words)
    linked = dict(links)
    return "".join(linked.get(part) or code(part) for part in parts if part)


def _known() -> dict[str, Any]:
    return {one.__name__: one for one in _all(base.Wire)}


def _default(field: Any) -> str:
    if field.is_required():
        return ""
    value = field.get_default(call_default_factory=True)
    if value is PydanticUndefined:
        return ""
    return code({None: "null", True: "true", False: "false", (): "[]"}.get(value, value) if not isinstance(value, (dict, list)) else value)


def _fields(name: str, one: Any) -> str:
    rows = []
    for python_name, field in one.model_fields.items():
        wire = field.alias or python_name
        rows.append([f"[{code(wire)}]{{#wire-{name.lower()}-{wire}}}", _type(field.annotation), _default(field)])
    return table(["Field", "Type", "When left out"], rows)


def models() -> str:
    """A section for each model."""
    return "".join(
        f"(wire-{name.lower()})=\n## {name}\n\n{flowing(one.__doc__)}\n\n{_fields(name, one)}" for name, one in classes().items()
    )


def request() -> str:
    """The fields of what is posted to trace something."""
    rows = [
        [f"[{code(name)}](#wire-tracerequest-{name})", _type(field.annotation), _default(field) or "(needed)"]
        for name, field in model.TraceRequest.model_fields.items()
    ]
    return table(["Field", "Type", "When left out"], rows)
