from __future__ import annotations

from collections import OrderedDict, deque

from visualizer.tracing._undo import remember

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
