from __future__ import annotations

import contextvars
import logging
import os
import random
import sys
import threading
import types

import jax
import pytest

from visualizer.tracing.undo._once import Once
from visualizer.tracing.undo._undo import Memory
from visualizer.tracing.undo._world import begin


@pytest.fixture(autouse=True)
def _as_it_was(monkeypatch):
    monkeypatch.chdir("/")
    begin()


CHANGES = {
    "environment": ("os.environ['A'] = str(int(os.environ.get('A', 0)) + 1)", lambda: os.environ.get("A")),
    "folder": ("os.chdir('usr' if os.getcwd() == '/' else '/')", os.getcwd),
    "path": ("sys.path.append('somewhere')", lambda: list(sys.path)),
    "depth": ("sys.setrecursionlimit(sys.getrecursionlimit() + 10)", sys.getrecursionlimit),
    "setting": ("jax.config.update('jax_default_matmul_precision', 'highest')", lambda: jax.config.jax_default_matmul_precision),
    "module": ("sys.modules['made_here'] = types.ModuleType('made_here')", lambda: "made_here" in sys.modules),
    "attribute": ("random.mine = 1", lambda: hasattr(random, "mine")),
    "random": ("random.random()", random.getstate),
    "level": ("logging.getLogger('a.b').setLevel(logging.getLogger('a.b').level + 10)", lambda: logging.getLogger("a.b").level),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_a_function_changes_of_the_process_is_put_back(name):
    change, seen = CHANGES[name]
    namespace = {"__name__": "__main__", "os": os, "sys": sys, "jax": jax, "types": types, "random": random, "logging": logging}
    before = seen()
    memory = Memory(namespace)
    exec(change, namespace)
    changed = seen()
    assert changed != before
    memory.restore()
    assert seen() == before
    exec(change, namespace)  # and it does the same again
    assert seen() == changed
    memory.restore()


def test_what_was_imported_stays():
    sys.modules.pop("colorsys", None)
    memory = Memory({"__name__": "__main__"})
    import colorsys

    memory.restore()
    assert sys.modules["colorsys"] is colorsys


def test_context_variables_are_those_of_then():
    depth = contextvars.ContextVar("depth", default=0)
    once = Once()
    depth.set(5)

    def deeper() -> int:
        depth.set(depth.get() + 1)
        return depth.get()

    assert [once.run(deeper), once.run(deeper), depth.get()] == [1, 1, 5]
    depth.set(0)


def test_what_threads_talk_through_stays_while_there_are_several(monkeypatch):
    # Of the paste, which is alone in its process: tests before this one may have left some.
    others = set(threading.enumerate()) - {threading.current_thread()}
    monkeypatch.setattr("visualizer.tracing.undo._undo._threads", lambda: set(threading.enumerate()) - others)
    lock, go = threading.Lock(), threading.Event()
    thread = threading.Thread(target=go.wait)
    thread.start()
    memory = Memory({"__name__": "__main__", "lock": lock, "go": go})
    lock.acquire()
    go.set()
    memory.restore()
    assert lock.locked()
    assert go.is_set()
    thread.join()
    memory = Memory({"__name__": "__main__", "lock": lock})
    lock.release()
    memory.restore()
    assert lock.locked()
