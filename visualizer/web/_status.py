"""`GET /healthz` for whoever watches the server; `GET /api/v1/schema` and `/api/v1/runtimes` for whoever talks to it."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Any

from flask import Flask, Response
from pydantic.json_schema import models_json_schema

from visualizer import __version__
from visualizer.model import LevelMessage, Trace, TraceRequest

from ._settings import Settings
from ._tracer import Tracer


def runtimes_of(health: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The versions of JAX that a request may name, the default first; empty while that is not known."""
    default = health.get("jax")
    there = health.get("runtimes") or [{"jax": default, "default": True}]
    return [each for each in there if each.get("jax")] if default else []


def runtimes_response(tracer: Tracer) -> Response:
    """The versions, for whoever chooses one."""
    there = [{"jax": each["jax"], "default": bool(each.get("default"))} for each in runtimes_of(tracer.health())]
    response = Response(json.dumps({"runtimes": there}) + "\n", mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response


def health_response(tracer: Tracer, alone: bool) -> Response:
    """200 when pastes can run, 503 before and when they no longer can; the body is the same.

    Why they cannot is told in full to people on this machine only: the reason may name paths.
    """
    health = tracer.health()
    ready = bool(health.get("ready"))
    problem = health.get("error") or None
    body = {
        "ready": ready,
        "tier": health.get("tier"),
        "leaks": list(health.get("leaks") or ()),
        "jax": health.get("jax"),
        "runtimes": [each["jax"] for each in runtimes_of(health)],
        "version": __version__,
        "problem": problem if problem is None or alone else "The sandbox does not start; the server's own log says why.",
    }
    response = Response(json.dumps(body) + "\n", 200 if ready else 503, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    if not ready:
        response.headers["Retry-After"] = "2"
    return response


@functools.cache
def schema_text() -> str:
    _, schema = models_json_schema(
        [(model, "serialization") for model in (Trace, LevelMessage, TraceRequest)], ref_template="#/$defs/{model}"
    )
    return json.dumps(schema, ensure_ascii=False, sort_keys=True)


def register(app: Flask, settings: Settings, tracer: Tracer) -> None:
    app.add_url_rule("/healthz", "healthz", lambda: health_response(tracer, settings.alone))
    app.add_url_rule("/api/v1/runtimes", "runtimes", lambda: runtimes_response(tracer))
    app.add_url_rule("/api/v1/schema", "schema", lambda: Response(schema_text(), mimetype="application/schema+json"))
