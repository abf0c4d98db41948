"""Answers that were given before."""

from __future__ import annotations

import json

import pytest

from visualizer.model import TraceRequest
from visualizer.web._cache import Kept, ResultCache, cache_key, is_lasting


def test_the_key_is_everything_the_answer_depends_on():
    request = {"source": "x", "levels": ["jaxpr"]}
    key = cache_key(request, "0.10.2", "1")
    assert len(key) == 64
    assert key == cache_key({"levels": ["jaxpr"], "source": "x"}, "0.10.2", "1")
    others = [cache_key({**request, "source": "y"}, "0.10.2", "1"), cache_key(request, "0.11.0", "1"), cache_key(request, "0.10.2", "2")]
    assert len({key, *others}) == 4


def test_a_signature_and_transforms_are_in_the_key():
    def key(**fields):
        return cache_key(TraceRequest.model_validate({"source": "x", **fields}).model_dump(mode="json"), "0.10.2", "1")

    grad, vmap = ({"program": "p0", "steps": [{"name": name}]} for name in ("grad", "vmap"))
    different = [
        key(),
        key(signature={}),
        key(signature={"a": "f32[]", "b": "i32[]"}),
        key(signature={"b": "i32[]", "a": "f32[]"}),
        key(transforms=[grad]),
        key(transforms=[vmap]),
        key(transforms=[grad, vmap]),
        key(transforms=[vmap, grad]),
        key(transforms=[{"program": "p0", "steps": [{"name": "vmap", "size": 3}]}]),
        key(transforms=[{"program": "p0", "steps": [{"name": "grad", "argnums": [1]}]}]),
    ]
    assert len(set(different)) == len(different)
    assert key(signature={"a": "f32[]"}) == key(signature={"a": "f32[]"}, transforms=[])


def test_the_least_recently_used_goes_first():
    cache = ResultCache(40)
    for name in "abcd":
        cache.put(name, Kept((b"x" * 10,)))
    assert cache.get("a") is not None
    cache.put("e", Kept((b"x" * 5, b"x" * 5)))
    assert [name for name in "abcde" if cache.get(name) is None] == ["b"]
    assert cache.size == 40


def test_the_same_key_again_takes_the_place_of_the_old():
    cache = ResultCache(40)
    cache.put("a", Kept((b"1234",)))
    cache.put("a", Kept((b"12",)))
    assert cache.get("a") == Kept((b"12",))
    assert cache.size == 2


def test_one_answer_may_not_push_out_everything():
    cache = ResultCache(40)
    cache.put("a", Kept((b"x" * 11,)))
    assert cache.get("a") is None
    assert cache.size == 0


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
def test_what_is_kept(separators):
    def line(value):
        return json.dumps(value, separators=separators).encode()

    assert is_lasting(line({"diagnostics": [{"code": "python-error"}]}))
    assert not is_lasting(line({"diagnostics": [{"code": "wall-limit"}]}))
    # A program that speaks of limits in its own text is not one that met them.
    assert is_lasting(line({"output": {"text": '{"code":"wall-limit"} {"code": "wall-limit"}'}}))
