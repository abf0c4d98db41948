"""`GET /healthz` for whoever watches the server, `GET /api/v1/schema` for whoever talks to it."""

from __future__ import annotations

import functools
import json

from flask import Flask, Response
from pydantic.json_schema import models_json_schema

from visualizer import __version__
from visualizer.model import LevelMessage, Trace, TraceRequest

from ._tracer import Tracer


def health_response(tracer: Tracer) -> Response:
    """200 when pastes can run, 503 before and when they no longer can; the body is the same."""
    health = tracer.health()
    ready = bool(health.get("ready"))
    body = {
        "ready": ready,
        "tier": health.get("tier"),
        "leaks": list(health.get("leaks") or ()),
        "jax": health.get("jax"),
        "version": __version__,
        "problem": health.get("problem"),
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


def register(app: Flask, tracer: Tracer) -> None:
    app.add_url_rule("/healthz", "healthz", lambda: health_response(tracer))
    app.add_url_rule("/api/v1/schema", "schema", lambda: Response(schema_text(), mimetype="application/schema+json"))
