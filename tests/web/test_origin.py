"""Host and Origin: who may talk to a server on this machine, and to a public one."""

from __future__ import annotations

import pytest

from visualizer.web import Settings
from visualizer.web._origin import host_is_allowed, origin_is_allowed
from visualizer.web._settings import host_name, is_loopback

HERE = Settings()
PUBLIC = Settings(host="0.0.0.0")
NAMED = Settings(host="0.0.0.0", allowed_hosts=("jaxprs.example",))


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("localhost:8000", "localhost"),
        ("[::1]:8000", "::1"),
        ("[::1]", "::1"),
        ("EXAMPLE.org.", "example.org"),
        ("a.b:1:2", "a.b"),
        ("", ""),
    ],
)
def test_host_name(header, name):
    assert host_name(header) == name


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]", "x.localhost", "LOCALHOST."])
def test_loopback(host):
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", "evil"])
def test_not_loopback(host):
    assert not is_loopback(host)


@pytest.mark.parametrize(
    ("settings", "host", "allowed"),
    [
        (HERE, "127.0.0.1:8000", True),
        (HERE, "localhost:8000", True),
        (HERE, "[::1]:8000", True),
        (HERE, "evil.example:8000", False),
        (HERE, "127.0.0.1.evil.example", False),
        (Settings(allowed_hosts=("my-machine",)), "my-machine:8000", True),
        (PUBLIC, "anything.example", True),
        (NAMED, "jaxprs.example", True),
        (NAMED, "JAXPRS.example:443", True),
        (NAMED, "evil.example", False),
    ],
)
def test_hosts(settings, host, allowed):
    assert host_is_allowed(host, settings) is allowed


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        ("http://localhost:8000", True),
        ("https://localhost:8000", True),
        ("http://LOCALHOST:8000", True),
        ("http://localhost:8001", False),
        ("http://evil.example", False),
        ("null", False),
        ("", False),
        ("file://", False),
        ("chrome-extension://localhost:8000", False),
        ("http://localhost:8000@evil.example", False),
        ("http://[::1", False),
    ],
)
def test_origins(origin, allowed):
    assert origin_is_allowed(origin, "localhost:8000", HERE) is allowed


def test_an_origin_that_the_settings_name():
    settings = Settings(allowed_origins=("https://docs.example",))
    assert origin_is_allowed("https://docs.example", "localhost", settings)
    assert not origin_is_allowed("https://docs.example.evil", "localhost", settings)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://localhost"}, 200),
        ({"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Host": "rebound.example", "Origin": "http://rebound.example"}, 403),
    ],
)
def test_who_may_post(client, headers, status):
    assert client.post("/api/v1/trace", json={"source": "x"}, headers=headers).status_code == status


def test_a_rebound_name_does_not_even_get_the_page(client):
    assert client.get("/", headers={"Host": "rebound.example"}).status_code == 403
