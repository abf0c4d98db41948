"""Places: how many jobs run, wait, and belong to one client."""

from __future__ import annotations

import threading

import pytest

from visualizer.web import Settings
from visualizer.web._admission import Admission, client_key
from visualizer.web._errors import ApiError


def admission(**changes):
    return Admission(Settings(**{"host": "0.0.0.0", "capacity": 2, "queue": 1, "queue_seconds": 0.02, **changes}))


def refused(places, client):
    with pytest.raises(ApiError) as caught:
        places.enter(client)
    return caught.value


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        (None, ""),
        ("unix", "unix"),
    ],
)
def test_client_key(address, key):
    assert client_key(address) == key


def test_places_come_back_and_only_once():
    places = admission()
    first, second = places.enter("a"), places.enter("b")
    error = refused(places, "c")
    assert (error.status, error.code, error.headers) == (503, "busy", {"Retry-After": "2"})
    first.leave()
    first.leave()
    places.enter("c")
    assert refused(places, "d").code == "busy"
    second.leave()
    places.enter("d")


def test_one_client_does_not_take_everything():
    places = admission(capacity=8, jobs_per_client=2)
    held = [places.enter("a"), places.enter("a")]
    error = refused(places, "a")
    assert (error.status, error.code, error.headers) == (429, "too-many-jobs", {"Retry-After": "1"})
    places.enter("b")
    held[0].leave()
    places.enter("a")


def test_a_refused_wait_leaves_nothing_behind():
    places = admission(capacity=1, jobs_per_client=2)
    held = places.enter("a")
    assert refused(places, "a").code == "busy"
    assert refused(places, "a").code == "busy"
    held.leave()
    places.enter("a").leave()


def test_the_queue_is_short_and_served_in_order():
    places = admission(capacity=1, queue=1, queue_seconds=30)
    held = places.enter("a")
    got = []
    waiter = threading.Thread(target=lambda: got.append(places.enter("b")))
    waiter.start()
    with places._changed:
        assert places._changed.wait_for(lambda: len(places._waiting) == 1, 30)
    assert refused(places, "c").code == "busy"
    held.leave()
    waiter.join(30)
    assert len(got) == 1
    got[0].leave()
    places.enter("c").leave()


def test_how_many_a_client_may_have():
    assert Settings(capacity=4, queue=8).client_jobs == 12
    assert Settings(capacity=4, queue=8, allowed_hosts=("localhost:8000", "[::1]")).client_jobs == 12
    assert Settings(host="0.0.0.0").client_jobs == 4
    # A proxy, or a name that is not this machine's, lets others in.
    assert Settings(proxies=1).client_jobs == 4
    assert Settings(allowed_hosts=("viz.example.org",)).client_jobs == 4
    # With those who wait for pictures, and four for everybody else.
    assert Settings(capacity=4, queue=8).threads == 28
    assert Settings(capacity=64, queue=8).threads == 88
