"""Lowering without a device, and the names in MLIR's locations: part of `compat`, which gives out its names. Written for JAX 0.10.2.

Promises: where no backend has been started, none is started to lower what asks a device for its platform alone.
Must never: leave a stand-in in JAX's modules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import jax
from jax._src import xla_bridge as _xla_bridge
from jax._src.interpreters import pxla as _pxla
from jax._src.lib.mlir import ir as _ir

from ._compat_stages import lower_to_module


class _StubClient:
    platform = "cpu"
    platform_version = ""
    runtime_type = "stub"

    def process_index(self) -> int:
        return 0

    def device_count(self) -> int:
        return 1

    def local_device_count(self) -> int:
        return 1


class _StubDevice:
    platform = "cpu"
    device_kind = "cpu"
    id = 0
    process_index = 0
    client = _StubClient()


real_default_device = _pxla.get_default_device
# What a lowering asks of devices: (object, attribute) and what answers. Up to 0.9 it counts the processes, too.
_ASKED: dict[tuple[Any, str], Any] = {(_pxla, "get_default_device"): _StubDevice, (_xla_bridge, "process_count"): lambda *_: 1}


def backend_started() -> bool:
    """Whether this process has started an XLA backend."""
    return bool(_xla_bridge._backends)


@contextmanager
def real_device() -> Iterator[None]:
    """The real default device, for a value that is computed while one that knows its platform alone stands in for it."""
    now = _pxla.get_default_device
    _pxla.get_default_device = real_default_device
    try:
        yield
    finally:
        _pxla.get_default_device = now


def platform_is_enough() -> bool:
    """Whether no backend has started, and the one that would is the CPU's."""
    config = jax.config.values
    return not backend_started() and config.get("jax_platforms") == "cpu" and config.get("jax_default_device") is None


@contextmanager
def device_of_platform_alone() -> Iterator[bool]:
    """A default device that knows only its platform, so that lowering starts no backend. False where it would not do."""
    if not platform_is_enough():
        yield False
        return
    with _stand_ins():
        yield True


@contextmanager
def _stand_ins() -> Iterator[None]:
    originals = {place: getattr(*place) for place in _ASKED}
    for place, answer in _ASKED.items():
        setattr(*place, answer)
    try:
        yield
    finally:
        for place, original in originals.items():
            setattr(*place, original)


def warm_lowering() -> None:
    """Load MLIR's dialects and lowering rules without a backend. Raises what a JAX that it does not fit raises."""
    spec = jax.ShapeDtypeStruct

    def step(c: Any, y: Any) -> Any:
        return jax.numpy.tanh(c + y), c.sum()

    with _stand_ins():
        traced = jax.jit(lambda x: jax.lax.scan(step, x[0], x)).trace(spec((4, 2, 2), "float32"))
        traced.lower(lowering_platforms=("cpu",)).as_text()


def lower_traced(traced: Any, *, symbolic: bool) -> Any:
    """Lower a `Traced` to JAX's own StableHLO module. `symbolic` shapes lower only as they do for an export.

    Where no backend has been started, none is started for it (14 ms, a dozen threads): a lowering asks a device for no more than its
    platform. One that asks for more is done again with a device.
    """
    with device_of_platform_alone() as alone:
        try:
            return lower_to_module(traced, symbolic)
        except Exception:
            if not alone:
                raise
    return lower_to_module(traced, symbolic)


def attributes_of(operation: Any) -> list[tuple[str, Any]]:
    """The attributes of an operation by name; up to 0.7 the bindings gave them in pairs only."""
    found = operation.attributes
    return list(found.items()) if hasattr(found, "items") else [(each.name, each.attr) for each in found]


# ---- locations: each kind has a class (0.10), or says itself what it is (0.6 to 0.9), or is known by its text alone (0.4).

_TYPED = hasattr(_ir, "NameLoc")
_ASKABLE = hasattr(_ir.Location, "is_a_name")
_NAME = re.compile(r'"((?:[^"\\]|\\.)*)"(\(?)(?!:\d)')
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_ESCAPE = re.compile(rb'\\(?:([0-9A-Fa-f]{2})|(["\\]))')


def own_name(location: Any) -> str:
    """The name that a location itself is; "" where it is none."""
    if _TYPED:
        return str(location.name_str) if isinstance(location, _ir.NameLoc) else ""
    if _ASKABLE:
        return str(location.name_str) if isinstance(location, _ir.Location) and location.is_a_name() else ""
    found = _NAME.match(str(location).removeprefix("loc(")) if isinstance(location, _ir.Location) else None
    return _unescaped(found[1]) if found else ""


def location_names(location: Any) -> list[str]:
    """The names of an MLIR location, outermost first; of fused locations, those of each part. Names of Python frames are not among them."""
    if not _TYPED and not _ASKABLE:
        return _names_in(str(location).removeprefix("loc("))
    names: list[str] = []
    queue = [location]
    while queue:
        here = queue.pop()
        while name := own_name(here):
            names.append(name)
            here = here.child_loc
        if isinstance(here, _ir.FusedLoc) if _TYPED else here.is_a_fused():
            queue += list(here.locations)[::-1]
    return names


def _names_in(text: str) -> list[str]:
    """The same of a location's text: `"name"(child)`, `fused["a", "b"("file":1:2)]`, `callsite(... at ...)`; frames are within the last."""
    names: list[str] = []
    at = 0
    while at < len(text):
        if text.startswith("callsite(", at):
            at = _past(text, at + len("callsite("))
            continue
        found = _NAME.match(text, at)
        if found is None:
            quoted = _QUOTED.match(text, at)
            at = quoted.end() if quoted else at + 1
            continue
        names.append(_unescaped(found[1]))
        at = found.end()
    return names


def _past(text: str, at: int) -> int:
    """Where the parenthesis that was opened before `at` has been closed."""
    depth = 1
    while at < len(text) and depth:
        quoted = _QUOTED.match(text, at)
        if quoted:
            at = quoted.end()
            continue
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return at


def _unescaped(text: str) -> str:
    """MLIR writes what is not printable as `\\0A`, byte by byte."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda found: bytes.fromhex(found[1].decode()) if found[1] else found[2], text.encode()).decode("utf-8", "replace")
