"""A tracer that starts in the background."""

from __future__ import annotations

import threading

import pytest

from visualizer.web._tracer import BackgroundTracer, NotReady

from .conftest import FakeTracer, first


class Slow(FakeTracer):
    def __init__(self, failure: Exception | None = None) -> None:
        super().__init__()
        self.go = threading.Event()
        self.failure = failure
        self.was_closed = False
        self.starter: threading.Thread | None = None

    def start(self) -> None:
        self.starter = threading.current_thread()
        assert self.go.wait(30)
        if self.failure is not None:
            raise self.failure

    def close(self) -> None:
        self.was_closed = True


def test_health_answers_at_once_and_jobs_wait():
    inner = Slow()
    inner.lines = [first()]
    tracer = BackgroundTracer(inner, wait_seconds=30)
    tracer.start()
    assert tracer.health() == {"ready": False, "tier": None, "jax": None}
    got: list[bytes] = []
    waiting = threading.Thread(target=lambda: got.extend(tracer.trace({})))
    waiting.start()
    assert got == []
    assert not tracer.allows_public()
    inner.go.set()
    waiting.join(30)
    assert got == [first()]
    assert tracer.health()["tier"] == "A"
    assert tracer.allows_public()
    tracer.close()
    assert inner.was_closed


def test_the_thread_that_started_it_lives_until_the_close():
    inner = Slow()
    inner.go.set()
    tracer = BackgroundTracer(inner, wait_seconds=30)
    tracer.start()
    list(tracer.trace({}))
    assert inner.starter is not None
    assert inner.starter.is_alive()
    tracer.close()
    inner.starter.join(30)
    assert not inner.starter.is_alive()


def test_a_start_that_takes_too_long():
    inner = Slow()
    tracer = BackgroundTracer(inner, wait_seconds=0.01)
    tracer.start()
    with pytest.raises(NotReady, match="still starting"):
        tracer.trace({})
    inner.go.set()
    tracer.close()


def test_a_start_that_fails_is_told_to_everybody(caplog):
    inner = Slow(RuntimeError("no jax here"))
    inner.go.set()
    tracer = BackgroundTracer(inner, wait_seconds=30)
    tracer.start()
    for _ in range(2):
        with pytest.raises(NotReady, match="could not start"):
            tracer.trace({})
    assert tracer.health() == {"ready": False, "tier": None, "jax": None, "error": "no jax here"}
    tracer.close()
    assert inner.was_closed
