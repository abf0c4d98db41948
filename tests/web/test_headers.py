"""Every answer carries the same strict headers."""

from __future__ import annotations

import pytest

from visualizer.web._headers import content_security_policy


def directives(policy: str) -> dict[str, str]:
    return dict(part.strip().partition(" ")[::2] for part in policy.split(";"))


@pytest.mark.parametrize(
    "url",
    [
        "/",
        "/assets/page-1a2b.js",
        "/icon.svg",
        "/s/23456789bcdf",
        "/s/23456789bcdf.svg",
        "/oembed",
        "/healthz",
        "/api/v1/schema",
        "/nothing",
        "/api/nothing",
    ],
)
def test_on_every_answer(client, url):
    headers = client.get(url).headers
    policy = directives(headers["Content-Security-Policy"])
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert policy["require-trusted-types-for"] == "'script'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Permissions-Policy"] == "camera=(), microphone=(), geolocation=()"
    assert "Set-Cookie" not in headers
    assert "Access-Control-Allow-Origin" not in headers


def test_nothing_inline_and_nothing_from_elsewhere():
    policy = content_security_policy("abc")
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "*" not in policy
    assert directives(policy)["style-src"] == "'self' 'nonce-abc'"


def test_the_nonce_is_new_each_time(client):
    nonces = {directives(client.get("/").headers["Content-Security-Policy"])["style-src"] for _ in range(5)}
    assert len(nonces) == 5
