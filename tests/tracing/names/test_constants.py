"""Constants are known by the globals that hold the very object, and nothing of the paste is run to look."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

from visualizer.tracing.names._constants import names_of


class Pair(NamedTuple):
    a: Any
    b: Any


@dataclasses.dataclass
class Record:
    w: Any


class Shy(dict):  # type: ignore[type-arg]
    def items(self) -> Any:
        raise AssertionError("code of the paste was run")

    def __iter__(self) -> Any:
        raise AssertionError("code of the paste was run")


@dataclasses.dataclass
class Hidden:
    w: Any

    @property
    def __dict__(self) -> Any:  # type: ignore[override]
        raise AssertionError("no fields to see")


A, B = jnp.arange(3.0), jnp.arange(3.0)


def test_the_very_object_wherever_it_is_held() -> None:
    for value, path in [
        (A, ""),
        ([0, A], "[1]"),
        ((A,), "[0]"),
        ({"k": {2: A}}, "['k'][2]"),
        (Pair(B, A), ".b"),
        (Record([A]), ".w[0]"),
    ]:
        assert names_of([A], {"here": value, "other": B}.items()) == [("here", path)]


def test_a_name_of_its_own_comes_before_a_place_in_a_container() -> None:
    assert names_of([A], {"all": [A, B], "w": A}.items()) == [("w", "")]
    assert names_of([A], {"all": [A], "more": [A]}.items()) == [None]
    assert names_of([A], {"v": A, "w": A}.items()) == [None]


def test_nothing_of_a_class_is_called() -> None:
    assert names_of([A], {"shy": Shy(a=A), "hidden": Hidden(A), "__name__": A, 3: A}.items()) == [None]  # type: ignore[dict-item]


class Model:
    kept: Any = None
    __slots__ = ("__dict__", "slot")

    def __init__(self, **held: Any) -> None:
        vars(self).update(held)

    @property
    def computed(self) -> Any:
        raise AssertionError("code of the paste was run")


def test_attributes_where_they_are_wished(monkeypatch: Any) -> None:
    monkeypatch.setattr(Model, "__module__", "__main__")
    layer = Model(w=A, computed=B)
    layer.slot = B
    names = {"model": Model(layers=[layer])}
    assert names_of([A, B], names.items()) == [None, None]
    assert names_of([A, B], names.items(), objects=True) == [("model", ".layers[0].w"), ("model", ".layers[0].slot")]
    monkeypatch.setattr(Model, "kept", A)
    assert names_of([A], {"Model": Model}.items(), objects=True) == [("Model", ".kept")]
    assert names_of([A], names.items(), objects=True) == [None]  # by three ways now
    layer.again = layer
    assert names_of([B], names.items(), objects=True) == [("model", ".layers[0].slot")]


def test_nothing_of_an_objects_class_is_called(monkeypatch: Any) -> None:
    for kind in (Shy, Hidden):
        monkeypatch.setattr(kind, "__module__", "__main__")
    assert names_of([A], {"shy": Shy(a=A), "hidden": Hidden(A)}.items(), objects=True) == [None]


def test_what_holds_itself_comes_to_an_end() -> None:
    loop: list[Any] = [A]
    loop.append(loop)
    assert names_of([A], {"loop": loop}.items()) == [("loop", "[0]")]


def test_more_parts_than_anyone_writes_are_not_searched() -> None:
    assert names_of([A], {"many": [*range(30_000), A]}.items()) == [None]


def test_numpy_arrays_by_view_or_by_values_that_jax_converts() -> None:
    exact, wide = np.arange(3, dtype=np.float32), np.linspace(0.0, 1.0, 3)
    assert names_of([exact.view()], {"exact": exact}.items()) == [("exact", "")]
    assert names_of([wide.astype(np.float32)], {"wide": wide}.items()) == [("wide", "")]
    assert names_of([wide.astype(np.float32)], {"wide": wide, "same": wide.copy()}.items()) == [None]
    assert names_of([np.zeros(3, np.float32)], {"zeros": np.zeros(3)}.items()) == [None]
    assert names_of([np.arange(3, dtype=np.float32)], {"equal": exact.copy()}.items()) == [None]  # no conversion: another array
