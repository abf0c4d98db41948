"""Pictures in processes of their own: bounded, kept, made once, and given up without a loop."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import islice

import pytest

from visualizer.web.shared import _painter
from visualizer.web.shared._painter import NotPainted, Painter, in_a_process


def paint(painter, kept=b"kept", make="svg", wait=30.0, **about):
    return painter.paint(make, kept, about, wait)


def test_the_same_is_made_once():
    made = []
    painter = Painter(lambda request, _seconds: made.append(request) or b"one")
    assert [paint(painter) for _ in range(3)] == [b"one"] * 3
    assert len(made) == 1
    assert made[0].endswith(b"\nkept")


def test_what_differs_is_made_anew():
    painter = Painter(lambda request, _seconds: request)
    assert len({paint(painter), paint(painter, b"other"), paint(painter, make="png"), paint(painter, options={"theme": "dark"})}) == 4


def test_no_more_than_two_at_a_time_and_one_for_all_who_wait():
    go, most, now, lock = threading.Event(), [], [0], threading.Lock()

    def run(request, _seconds):
        with lock:
            now[0] += 1
            most.append(now[0])
        assert go.wait(30)
        with lock:
            now[0] -= 1
        return request

    painter = Painter(run)
    with ThreadPoolExecutor(8) as pool:
        waiting = [pool.submit(paint, painter, bytes([at % 4])) for at in range(8)]
        go.set()
        assert len({each.result() for each in waiting}) == 4
    assert len(most) == 4
    assert max(most) <= 2


def test_whoever_will_not_wait_is_told_and_it_is_made_all_the_same():
    go = threading.Event()
    painter = Painter(lambda _request, _seconds: b"one" if go.wait(30) else b"")
    with pytest.raises(NotPainted) as told:
        paint(painter, wait=0.01)
    assert told.value.later
    go.set()
    assert paint(painter) == b"one"


def test_a_crowd_is_turned_away(monkeypatch):
    monkeypatch.setattr(_painter, "WAITING", 2)
    go = threading.Event()
    painter = Painter(lambda _request, _seconds: b"one" if go.wait(30) else b"")
    for kept in (b"a", b"b"):
        with pytest.raises(NotPainted):
            paint(painter, kept, wait=0.01)
    with pytest.raises(NotPainted, match="as many") as told:
        paint(painter, b"c", wait=0.01)
    assert told.value.later
    go.set()
    assert paint(painter, b"a") == b"one"


@pytest.mark.parametrize("error", [NotPainted("no"), RuntimeError("secret")])
def test_what_failed_is_not_tried_again_at_once(error, monkeypatch):
    tried = []

    def run(request, _seconds):
        tried.append(request)
        raise error

    painter = Painter(run)
    for _ in range(3):
        with pytest.raises(NotPainted):
            paint(painter)
    assert len(tried) == 1
    monkeypatch.setattr(_painter.time, "monotonic", lambda: 1e12)
    with pytest.raises(NotPainted):
        paint(painter)
    assert len(tried) == 2


def test_what_is_kept_is_bounded():
    made = []
    painter = Painter(lambda request, _seconds: made.append(request) or b"x" * 100, cache_bytes=400)
    for kept in (b"a", b"b", b"c", b"d", b"e", b"a", b"e"):
        paint(painter, kept)
    assert [request[-1:] for request in made] == [b"a", b"b", b"c", b"d", b"e", b"a"]
    large = Painter(lambda request, _seconds: made.append(request) or b"x" * 101, cache_bytes=400)
    paint(large)
    paint(large)
    assert len(made) == 8


def test_a_process_that_takes_too_long_or_refuses_is_no_more_than_that(monkeypatch):
    with pytest.raises(NotPainted, match="too long"):
        in_a_process(b"{}\n", 0.01)
    with pytest.raises(NotPainted, match="could not be drawn"):
        in_a_process(b"no json\n", 60)
    monkeypatch.setenv("DATABASE_PASSWORD", "secret")
    assert "DATABASE_PASSWORD" not in _painter._environment()


def test_the_end_of_the_server_waits_for_no_picture(monkeypatch):
    started, kept = threading.Event(), _painter.subprocess.Popen

    class Slow(kept):
        def __init__(self, command, **options):
            super().__init__([command[0], "-c", "import time; time.sleep(600)"], **options)
            started.set()

    monkeypatch.setattr(_painter.subprocess, "Popen", Slow)
    painter = Painter(places=1)
    with ThreadPoolExecutor(2) as pool:
        drawn, waiting = pool.submit(paint, painter, b"a", wait=60), pool.submit(paint, painter, b"b", wait=60)
        assert started.wait(60)
        painter.close()
        for each in (drawn, waiting):
            with pytest.raises(NotPainted):
                each.result(60)
    assert not _painter._children
    with pytest.raises(NotPainted):
        paint(painter, b"c")


def test_few_wait_for_one_picture_and_the_others_are_told(monkeypatch):
    monkeypatch.setattr(_painter, "WAITERS", 2)
    go = threading.Event()
    painter = Painter(lambda _request, _seconds: b"one" if go.wait(30) else b"")
    with ThreadPoolExecutor(6) as pool:
        asked = [pool.submit(paint, painter) for _ in range(6)]
        turned_away = list(islice(as_completed(asked, 30), 4))
        assert all(isinstance(each.exception(), NotPainted) and each.exception().later for each in turned_away)
        go.set()
        assert [each.result(30) for each in asked if each not in turned_away] == [b"one"] * 2
    assert paint(painter, b"other") == b"one"


def test_one_client_leaves_room_for_others(monkeypatch):
    monkeypatch.setattr(_painter, "CLIENT_WAITING", 2)
    go = threading.Event()
    painter = Painter(lambda request, _seconds: request[-1:] if go.wait(30) else b"")
    for kept in (b"a", b"b", b"c"):
        with pytest.raises(NotPainted):
            painter.paint("svg", kept, {}, 0.01, "greedy")
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(painter.paint, "svg", b"d", {}, 30.0, "other")
        go.set()
        assert other.result(30) == b"d"
    assert [painter.paint("svg", kept, {}, 30.0, "greedy") for kept in (b"a", b"b", b"c")] == [b"a", b"b", b"c"]
