"""Whether the client has left."""

from __future__ import annotations

import socket

import pytest

from visualizer.web._gone import Gone


@pytest.fixture
def pair():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def test_a_client_that_waits_has_not_left(pair):
    gone = Gone({"gunicorn.socket": pair[0]})
    assert not gone()
    assert not gone.seen


def test_a_client_that_sends_its_next_request_has_not_left_and_loses_nothing(pair):
    ours, theirs = pair
    theirs.sendall(b"GET")
    assert not Gone({"gunicorn.socket": ours})()
    assert ours.recv(10) == b"GET"


def test_a_client_that_closed_has_left_for_good(pair):
    ours, theirs = pair
    gone = Gone({"gunicorn.socket": ours})
    theirs.close()
    assert gone()
    ours.close()
    assert gone()
    assert gone.seen


def test_waitress_says_it_itself():
    assert Gone({"waitress.client_disconnected": lambda: True})()
    assert not Gone({"waitress.client_disconnected": lambda: False})()


def test_a_server_that_cannot_say():
    assert not Gone({})()
