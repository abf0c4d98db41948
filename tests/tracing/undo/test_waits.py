"""Our second run of a function does not wait for what the first has waited for."""

from __future__ import annotations

import asyncio
import time

import pytest

from visualizer.tracing.undo._waits import not_waiting

LONG = 1000.0


def test_sleeps_end_at_once_by_whatever_name():
    namespace = {"sleep": time.sleep, "later": asyncio.sleep, "other": 1}
    before = {**namespace}
    with not_waiting(namespace):
        time.sleep(LONG)
        namespace["sleep"](LONG)
        assert asyncio.run(namespace["later"](LONG, "result")) == "result"
        assert asyncio.run(asyncio.sleep(LONG)) is None
        with pytest.raises(ValueError, match="negative"):
            time.sleep(-1)
        namespace["other"] = 2
    assert namespace == before | {"other": 2}
    assert time.sleep is before["sleep"]
    assert asyncio.sleep is before["later"]


def test_what_the_function_puts_in_their_place_stays():
    namespace = {"sleep": time.sleep}
    with not_waiting(namespace):
        namespace["sleep"] = len
    assert namespace == {"sleep": len}


def test_a_function_that_waits_is_traced_without_waiting(jobs):
    source = "import time, jax\nslept = []\nreal = time.sleep\ndef f(x):\n    time.sleep(5)\n    return x * 2\n"
    source += "class Clock:\n    def __call__(self, seconds): slept.append(seconds)\ntime.sleep = Clock()\njax.grad(f)(1.0)\nprint(slept)\n"
    trace = jobs.trace(source)
    assert trace["output"]["text"] == "[5]\n"
    assert [program["name"] for program in trace["programs"]] == ["jax.grad(f)"]
