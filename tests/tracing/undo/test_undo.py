from __future__ import annotations

import threading
from collections import OrderedDict, deque

import pytest

from visualizer.tracing.undo._once import Once, OnceError
from visualizer.tracing.undo._undo import Memory, remember

SOURCE = """
from collections import OrderedDict, deque
n, log, table, seen, queue = 0, [1], {"a": [2]}, {3}, deque([4])
class Counter:
    total = 0
    def __init__(self): self.calls = 0
    def __call__(self): self.calls += 1; Counter.total += 1; Counter.last = self
count = Counter()
def closure():
    k = 0
    def step():
        nonlocal k
        k += 1
        return k
    return step
step = closure()
def f():
    global n, fresh
    n += 1; fresh = 1
    log.append(n); table["a"].append(n); table["b"] = n; seen.add(n); queue.append(n)
    count(); step()
    f.calls = getattr(f, "calls", 0) + 1
"""


def test_a_second_run_leaves_nothing():
    namespace: dict = {"__name__": "__main__"}
    exec(SOURCE, namespace)
    namespace["f"]()
    inner = namespace["table"]["a"]
    restore = remember(namespace)
    namespace["f"]()
    namespace["f"]()
    assert namespace["n"] == 3
    restore()
    assert (namespace["n"], namespace["log"], namespace["table"]) == (1, [1, 1], {"a": [2, 1], "b": 1})
    assert namespace["table"]["a"] is inner
    assert (namespace["seen"], namespace["queue"]) == ({1, 3}, deque([4, 1]))
    assert (namespace["count"].calls, namespace["Counter"].total, namespace["f"].calls) == (1, 1, 1)
    assert namespace["step"]() == 2


def test_names_that_appeared_go():
    namespace: dict = {"__name__": "__main__", "d": OrderedDict(a=1)}
    exec("def f():\n    global fresh\n    fresh = 1\n    d['b'] = 2\n    del d['a']", namespace)
    restore = remember(namespace)
    namespace["f"]()
    restore()
    assert "fresh" not in namespace
    assert namespace["d"] == OrderedDict(a=1)


def test_values_are_not_copied():
    class Opaque:
        def __copy__(self):
            raise AssertionError

    namespace = {"__name__": "__main__", "x": Opaque(), "xs": [Opaque()]}
    x, (y,) = namespace["x"], namespace["xs"]
    remember(namespace)()
    assert namespace["x"] is x
    assert namespace["xs"][0] is y


EVERY_KIND = """
import io, queue, random
from collections import Counter, OrderedDict, defaultdict
import numpy as np
class Slots:
    __slots__ = ("n", "m")
    def __init__(self): self.n = 0
class Table(dict): pass
def default(x, seen=[]): seen.append(x); return len(seen)
counts, groups, table, order = Counter(a=1), defaultdict(list), Table(a=1), OrderedDict(a=1, b=2)
slots, lines, jobs, buffer = Slots(), io.StringIO("1\\n2\\n3\\n"), queue.Queue(), np.zeros(3)
jobs.put(1); jobs.put(2)
rng, old, plain = np.random.default_rng(0), np.random.RandomState(0), random.Random(0)
def f():
    counts["a"] += 1; groups["k"].append(1); table["b"] = 2; order.move_to_end("a"); slots.n += 1; slots.m = 1
    buffer[1] += 1
    return (lines.readline(), jobs.get_nowait(), default(1), rng.normal(), old.rand(), plain.random(), np.random.rand(), random.random())
"""


def test_every_kind_of_state_is_rewound_and_put_back(monkeypatch):
    # Queues are left alone where threads may talk through them, and tests before this one may have left some.
    monkeypatch.setattr("visualizer.tracing.undo._undo._threads", lambda: [threading.current_thread()])
    namespace: dict = {"__name__": "__main__"}
    exec(EVERY_KIND, namespace)
    before = Memory(namespace)
    first = namespace["f"]()
    after = Memory(namespace)
    before.restore()
    assert namespace["f"]() == first  # the second run sees what the first one saw
    after.restore()
    assert (namespace["counts"], dict(namespace["groups"]), namespace["table"]) == ({"a": 2}, {"k": [1]}, {"a": 1, "b": 2})
    assert list(namespace["order"]) == ["b", "a"]
    assert (namespace["slots"].n, namespace["slots"].m, namespace["buffer"].tolist()) == (1, 1, [0, 1, 0])
    second = namespace["f"]()
    before.restore()
    namespace["f"]()
    assert namespace["f"]() == second


def test_what_gives_each_value_once_is_not_taken_from():
    namespace: dict = {"__name__": "__main__"}
    source = "def ten():\n    for n in range(10): yield n\nmade = ten(); next(made); walked = iter([1, 2, 3])\n"
    source += "class_ = type('C', (), {'it': made})\ndef f(): return next(walked)\n"
    exec(source + "def g(): return next(made)\nnext(walked)", namespace)
    made, walked = namespace["made"], namespace["walked"]
    once = Once()
    before, after = Memory(namespace, once=once), Memory(namespace)
    before.restore()
    assert namespace["f"]() == 2
    before.restore()
    assert namespace["f"]() == 2  # a second try is as the first
    assert not once.asked
    with pytest.raises(OnceError):
        namespace["g"]()
    assert once.asked
    after.restore()
    assert (namespace["made"], namespace["walked"], namespace["class_"].it) == (made, walked, made)
    assert (namespace["f"](), namespace["g"]()) == (2, 1)


SUBCLASSES = """
import abc
class Plain: pass
class Abstract(abc.ABC): pass
class Registered:
    made = []
    def __init_subclass__(cls): Registered.made.append(cls)
class Slotted:
    __slots__ = ("a",)
class Child(Slotted): pass
bases = (Plain, Abstract, Registered, Slotted, Child)
def f():
    return [type("Made", (base, int) if base is Plain else (base,), {"__slots__": ()}) for base in bases]
"""


def test_classes_made_of_the_pastes_go_and_come_back():
    namespace: dict = {"__name__": "__main__"}
    exec(SUBCLASSES, namespace)
    bases = namespace["bases"]

    def made():
        return [[one for one in base.__subclasses__() if one.__name__ == "Made"] for base in bases]

    before = Memory(namespace)
    first = namespace["f"]()
    after = Memory(namespace)
    before.restore()
    # Python takes no class from one with slots: there they stay until they are collected.
    assert made() == [[], [], [], [first[3]], [first[4]]]
    second = namespace["f"]()
    after.restore()
    assert made()[:3] == [[one] for one in first[:3]]
    assert [issubclass(one, base) for one, base in zip(first, bases, strict=True)] == [True] * len(bases)
    assert [one.__mro__[1] for one in first] == [*bases]
    assert namespace["Registered"].made == [first[2]]
    assert not issubclass(second[1], bases[1])
