"""Reads one message from JSON, at a cost that a hostile line cannot raise.

Promises: the first thing that is wrong ends it (pydantic by itself collects every error, 240 bytes each); what the model does not name is
left out; at most one large line is read at a time, without Python's cycle collector, which would walk the growing result again and again
(4.5 s against 0.6 s for 11 MB). Raises BadResult only.
"""

import contextlib
import gc
import re
import threading
from collections.abc import Iterator
from functools import partial
from typing import Any, cast

from pydantic import ValidationError
from pydantic_core import SchemaError, SchemaValidator

from visualizer.model import LevelMessage

from ._errors import BadResult

_LARGE = 1 << 18
# Real traces have a comma for every 16 bytes; a line that is nothing but numbers would blow up to 12 times its size.
_BYTES_PER_COMMA = 6
_FREE_COMMAS = 1000
# It cannot fail once it has begun, so that it never goes back.
_STRING = re.compile(rb'"[^"\\]*(?:\\.?[^"\\]*)*(?:"|\Z)', re.DOTALL)
_CONTAINERS = frozenset({"list", "tuple", "dict"})

_one_large_line = threading.Lock()


def read(line: bytes) -> LevelMessage:
    """A LevelMessage from one line of JSON. BadResult for anything else; its text is ours."""
    most = _FREE_COMMAS + len(line) // _BYTES_PER_COMMA
    # Those of a text (a large constant in HLO) are no values; it is read a second time only where there are many.
    if line.count(b",") > most and _STRING.sub(b"", line).count(b",") > most:
        raise BadResult("far too many values")
    try:
        if len(line) < _LARGE:
            return cast(LevelMessage, _validator.validate_json(line))
        with _one_large_line, _collector_paused():
            return cast(LevelMessage, _validator.validate_json(line))
    except ValidationError as problem:
        raise BadResult(_reason(problem)) from None
    except (ValueError, RecursionError, MemoryError) as problem:
        raise BadResult(f"not readable: {type(problem).__name__}") from None


def _reason(problem: ValidationError) -> str:
    first = problem.errors(include_url=False, include_context=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        return "not JSON"
    # Names in the path may be the job's own words (keys of a dictionary): only those that the model has are told.
    where = ".".join(part for part in first["loc"] if isinstance(part, str) and part in _FIELDS)
    return f"{first['type']} at {where}" if where else first["type"]


def _build() -> SchemaValidator:
    """The model's own validator, failing fast, as far as the installed pydantic can: older ones cannot do it for dictionaries."""
    schema = LevelMessage.__pydantic_core_schema__
    # Without this, each nested model is validated by the validator that its class already has, which does not fail fast.
    build = partial(SchemaValidator, _use_prebuilt=False)
    for containers in (_CONTAINERS, _CONTAINERS - {"dict"}):
        with contextlib.suppress(SchemaError, TypeError):
            return build(_fail_fast(schema, containers))
    return SchemaValidator(schema)


def _fail_fast(part: Any, containers: frozenset[str]) -> Any:
    if isinstance(part, list):
        return [_fail_fast(item, containers) for item in part]
    if isinstance(part, tuple):
        return tuple(_fail_fast(item, containers) for item in part)
    if not isinstance(part, dict):
        return part
    copy = {key: _fail_fast(value, containers) for key, value in part.items()}
    kind = copy.get("type")
    if isinstance(kind, str):
        if kind in containers:
            copy["fail_fast"] = True
        elif kind == "model-fields":
            copy["extra_behavior"] = "ignore"
            _FIELDS.update(copy["fields"])
    if isinstance(copy.get("config"), dict) and "extra_fields_behavior" in copy["config"]:
        copy["config"] = {**copy["config"], "extra_fields_behavior": "ignore"}
    return copy


@contextlib.contextmanager
def _collector_paused() -> Iterator[None]:
    """Only one caller at a time is here (the lock), so that what it restores is the server's own setting."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


_FIELDS: set[str] = set()
_validator = _build()
