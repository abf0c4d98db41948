"""Event loops where sockets are refused."""

from __future__ import annotations

import asyncio
import socket
from asyncio.selector_events import BaseSelectorEventLoop
from concurrent.futures import ThreadPoolExecutor

import pytest

from visualizer.tracing.running._async import ready


@pytest.fixture
def no_sockets(monkeypatch):
    def refused(*_, **__):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(BaseSelectorEventLoop, "_make_self_pipe", BaseSelectorEventLoop._make_self_pipe)  # put back afterwards
    monkeypatch.setattr(socket, "socketpair", refused)


async def both():
    async def worker(number):
        await asyncio.sleep(0)
        return number + await asyncio.to_thread(lambda: number)

    return await asyncio.gather(worker(1), worker(2))


def test_a_loop_wakes_itself_through_a_pipe(no_sockets):
    ready()
    # In a thread of its own: the browser's tests leave a loop running in this one.
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(lambda: asyncio.run(both())).result() == [2, 4]


def test_making_ready_twice_is_once(no_sockets):
    ready()
    made = BaseSelectorEventLoop._make_self_pipe
    ready()
    assert BaseSelectorEventLoop._make_self_pipe is made
