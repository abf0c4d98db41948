"""A tracer that runs nothing: tests say what it answers, and ask it afterwards what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from visualizer.web import Settings, create_app

PAGE = '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__"><script type="module" src="/assets/page-1a2b.js"></script>'


def trace_of(**changes: Any) -> dict[str, Any]:
    empty = {
        "schema": 1,
        "input": "python",
        "jax": "0.10.2",
        "programs": [],
        "output": {"text": "", "truncated": False},
        "diagnostics": [],
        "notes": [],
        "offers": [],
        "timings": {},
    }
    return {**empty, **changes}


def first(**changes: Any) -> bytes:
    return json.dumps({"level": "jaxpr", "trace": trace_of(**changes), "patch": None}).encode() + b"\n"


def later(**changes: Any) -> bytes:
    patch = {"programs": {}, "diagnostics": [], "notes": [], "timings": {}, **changes}
    return json.dumps({"level": "stablehlo", "trace": None, "patch": patch}).encode() + b"\n"


def diagnostic(code: str) -> dict[str, Any]:
    return {
        "severity": "error",
        "code": code,
        "type": "",
        "message": "m",
        "advice": "a",
        "span": None,
        "frames": [],
        "stage": "run",
    }


class FakeTracer:
    """Yields `lines`; an exception among them is raised. `hold` keeps every job waiting until it is set."""

    def __init__(self) -> None:
        self.lines: list[bytes | Exception] = [first(notes=["one"]), later(notes=["two"], timings={"lower": 1.5})]
        self.state: dict[str, Any] = {"ready": True, "tier": "A", "leaks": [], "jax": "0.10.2"}
        self.asked: list[dict[str, Any]] = []
        self.closed_jobs = 0
        self.hold: threading.Event | None = None
        self.entered = threading.Semaphore(0)

    def start(self) -> None: ...

    def close(self) -> None: ...

    def health(self) -> dict[str, Any]:
        return self.state

    def allows_public(self) -> bool:
        return bool(self.state["ready"]) and self.state["tier"] in {"A", "B", "C"}

    def trace(self, request: dict[str, Any], cancelled: Callable[[], bool] | None = None) -> Iterator[bytes]:
        self.asked.append(request)
        return self._lines()

    def _lines(self) -> Iterator[bytes]:
        try:
            self.entered.release()
            if self.hold is not None:
                assert self.hold.wait(30)
            for line in self.lines:
                if isinstance(line, Exception):
                    raise line
                yield line
        finally:
            self.closed_jobs += 1


class Client(FlaskClient):
    """Reads every answer to its end and closes it, as a server does; a test that wants less says buffered=False."""

    def open(self, *args: Any, buffered: bool = True, **kwargs: Any) -> Any:
        return super().open(*args, buffered=buffered, **kwargs)


@pytest.fixture
def tracer() -> FakeTracer:
    return FakeTracer()


@pytest.fixture
def static(tmp_path: Path) -> Path:
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE)
    (folder / "icon.svg").write_text("<svg/>")
    (folder / "assets" / "page-1a2b.js").write_text("export {};")
    (tmp_path / "secret.txt").write_text("secret")
    return folder


@pytest.fixture
def make_app(tracer: FakeTracer, static: Path) -> Iterator[Callable[..., Flask]]:
    made: list[Flask] = []

    def make(**changes: Any) -> Flask:
        app = create_app(Settings(**{"static": static, "capacity": 2, "queue": 1, "queue_seconds": 0.05, **changes}), tracer)
        app.test_client_class = Client
        made.append(app)
        return app

    yield make
    for app in made:
        app.extensions["painter"].close()
        app.extensions["links"].close()


@pytest.fixture
def client(make_app: Callable[..., Flask]) -> FlaskClient:
    return make_app().test_client()
