"""/healthz and /api/v1/schema."""

from __future__ import annotations

import json
from pathlib import Path

from visualizer import __version__

SCHEMA = Path(__file__).parents[2] / "frontend" / "src" / "model" / "schema.json"


def test_ready(client):
    response = client.get("/healthz")
    assert response.status_code == 200
    known = {"tier": "A", "leaks": [], "jax": "0.10.2", "runtimes": ["0.10.2"], "version": __version__, "problem": None}
    assert response.json == {"ready": True, **known}
    assert response.headers["Cache-Control"] == "no-store"


def test_not_ready(client, tracer, make_app):
    tracer.state = {"ready": False, "tier": None, "jax": None, "error": "no jax"}
    response = client.get("/healthz")
    assert response.status_code == 503
    assert response.json["problem"] == "no jax"
    assert response.headers["Retry-After"] == "2"
    # A path of this machine may stand in the reason: strangers are not told.
    public = make_app(host="0.0.0.0").test_client().get("/healthz")
    assert public.status_code == 503
    assert public.json["problem"] == "The sandbox does not start; the server's own log says why."


def test_the_schema_is_the_committed_one(client):
    assert client.get("/api/v1/schema").json == json.loads(SCHEMA.read_text("utf-8"))


def test_the_versions_that_a_request_may_name(client, tracer):
    assert client.get("/api/v1/runtimes").json == {"runtimes": [{"jax": "0.10.2", "default": True}]}
    there = [{"jax": "0.10.2", "default": True, "stamp": ""}, {"jax": "0.6.0", "default": False, "stamp": "7"}]
    tracer.state = {**tracer.state, "runtimes": there}
    response = client.get("/api/v1/runtimes")
    assert response.json == {"runtimes": [{"jax": "0.10.2", "default": True}, {"jax": "0.6.0", "default": False}]}
    assert response.headers["Cache-Control"] == "no-store"
    assert client.get("/healthz").json["runtimes"] == ["0.10.2", "0.6.0"]
