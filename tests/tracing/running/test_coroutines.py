"""Coroutine functions of a paste: what an event loop ran is traced, and nothing of it is heard twice."""

from __future__ import annotations

import pytest

from visualizer.model import Trace
from visualizer.tracing import trace_source

HEAD = """import asyncio, jax, jax.numpy as jnp
w, xs = jnp.ones(3), [jnp.ones((2, 3))] * 2
calls = []
"""


def traced(source, **request):
    trace = trace_source(HEAD + source, levels=["jaxpr"], **request)
    Trace.model_validate(trace)
    return trace


def programs(trace):
    return [(program["name"], program["count"]) for program in trace["programs"]]


STEP = """async def step(w, x):
    calls.append(1)
    await asyncio.sleep(0)
    return w - 0.1 * jax.grad(lambda w: jnp.sum((x @ w) ** 2))(w)
"""


@pytest.mark.parametrize("engine", ["held", "real"])
def test_a_coroutine_is_traced_as_a_whole(engine):
    source = "async def main():\n    global w\n    for x in xs: w = await step(w, x)\n    print(len(calls), w.shape)\nasyncio.run(main())\n"
    trace = traced(STEP + source + "print(len(calls))\n", engine=engine)
    assert programs(trace) == [("step", 2)]
    assert trace["output"]["text"] == "2 (3,)\n2\n"
    assert trace["diagnostics"] == []
    assert [operand["name"] for operand in trace["programs"][0]["parameters"]] == ["w", "x"]


def test_one_inside_another_is_a_part_of_it():
    source = """class Trainer:
    def __init__(self): self.lock = asyncio.Lock()
    async def train(self, w):
        async with self.lock:
            for x in xs: w = await step(w, x)
        return w
async def main():
    trainer = Trainer()
    return await asyncio.gather(trainer.train(w), step(w * 2, xs[0]))
asyncio.run(main())
"""
    assert programs(traced(STEP + source)) == [("trainer.train", 1), ("step", 1)]


def test_where_a_coroutine_cannot_be_traced_what_it_called_is_there():
    source = """@jax.jit
def f(w): return w * 2
async def serve(w):
    return str(f(w)) if float(w[0]) > 0 else ''
asyncio.run(serve(w))
"""
    trace = traced(source)
    assert programs(trace) == [("f", 1)]
    assert trace["diagnostics"] == []


def test_one_in_a_function_that_is_called_is_part_of_its_program():
    trace = traced(STEP + "def run(w): return asyncio.run(step(w, xs[0]))\nrun(w)\n")
    assert programs(trace) == [("run", 1)]


def test_one_that_takes_no_arrays_is_gone_through():
    source = "async def main(steps):\n    v = w\n    for _ in range(steps): v = await step(v, xs[0])\nasyncio.run(main(3))\n"
    assert programs(traced(STEP + source)) == [("step", 3)]


def test_waiting_for_what_is_outside_is_told():
    source = """async def main():
    future = asyncio.get_running_loop().create_future()
    async def waits(w):
        return w * await future
    task = asyncio.create_task(waits(w))
    future.set_result(2.0)
    print((await task).shape)
asyncio.run(main())
"""
    trace = traced(source)
    assert trace["output"]["text"] == "(3,)\n"
    assert programs(trace) in ([], [("waits", 1)])
    assert {found["severity"] for found in trace["diagnostics"]} <= {"warning"}
