"""The wire models, field by field, from pydantic: types as links, defaults, and what the docstrings say."""

from __future__ import annotations

import inspect
import json
import re
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import visualizer.model._base as base
from visualizer import model

from ._table import code, flowing, table

_LINK = re.compile(r"\[(\w+)\]\(#wire-")


def classes() -> dict[str, Any]:
    """Every model, those that an answer begins with first."""
    found: dict[str, Any] = {}

    def walk(one: Any) -> None:
        if one.__name__ in found:
            return
        found[one.__name__] = one
        for field in one.model_fields.values():
            for name in _LINK.findall(_type(field.annotation)):
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


_WORDS = {str: "string", int: "integer", float: "number", bool: "true or false", type(None): "null"}


def _type(annotation: Any) -> str:
    """The type in the words of JSON, with links to the models in it."""
    if annotation in _WORDS:
        return _WORDS[annotation]
    if inspect.isclass(annotation) and issubclass(annotation, base.Wire):
        return f"[{annotation.__name__}](#wire-{annotation.__name__.lower()})"
    kind, inside = get_origin(annotation), get_args(annotation)
    if kind is Literal:
        words = [code(json.dumps(value)) for value in inside]
        return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
    if kind in {Union, UnionType}:
        return " or ".join(_type(one) for one in inside)
    if kind is tuple:
        several = inside if inside[-1] is not ... else inside[:-1]
        listed = ", ".join(_type(one) for one in several)
        return (
            f"[{listed}]"
            if inside[-1] is not ... and len(inside) > 1
            else f"list of ({listed})"
            if " or " in listed
            else f"list of {listed}"
        )
    if kind is dict:
        return f"map to {_type(inside[1])}"
    if kind is Annotated:
        return _type(inside[0])
    raise TypeError(f"no words for {annotation}")


def _default(field: Any) -> str:
    if field.is_required():
        return ""
    value = field.get_default(call_default_factory=True)
    return code(json.dumps(value))


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
